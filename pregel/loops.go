package pregel

import (
	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// loops are the inner loops of a named combiner, over the edges of one vertex,
// with the operators written out: a call per edge would cost three times as
// much (measured).
type loops[M any] interface {
	// gather combines acc with what the vertices us offer. Vertices that are
	// not awake offer the identity, id.
	gather(k opKind, id, acc M, offers []M, us []uint32, w graph.Weights) M
	// scatter combines the offer x into the box of each of vs, atomically.
	scatter(k opKind, x M, boxes []M, vs []uint32, w graph.Weights, t *touch)
	differs(a, b M) bool
}

// A touch is the set of vertices that have been sent to.
type touch struct {
	touched bitmap.Bitmap
	settled bitmap.Bitmap // nil when no vertex ever settles
	w       *Worker
}

// takes tells whether messages to v count.
func (t *touch) takes(v uint32) bool { return t.settled == nil || !t.settled.Has(v) }

// mark notes that v has a message.
func (t *touch) mark(v uint32) {
	if !t.touched.HasAtomic(v) {
		t.first(v)
	}
}

// first notes that v has a message and tells whether this worker was the first
// to say so.
func (t *touch) first(v uint32) bool {
	if !t.touched.SetAtomic(v) {
		return false
	}
	t.w.Touched = append(t.w.Touched, v)
	return true
}

// along applies an edge operation other than Copy to an offer. The identity
// stays what it is: it stands for "nothing offered".
func along[M Number, W int32 | float32](k opKind, x, id M, w W) M {
	switch {
	case x == id:
		return id
	case k == opPlus:
		return x + M(w)
	case k == opTimes:
		return x * M(w)
	}
	return min(x, M(w))
}

// weighted calls f with the results of an edge operation, block by block, for
// combinations of combiner and operation that have no loop of their own. Blocks
// lie on the stack; this costs 1.2 to 2 times a loop of one's own.
func weighted[M Number](k opKind, id M, offers []M, us []uint32, w graph.Weights, f func(xs []M)) {
	var block [256]M
	for len(us) > 0 {
		n := min(len(us), len(block))
		switch w.Kind() {
		case graph.Int32:
			for i, u := range us[:n] {
				block[i] = along(k, offers[u], id, w.Int[i])
			}
		case graph.Float32:
			for i, u := range us[:n] {
				block[i] = along(k, offers[u], id, w.Float[i])
			}
		default:
			for i, u := range us[:n] {
				block[i] = along[M, int32](k, offers[u], id, 1)
			}
		}
		f(block[:n])
		us = us[n:]
		w = w.Slice(uint64(min(n, weightCount(w))), uint64(weightCount(w)))
	}
}

func weightCount(w graph.Weights) int { return len(w.Int) + len(w.Float) }

// scattered calls f with each target and what the offer x becomes on its way
// there.
func scattered[M Number](k opKind, x M, vs []uint32, w graph.Weights, f func(v uint32, y M)) {
	for i, v := range vs {
		y := x
		switch {
		case k == opPlus:
			y = x + M(w.At(uint64(i)))
		case k == opTimes:
			y = x * M(w.At(uint64(i)))
		case k == opLeast:
			y = min(x, M(w.At(uint64(i))))
		}
		f(v, y)
	}
}

// lower makes *p the lesser of itself and x.
func lower[T Number](p *T, x T) {
	for {
		old := mem.Load(p)
		if !(x < old) || mem.Swap(p, old, x) {
			return
		}
	}
}

// raise makes *p the greater of itself and x.
func raise[T Number](p *T, x T) {
	for {
		old := mem.Load(p)
		if !(x > old) || mem.Swap(p, old, x) {
			return
		}
	}
}

// add adds x to *p.
func add[T Number](p *T, x T) {
	for {
		old := mem.Load(p)
		if mem.Swap(p, old, old+x) {
			return
		}
	}
}

// unite makes *p the union of itself and x.
func unite[T Integer](p *T, x T) {
	for {
		old := mem.Load(p)
		if old|x == old || mem.Swap(p, old, old|x) {
			return
		}
	}
}
