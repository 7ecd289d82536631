package pregel

import "slices"

// This file is pushcalls.go for several workers, and applies what is pushed. The frontier, ascending, is cut into
// shares, and the vertices likewise, as in edgeshare.go. Each share calls the function on arcs for its part of the
// frontier, and notes what is sent to its own vertices, and what to those of others. Then it combines what is sent to
// its own, in the order of the senders: by shares before it, by itself, by those behind it; and applies that. Nobody
// writes what another reads at that time, so that boxes under functions need no atomic operations.
//
// Cost: that of pushcalls.go over the workers, a message written and read again, and those to vertices of other
// shares looked at by each of them: a nanosecond, where the calls for one take ten.

// A callShare is one part of a frontier, and the vertices lo to hi, multiples of 64.
type callShare[M any] struct {
	lo, hi uint32
	own    noted[M] // to its vertices
	out    noted[M] // to vertices of others
	boxes  []M      // of all
	_      [64]byte
}

// noted is messages, and to whom.
type noted[M any] struct {
	vs []uint32
	xs []M
}

func (s *noted[M]) add(v uint32, x M) {
	s.vs = append(s.vs, v)
	s.xs = append(s.xs, x)
}

func (s *noted[M]) clear() { s.vs, s.xs = s.vs[:0], s.xs[:0] }

// note notes a message.
func (s *callShare[M]) note(v uint32, x M) {
	if v-s.lo < s.hi-s.lo {
		s.own.add(v, x)
	} else {
		_ = s.boxes[v] // of a damaged list it may be nobody's
		s.out.add(v, x)
	}
}

// noteAll notes messages.
func (s *callShare[M]) noteAll(vs []uint32, xs []M) {
	for i, v := range vs {
		s.note(v, xs[i])
	}
}

// cutCalls cuts the vertices at bounds.
func (t *edgeTask[V, M]) cutCalls(bounds []uint32) {
	n := len(bounds) - 1
	t.callShares = slices.Grow(t.callShares[:0], n)[:n]
	for k := range t.callShares {
		s := &t.callShares[k]
		s.lo, s.hi, s.boxes = bounds[k], bounds[k+1], t.boxes
	}
}

// gatherCallShare notes what the vertices us send, which are share k.
func (t *edgeTask[V, M]) gatherCallShare(k int, us []uint32, w *Worker) {
	s, to := &t.callShares[k], touch{touched: t.touched, settled: t.settled, w: w}
	s.own.clear()
	s.out.clear()
	if t.byMany() {
		t.pushMany(us, &to, s)
	} else {
		t.pushCalls(us, &to, s)
	}
}

// applyCallShare combines and applies what is sent to the vertices of share k, when all have been gathered.
func (t *edgeTask[V, M]) applyCallShare(k int, w *Worker) {
	s := &t.callShares[k]
	for i := range t.callShares {
		if i == k {
			t.combineNoted(&s.own, s, w)
		} else {
			t.combineNoted(&t.callShares[i].out, s, w)
		}
	}
	w.Got += uint64(len(w.Touched))
	t.applyList(w.Touched, w, true)
	w.Touched = w.Touched[:0]
}

// combineNoted combines messages, of which those to vertices of s count, into boxes.
func (t *edgeTask[V, M]) combineNoted(list *noted[M], s *callShare[M], w *Worker) {
	combine, boxes, touched := t.spec.Combine.Func, t.boxes, t.touched
	lo, size, n := s.lo, s.hi-s.lo, len(w.Touched)
	reached := slices.Grow(w.Touched, len(list.vs))[:n+len(list.vs)]
	xs := list.xs[:len(list.vs)]
	for i, v := range list.vs {
		if v-lo >= size {
			continue
		}
		w.At = v
		boxes[v] = combine(boxes[v], xs[i])
		word := touched[v>>6]
		touched[v>>6] = word | 1<<(v&63)
		reached[n] = v
		n += int(^word >> (v & 63) & 1)
	}
	w.Touched = reached[:n]
}
