package sssp

import (
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file is the inner loop of inplace.go: it looks at arcs and lowers distances.

// Ever more reads of memory are under way at the same time if they are asked for before
// they are needed: those of a batch of vertices while the arcs of the batch before the last
// are looked at, those of its arcs while those of the last are.
const batch = 16

// A block is vertices whose arcs are looked at.
type block[T label] struct {
	us   [batch]uint32
	rows [batch]mem.Row[T] // without what is offered
	size int
}

// relaxAll looks at the arcs of the vertices us. The last batches are left under way, for what
// comes next, so that also a list given piece by piece has reads under way all the time; finish
// ends that. Until then us is to stay as it is.
func (r *relaxing[T]) relaxAll(us []uint32, b *buckets[T], w *pregel.Worker) {
	for out := r.g.Out(); len(us) > 0; {
		k := min(len(us), batch)
		r.ask(us[:k], out)
		r.advance(us[:k], out, b, w)
		us = us[k:]
	}
}

// finish looks at the arcs of the batches that are under way.
func (r *relaxing[T]) finish(b *buckets[T], w *pregel.Worker) {
	out := r.g.Out()
	r.advance(nil, out, b, w)
	r.advance(nil, out, b, w)
}

// advance looks at the arcs of the batch before the last, asks for those of the last, and
// leaves us to be the last.
func (r *relaxing[T]) advance(us []uint32, out graph.CSR, b *buckets[T], w *pregel.Worker) {
	last, before := &b.blocks[b.turn], &b.blocks[b.turn^1]
	if len(b.asked) > 0 {
		r.due(b.asked, last, out, b)
	}
	if before.size > 0 {
		r.relaxBlock(before, out, b, w)
	}
	b.asked, b.turn = us, b.turn^1
}

// ask asks for what due reads of the vertices us.
func (r *relaxing[T]) ask(us []uint32, out graph.CSR) {
	mem.Prefetch(r.dist, us)
	out.Offsets.PrefetchEach(us)
}

// due puts those of us that are due first in a block: others were lowered, and looked at,
// in a bucket before. Which they are cannot be foreseen.
func (r *relaxing[T]) due(us []uint32, l *block[T], out graph.CSR, b *buckets[T]) {
	k, sent := 0, uint64(0)
	for _, u := range us {
		d := mem.Load(&r.dist[u])
		lo, hi := out.Offsets.Row(u)
		l.us[k], l.rows[k].From, l.rows[k].To = u, lo, hi
		due := 0
		if r.bucket(d) >= r.current {
			due = 1
		}
		k += due
		sent += (hi - lo) * uint64(due)
	}
	l.size = k
	b.counts.Computed += uint64(k)
	b.counts.Sent += sent
	if out.Weights.Float != nil {
		mem.PrefetchRows(out.Targets, out.Weights.Float, l.rows[:k])
	} else {
		mem.PrefetchRows(out.Targets, out.Weights.Int, l.rows[:k])
	}
}

// relaxBlock looks at the arcs of a block, and empties it. Labels are read again: they may
// have been lowered since.
func (r *relaxing[T]) relaxBlock(l *block[T], out graph.CSR, b *buckets[T], w *pregel.Worker) {
	us, left := l.us[:l.size], l.rows[:l.size]
	for i, u := range us {
		left[i].Base = r.by(u, mem.Load(&r.dist[u]))
	}
	for len(left) > 0 {
		w.At = us[len(us)-len(left)]
		if out.Weights.Float != nil {
			left = mem.Collect(&b.offers, r.dist, out.Targets, out.Weights.Float, r.unit, left)
		} else {
			left = mem.Collect(&b.offers, r.dist, out.Targets, out.Weights.Int, r.unit, left)
		}
		r.lower(b, r.one)
	}
	l.size = 0
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

// lower lowers labels to what is offered, unless they have become less than that, and puts
// their vertices into buckets, but for dead ends. A way as long as the last one brings a vertex
// no nearer to anything.
func (r *relaxing[T]) lower(b *buckets[T], alone bool) {
	o, dist, ring, dead, up, limit := &b.offers, r.dist, b.ring[:ringSize], r.dead, r.up, r.limit
	at, sums := o.At[:o.Found], o.Sums[:o.Found]
	if o.Found = 0; !alone {
		mem.Own(dist, at)
	}
	for i, v := range at {
		x, old := sums[i], mem.Load(&dist[v])
		if x >= old {
			continue
		}
		if x >= limit {
			r.tooFar.Store(true)
			continue
		}
		if alone {
			dist[v] = x
		} else if old = b.swap(&dist[v], old, x); x >= old {
			continue
		}
		if up != 0 && uint64(x)>>up == uint64(old)>>up {
			continue
		}
		b.seen[v>>r.partBit%parts] = true
		k, kept := r.bucket(x), 1-int(dead[v>>6]>>(v&63)&1)
		if k-r.base < ringSize && len(ring[k-r.base]) < cap(ring[k-r.base]) {
			list := &ring[k-r.base] // no branch on kept: it cannot be foreseen
			n := len(*list)
			(*list)[:n+1][n] = v
			*list = (*list)[:n+kept]
			continue
		}
		if kept != 0 {
			r.put(b, v, k)
		}
	}
}

// swap makes x the label at p, which was old, and returns the last one before: if that is
// not more than x it is left.
func (b *buckets[T]) swap(p *T, old, x T) T {
	for x < old {
		b.counts.Atomics++
		if mem.Swap(p, old, x) {
			break
		}
		old = mem.Load(p)
	}
	return old
}

func (r *relaxing[T]) put(b *buckets[T], v uint32, bucket uint64) {
	if bucket >= r.base+ringSize {
		b.far = append(b.far, v)
		return
	}
	at := bucket - r.base
	if list := b.ring[at]; len(list) == cap(list) {
		b.extend(at)
		b.end = max(b.end, at+1)
	}
	b.ring[at] = append(b.ring[at], v)
}
