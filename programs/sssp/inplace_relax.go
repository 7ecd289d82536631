package sssp

import (
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file is the inner loop of inplace.go: it looks at arcs and lowers distances.

// A row is a vertex whose arcs are looked at.
type row struct {
	u      uint32
	lo, hi uint64
}

// Ever more reads of memory are under way at the same time if they are asked for before
// they are needed: those of a batch of vertices while the arcs of the batch before the last
// are looked at, those of its arcs while those of the last are.
const batch = 16

// line is how many arcs have their targets on a cache line. So many lines of a row are
// asked for; the processor finds the others itself.
const line, ahead = 16, 8

// relaxAll looks at the arcs of the vertices us.
func (r *relaxing[T]) relaxAll(us []uint32, b *buckets, w *pregel.Worker) {
	out := r.g.Out()
	r.ask(us[:min(len(us), batch)], out)
	var rows []row
	for i := 0; len(us) > 0; i ^= 1 {
		k := min(len(us), batch)
		r.ask(us[k:min(len(us), k+batch)], out)
		next := r.rows(us[:k], b.rows[i][:], out, b)
		r.relaxRows(rows, out, b, w)
		rows, us = next, us[k:]
	}
	r.relaxRows(rows, out, b, w)
}

// ask asks for what rows reads of the vertices us.
func (r *relaxing[T]) ask(us []uint32, out graph.CSR) {
	mem.Prefetch(r.dist, us)
	mem.Prefetch(out.Offsets, us)
}

// rows puts those of us that are due first in rows, and returns them: others were lowered,
// and looked at, in a bucket before. Which they are cannot be foreseen.
func (r *relaxing[T]) rows(us []uint32, rows []row, out graph.CSR, b *buckets) []row {
	k := 0
	for _, u := range us {
		d := mem.Load(&r.dist[u])
		rows[k] = row{u, out.Offsets[u], out.Offsets[u+1]}
		next := k
		if r.bucket(d) >= r.current {
			next++
		}
		k = next
	}
	rows = rows[:k]
	b.counts.Computed += uint64(k)
	b.askArcs(rows, out)
	return rows
}

// askArcs asks for the arcs of rows, and counts them.
func (b *buckets) askArcs(rows []row, out graph.CSR) {
	k, sent := 0, uint64(0)
	for i := range rows {
		lo, hi := rows[i].lo, rows[i].hi
		sent += hi - lo
		b.lines[k] = lo
		k++
		for at := lo + line; at < min(hi, lo+ahead*line); at += line {
			b.lines[k] = at
			k++
		}
	}
	b.counts.Sent += sent
	mem.PrefetchAt(out.Targets, b.lines[:k])
	if out.Weights.Int != nil {
		mem.PrefetchAt(out.Weights.Int, b.lines[:k])
	}
	if out.Weights.Float != nil {
		mem.PrefetchAt(out.Weights.Float, b.lines[:k])
	}
}

// relaxRows looks at the arcs of rows. Labels are read again: they may have been lowered since.
func (r *relaxing[T]) relaxRows(rows []row, out graph.CSR, b *buckets, w *pregel.Worker) {
	for i := range rows {
		row := &rows[i]
		w.At = row.u
		d := r.by(row.u, mem.Load(&r.dist[row.u]))
		switch vs := out.Targets[row.lo:row.hi]; {
		case out.Weights.Int != nil:
			relax(r, b, d, vs, out.Weights.Int[row.lo:row.hi], w.Alone)
		case out.Weights.Float != nil:
			relax(r, b, d, vs, out.Weights.Float[row.lo:row.hi], w.Alone)
		default:
			relaxOnes(r, b, d+r.unit, vs, w.Alone)
		}
	}
}

func relax[T label, W int32 | float32](r *relaxing[T], b *buckets, d T, vs []uint32, weights []W, alone bool) {
	weights, unit, dist := weights[:len(vs)], r.unit, r.dist
	for i, v := range vs {
		x := d + T(weights[i])*unit
		if old := mem.Load(&dist[v]); x < old {
			r.lower(b, v, x, old, alone)
		}
	}
}

// relaxOnes is relax where all weights are 1: x is what all of vs are offered.
func relaxOnes[T label](r *relaxing[T], b *buckets, x T, vs []uint32, alone bool) {
	for _, v := range vs {
		if old := mem.Load(&r.dist[v]); x < old {
			r.lower(b, v, x, old, alone)
		}
	}
}

// by is the way by u to itself, the label d being that of u, or the distance d.
func (r *relaxing[T]) by(u uint32, d T) T {
	if r.up == 0 {
		return d
	}
	if r.keys != nil {
		u = r.keys[u]
	}
	return T(uint64(d)>>r.up<<r.up | uint64(u))
}

// lower makes x the label of v, which was old, unless it has become less than that. A
// way as long as the last one brings v no nearer to anything.
func (r *relaxing[T]) lower(b *buckets, v uint32, x, old T, alone bool) {
	if x >= r.limit {
		r.tooFar.Store(true)
		return
	}
	p := &r.dist[v]
	if alone {
		*p = x
	} else {
		for b.counts.Atomics++; !mem.Swap(p, old, x); b.counts.Atomics++ {
			if old = mem.Load(p); x >= old {
				return
			}
		}
	}
	if r.up == 0 || uint64(x)>>r.up < uint64(old)>>r.up {
		r.put(b, v, r.bucket(x))
	}
}

func (r *relaxing[T]) put(b *buckets, v uint32, bucket uint64) {
	if bucket >= r.base+ringSize {
		b.far = append(b.far, v)
		return
	}
	list := &b.ring[bucket-r.base]
	if *list == nil {
		*list = b.empty()
	}
	*list = append(*list, v)
}
