package lcc

import (
	"sync/atomic"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file is the triangles of a thin graph (thin.go), a piece at a time.

// merging is a piece of a thin graph.
type merging struct {
	offsets       graph.Offsets
	targets       []uint32
	total         []uint64
	read, atomics uint64
	repeated      bool       // there is a loop, or a parallel edge
	lines         [64]uint64 // asked for
}

// aheadVertices are worked on while the lists of the next so many are asked for.
const aheadVertices = 128

const lineTargets = 64 / targetBytes // of a cache line

// piece lists the triangles w < u < v of the v from lo to hi. What a processor fetches
// ahead by itself, as it sees that lists are read one after the other, comes too late:
// in a grid of 2048² the lists asked for took a quarter of the time less.
func (m *merging) piece(lo, hi uint32) {
	n := uint32(m.offsets.Len() - 1)
	for lo < hi {
		next := lo + min(aheadVertices, hi-lo)
		m.ahead(next, next+min(aheadVertices, n-next))
		m.list(lo, next)
		lo = next
	}
}

// ahead asks for the lists of the vertices from lo to hi, as far as there is room: with more of it
// uniform graphs of 16 neighbours took as long.
func (m *merging) ahead(lo, hi uint32) {
	k, to := 0, m.offsets.At(hi)
	for at := m.offsets.At(lo); at < to && k < len(m.lines); at += lineTargets {
		m.lines[k] = at
		k++
	}
	mem.PrefetchAt(m.targets, m.lines[:k])
}

// list is piece where lists are at hand. In grids and roads most v have two neighbours below
// them at most, for which there is one u and one w: no lists to merge.
func (m *merging) list(lo, hi uint32) {
	offsets, targets, read, repeated := m.offsets, m.targets, uint64(0), false
	at := offsets.At(lo)
	for v := lo; v < hi; v++ {
		end := offsets.At(v + 1)
		row := targets[at:end]
		at = end
		if len(row) < 2 {
			repeated = repeated || len(row) > 0 && row[0] == v
			continue
		}
		w, u := row[0], row[1]
		if u >= v {
			repeated = repeated || u == v || w == v
			read += 2
			continue
		}
		begin, end := offsets.Row(u)
		near := targets[begin:end]
		looked, found := seek(near, w)
		read += looked + 3
		repeated = repeated || w == u
		if found {
			m.triangle(w, u, v)
		}
		if len(row) > 2 {
			if row[2] < v {
				m.add(v, m.middle(row, v))
			}
			repeated = repeated || row[2] == v
		}
	}
	m.read += read
	m.repeated = m.repeated || repeated
}

// triangle adds one to its corners.
func (m *merging) triangle(w, u, v uint32) {
	m.add(w, 1)
	m.add(u, 1)
	m.add(v, 1)
}

// middle takes the third of an ascending list of neighbours of v, and those that follow,
// up to v, for the u, and returns how many triangles they close.
func (m *merging) middle(row []uint32, v uint32) (found uint64) {
	for k, u := range row {
		if u >= v {
			m.repeated = m.repeated || u == v
			break
		}
		if k < 2 {
			continue
		}
		m.repeated = m.repeated || u == row[k-1]
		m.read++
		begin, end := m.offsets.Row(u)
		found += m.close(row[:k], m.targets[begin:end], u)
	}
	return found
}

// seek looks for w in an ascending list, and returns how many it has looked at.
func seek(list []uint32, w uint32) (looked uint64, found bool) {
	for i, x := range list {
		if x >= w {
			return uint64(i) + 1, x == w
		}
	}
	return uint64(len(list)), false
}

// close finds what the neighbours of a vertex below u share with near, those of u, and
// returns how many that are.
func (m *merging) close(below, near []uint32, u uint32) (found uint64) {
	i, w := 0, below[0]
	for j, x := range near {
		for w < x {
			if i++; i >= len(below) {
				m.read += uint64(i + j + 1)
				m.add(u, found)
				return found
			}
			w = below[i]
		}
		if w == x {
			m.add(w, 1)
			found++
		}
	}
	m.read += uint64(i + len(near))
	m.add(u, found)
	return found
}

// add adds triangles to the total of v.
func (m *merging) add(v uint32, triangles uint64) {
	if triangles > 0 {
		atomic.AddUint64(&m.total[v], 2*triangles)
		m.atomics++
	}
}
