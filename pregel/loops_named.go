package pregel

import (
	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
)

type minLoops[T Number] struct{}

func (minLoops[T]) differs(a, b T) bool { return a != b }

func (minLoops[T]) gather(k opKind, id, acc T, offers []T, us []uint32, w graph.Weights, awake bitmap.Bitmap) T {
	switch {
	case k == opCopy:
		for _, u := range us {
			if x := offers[u]; x < acc {
				acc = x
			}
		}
	case k == opPlus && w.Int != nil:
		return leastSum(id, acc, offers, us, w.Int)
	case k == opPlus && w.Float != nil:
		return leastSum(id, acc, offers, us, w.Float)
	default:
		var block [blockMessages]T
		for lo := 0; lo < len(us); lo += blockMessages {
			rest := after(w, lo)
			for _, x := range offered(block[:], k, id, infinity[T]{id, true}, offers, us[lo:], rest, awake) {
				if x < acc {
					acc = x
				}
			}
		}
	}
	return acc
}

// leastSum is the relaxation of shortest paths: min(acc, offer + weight). The
// identity is put back after the sum, which costs no branch.
func leastSum[T Number, W int32 | float32](id, acc T, offers []T, us []uint32, w []W) T {
	w = w[:len(us)]
	for i, u := range us {
		x := offers[u]
		y := x + T(w[i])
		if x == id {
			y = id
		}
		if y < acc {
			acc = y
		}
	}
	return acc
}

func (minLoops[T]) scatter(k opKind, id, x T, boxes []T, vs []uint32, w graph.Weights, t *touch) {
	alone := t.w.Alone
	switch {
	case k == opCopy:
		for _, v := range vs {
			if t.takes(v) && lower(&boxes[v], x, id, alone) {
				t.mark(v)
			}
		}
	case k == opPlus && x != id && w.Int != nil:
		scatterSum(x, id, boxes, vs, w.Int, t)
	case k == opPlus && x != id && w.Float != nil:
		scatterSum(x, id, boxes, vs, w.Float, t)
	default:
		var block [blockMessages]T
		for lo := 0; lo < len(vs); lo += blockMessages {
			rest := after(w, lo)
			for i, y := range spread(block[:], k, infinity[T]{id, true}, x, len(vs)-lo, rest) {
				v := vs[lo+i]
				if t.takes(v) && lower(&boxes[v], y, id, alone) {
					t.mark(v)
				}
			}
		}
	}
}

func (minLoops[T]) rows(id T, xs, boxes []T, us []uint32, c graph.CSR, t *touch) {
	spans := spansOf(us, c, t)
	settled, touched, list := t.settled, t.touched, t.w.Touched
	for i, x := range xs {
		for _, v := range spans.of(i, c) {
			if settled != nil && settled.Has(v) {
				continue
			}
			old := boxes[v]
			if x < old {
				boxes[v] = x
			}
			if old == id && !touched.Has(v) {
				touched.Set(v)
				list = append(list, v)
			}
		}
	}
	t.w.Touched = list
}

func scatterSum[T Number, W int32 | float32](x, id T, boxes []T, vs []uint32, w []W, t *touch) {
	w, alone := w[:len(vs)], t.w.Alone
	for i, v := range vs {
		if t.takes(v) && lower(&boxes[v], x+T(w[i]), id, alone) {
			t.mark(v)
		}
	}
}

type maxLoops[T Number] struct{}

func (maxLoops[T]) differs(a, b T) bool { return a != b }

func (maxLoops[T]) gather(k opKind, id, acc T, offers []T, us []uint32, w graph.Weights, awake bitmap.Bitmap) T {
	if k == opCopy {
		for _, u := range us {
			if x := offers[u]; x > acc {
				acc = x
			}
		}
		return acc
	}
	var block [blockMessages]T
	for lo := 0; lo < len(us); lo += blockMessages {
		rest := after(w, lo)
		for _, x := range offered(block[:], k, id, infinity[T]{id, id < 0}, offers, us[lo:], rest, awake) {
			if x > acc {
				acc = x
			}
		}
	}
	return acc
}

func (l maxLoops[T]) rows(id T, xs, boxes []T, us []uint32, c graph.CSR, t *touch) {
	eachRow(l, id, xs, boxes, us, c, t)
}

func (maxLoops[T]) scatter(k opKind, id, x T, boxes []T, vs []uint32, w graph.Weights, t *touch) {
	var block [blockMessages]T
	for lo := 0; lo < len(vs); lo += blockMessages {
		rest := after(w, lo)
		for i, y := range spread(block[:], k, infinity[T]{id, id < 0}, x, len(vs)-lo, rest) {
			v := vs[lo+i]
			if t.takes(v) {
				raise(&boxes[v], y, t.w.Alone)
				t.mark(v)
			}
		}
	}
}

type sumLoops[T Number] struct{}

func (sumLoops[T]) differs(a, b T) bool { return a != b }

func (l sumLoops[T]) gather(k opKind, id, acc T, offers []T, us []uint32, w graph.Weights, awake bitmap.Bitmap) T {
	if k == opCopy {
		return l.row(id, acc, offers, us)
	}
	var block [blockMessages]T
	for lo := 0; lo < len(us); lo += blockMessages {
		rest := after(w, lo)
		for _, x := range offered(block[:], k, id, infinity[T]{}, offers, us[lo:], rest, awake) {
			acc += x
		}
	}
	return acc
}

func (l sumLoops[T]) rows(id T, xs, boxes []T, us []uint32, c graph.CSR, t *touch) {
	eachRow(l, id, xs, boxes, us, c, t)
}

func (sumLoops[T]) scatter(k opKind, id, x T, boxes []T, vs []uint32, w graph.Weights, t *touch) {
	var block [blockMessages]T
	for lo := 0; lo < len(vs); lo += blockMessages {
		rest := after(w, lo)
		for i, y := range spread(block[:], k, infinity[T]{}, x, len(vs)-lo, rest) {
			v := vs[lo+i]
			if t.takes(v) {
				add(&boxes[v], y, t.w.Alone)
				t.mark(v)
			}
		}
	}
}

type orLoops[T Integer] struct{}

func (orLoops[T]) differs(a, b T) bool { return a != b }

func (orLoops[T]) gather(k opKind, id, acc T, offers []T, us []uint32, w graph.Weights, awake bitmap.Bitmap) T {
	if k == opCopy {
		for _, u := range us {
			acc |= offers[u]
		}
		return acc
	}
	var block [blockMessages]T
	for lo := 0; lo < len(us); lo += blockMessages {
		rest := after(w, lo)
		for _, x := range offered(block[:], k, id, infinity[T]{}, offers, us[lo:], rest, awake) {
			acc |= x
		}
	}
	return acc
}

func (l orLoops[T]) rows(id T, xs, boxes []T, us []uint32, c graph.CSR, t *touch) {
	eachRow(l, id, xs, boxes, us, c, t)
}

func (orLoops[T]) scatter(k opKind, id, x T, boxes []T, vs []uint32, w graph.Weights, t *touch) {
	var block [blockMessages]T
	for lo := 0; lo < len(vs); lo += blockMessages {
		rest := after(w, lo)
		for i, y := range spread(block[:], k, infinity[T]{}, x, len(vs)-lo, rest) {
			v := vs[lo+i]
			if t.takes(v) {
				unite(&boxes[v], y, t.w.Alone)
				t.mark(v)
			}
		}
	}
}
