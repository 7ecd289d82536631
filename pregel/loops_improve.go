package pregel

import (
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// The loops of relaxed runs: most messages change nothing, which a load and a
// comparison find out.

func (minLoops[T]) load(p *T) T { return mem.Load(p) }
func (maxLoops[T]) load(p *T) T { return mem.Load(p) }
func (orLoops[T]) load(p *T) T  { return mem.Load(p) }
func (sumLoops[T]) load(p *T) T { return mem.Load(p) }

func (minLoops[T]) improve(k opKind, id, x T, boxes []T, vs []uint32, w graph.Weights, t *touch) {
	switch {
	case k == opCopy:
		for _, v := range vs {
			if x < mem.Load(&boxes[v]) && lowers(&boxes[v], x) {
				t.mark(v)
			}
		}
	case k == opPlus && x != id && w.Int != nil:
		improveSum(x, boxes, vs, w.Int, t)
	case k == opPlus && x != id && w.Float != nil:
		improveSum(x, boxes, vs, w.Float, t)
	default:
		var block [blockMessages]T
		for lo := 0; lo < len(vs); lo += blockMessages {
			for i, y := range spread(block[:], k, infinity[T]{id, true}, x, len(vs)-lo, after(w, lo)) {
				if v := vs[lo+i]; y < mem.Load(&boxes[v]) && lowers(&boxes[v], y) {
					t.mark(v)
				}
			}
		}
	}
}

// improveSum is the relaxation of shortest paths.
func improveSum[T Number, W int32 | float32](x T, boxes []T, vs []uint32, w []W, t *touch) {
	w = w[:len(vs)]
	for i, v := range vs {
		if y := x + T(w[i]); y < mem.Load(&boxes[v]) && lowers(&boxes[v], y) {
			t.mark(v)
		}
	}
}

func (maxLoops[T]) improve(k opKind, id, x T, boxes []T, vs []uint32, w graph.Weights, t *touch) {
	switch {
	case k == opCopy:
		for _, v := range vs {
			if x > mem.Load(&boxes[v]) && raises(&boxes[v], x) {
				t.mark(v)
			}
		}
	case k == opLeast && w.Int != nil:
		improveLeast(x, boxes, vs, w.Int, t)
	case k == opLeast && w.Float != nil:
		improveLeast(x, boxes, vs, w.Float, t)
	default:
		var block [blockMessages]T
		for lo := 0; lo < len(vs); lo += blockMessages {
			for i, y := range spread(block[:], k, infinity[T]{id, id < 0}, x, len(vs)-lo, after(w, lo)) {
				if v := vs[lo+i]; y > mem.Load(&boxes[v]) && raises(&boxes[v], y) {
					t.mark(v)
				}
			}
		}
	}
}

// improveLeast is the relaxation of widest paths.
func improveLeast[T Number, W int32 | float32](x T, boxes []T, vs []uint32, w []W, t *touch) {
	w = w[:len(vs)]
	for i, v := range vs {
		if y := min(x, T(w[i])); y > mem.Load(&boxes[v]) && raises(&boxes[v], y) {
			t.mark(v)
		}
	}
}

func (orLoops[T]) improve(k opKind, id, x T, boxes []T, vs []uint32, w graph.Weights, t *touch) {
	if k == opCopy {
		for _, v := range vs {
			if x&^mem.Load(&boxes[v]) != 0 && widens(&boxes[v], x) {
				t.mark(v)
			}
		}
		return
	}
	var block [blockMessages]T
	for lo := 0; lo < len(vs); lo += blockMessages {
		for i, y := range spread(block[:], k, infinity[T]{}, x, len(vs)-lo, after(w, lo)) {
			if v := vs[lo+i]; widens(&boxes[v], y) {
				t.mark(v)
			}
		}
	}
}

// improve adds, and marks every vertex: only an idempotent combiner is ever asked.
func (l sumLoops[T]) improve(k opKind, id, x T, boxes []T, vs []uint32, w graph.Weights, t *touch) {
	l.scatter(k, id, x, boxes, vs, w, t)
}

// lowers makes *p the lesser of itself and x, and tells whether that has changed
// it.
func lowers[T Number](p *T, x T) bool {
	for {
		old := mem.Load(p)
		if !(x < old) {
			return false
		}
		if mem.Swap(p, old, x) {
			return true
		}
	}
}

// raises makes *p the greater of itself and x, and tells likewise.
func raises[T Number](p *T, x T) bool {
	for {
		old := mem.Load(p)
		if !(x > old) {
			return false
		}
		if mem.Swap(p, old, x) {
			return true
		}
	}
}

// widens makes *p the union of itself and x, and tells likewise.
func widens[T Integer](p *T, x T) bool {
	for {
		old := mem.Load(p)
		if old|x == old {
			return false
		}
		if mem.Swap(p, old, old|x) {
			return true
		}
	}
}
