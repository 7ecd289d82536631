package sssp

import (
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file is the inner loop of inplace.go: it looks at arcs and lowers distances.

// A row is a vertex whose arcs are looked at.
type row[T label] struct {
	u      uint32
	dist   T // what u offers: its label, or the way by it
	lo, hi uint64
}

// batch is how many rows have their memory read together: reads that do not hang on
// each other are under way at the same time.
const batch = 16

// line is how many arcs have their targets on a cache line. So many lines of a row are read
// ahead; the processor finds the others itself.
const line, ahead = 16, 8

// relaxAll looks at the arcs of the vertices us.
func (r *relaxing[T]) relaxAll(us []uint32, b *buckets, w *pregel.Worker) {
	var room [batch]row[T]
	out := r.g.Out()
	for len(us) > 0 {
		k := min(len(us), batch)
		rows := r.rows(us[:k], room[:], out, b)
		for i := range rows {
			row := &rows[i]
			w.At = row.u
			switch vs := out.Targets[row.lo:row.hi]; {
			case out.Weights.Int != nil:
				relax(r, b, row.dist, vs, out.Weights.Int[row.lo:row.hi], w.Alone)
			case out.Weights.Float != nil:
				relax(r, b, row.dist, vs, out.Weights.Float[row.lo:row.hi], w.Alone)
			default:
				relaxOnes(r, b, row.dist+r.unit, vs, w.Alone)
			}
		}
		us = us[k:]
	}
}

// rows puts those of us that are due first in rows, and returns them: others were lowered,
// and looked at, in a bucket before. Which they are cannot be foreseen.
func (r *relaxing[T]) rows(us []uint32, rows []row[T], out graph.CSR, b *buckets) []row[T] {
	k := 0
	for _, u := range us {
		d := mem.Load(&r.dist[u])
		rows[k] = row[T]{u, r.by(u, d), out.Offsets[u], out.Offsets[u+1]}
		next := k
		if r.bucket(d) >= r.current {
			next++
		}
		k = next
	}
	rows = rows[:k]
	b.counts.Computed += uint64(len(rows))
	for i := range rows {
		lo, hi := rows[i].lo, rows[i].hi
		b.counts.Sent += hi - lo
		if lo == hi {
			continue
		}
		b.touch(out, lo)
		if lo+line < hi {
			b.touchRest(out, lo, hi)
		}
	}
	return rows
}

// touchRest reads arcs of the further lines of a row.
func (b *buckets) touchRest(out graph.CSR, lo, hi uint64) {
	for at := lo + line; at < min(hi, lo+ahead*line); at += line {
		b.touch(out, at)
	}
}

// touch reads an arc.
func (b *buckets) touch(out graph.CSR, arc uint64) {
	b.seen += out.Targets[arc]
	if out.Weights.Int != nil {
		b.seen += uint32(out.Weights.Int[arc])
	}
}

func relax[T label, W int32 | float32](r *relaxing[T], b *buckets, d T, vs []uint32, weights []W, alone bool) {
	weights, unit := weights[:len(vs)], r.unit
	for i, v := range vs {
		x := d + T(weights[i])*unit
		if old := mem.Load(&r.dist[v]); x < old {
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
