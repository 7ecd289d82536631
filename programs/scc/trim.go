package scc

import (
	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// slot is what one worker has found in a phase.
type slot struct {
	alone  []uint32 // vertices that are components alone
	pivot  uint32
	weight uint64 // of the pivot, its arcs out times those in; 0: none found
	count  int    // of vertices closed
	_      [64]byte
}

// trimFirst takes the vertices that are alone by their degrees: no marks are read, so
// they can be written at once.
func (w *work) trimFirst() {
	w.clearSlots()
	out, in := w.job.Graph.Out().Offsets, w.job.Graph.In().Offsets
	a := account(markBytes, markBytes, w.at.Led)
	a.Widths.Beside = 2 * (out.Width() + in.Width()) * uint64(w.job.Graph.N())
	if !w.Vertices("scc trim", a, func(lo, hi uint32, k *pregel.Worker) {
		s, n := &w.slots[k.Slot], int(hi-lo)
		component, marks := w.component[lo:][:n], w.marks[lo:][:n]
		outAt, inAt := out.At(lo), in.At(lo)
		for i := range n { // without branches on what half of the vertices may be
			v, alone := lo+uint32(i), uint32(0)
			outEnd, inEnd := out.At(v+1), in.At(v+1)
			weight := (outEnd - outAt) * (inEnd - inAt)
			outAt, inAt = outEnd, inEnd
			if weight == 0 {
				alone = 1
			}
			component[i], marks[i] = v|(alone-1), closed*mark(alone)
			s.count += int(alone)
			if weight >= s.weight {
				s.propose(v, weight)
			}
		}
	}) {
		return
	}
	if w.trimmed(); w.at.Open == 0 {
		w.rest(led{})
		return
	}
	w.at.Stage = searchingForward
	if w.at.Led.Rule == mayBeSparse {
		if is, why := quick(w.job.Graph.Out(), w.at.Pivot, w.marks); !is {
			w.rest(why)
		}
	}
}

func (w *work) clearSlots() {
	for i := range w.slots {
		w.slots[i] = slot{alone: w.slots[i].alone[:0]}
	}
}

// trimmed counts what a round has closed, and takes the best pivot.
func (w *work) trimmed() (count int) {
	best := &w.slots[0]
	for i := range w.slots {
		count += w.slots[i].count
		best.propose(w.slots[i].pivot, w.slots[i].weight)
	}
	w.at.Pivot = best.pivot
	w.at.Open -= count
	w.at.Found.add(count, 1)
	return count
}

// more goes on to another round of trimming, if there is enough to trim.
func (w *work) more() {
	w.at.Stage, w.at.Led = trimmingMore, led{manyOpen, uint64(w.at.Open), trimFrom}
	switch {
	case w.at.Round == trimRounds:
		w.rest(led{noMoreRounds, trimRounds, trimRounds})
	case w.at.Open < trimFrom:
		w.rest(led{fewOpen, uint64(w.at.Open), trimFrom})
	}
}

// trimMore trims while it pays.
func (w *work) trimMore() {
	count, ok := w.trim()
	if !ok {
		return
	}
	if w.at.Round++; count <= w.at.Open/trimShare {
		w.rest(led{fewClosed, uint64(count), uint64(w.at.Open / trimShare)})
		return
	}
	w.more()
}

// trim closes the open vertices that are not joined to others in both
// directions, chooses the pivot among the rest and returns how many it has
// closed. Marks are only written when all have been read, so a round does not
// depend on who does what.
func (w *work) trim() (count int, ok bool) {
	w.clearSlots()
	out, in := w.job.Graph.Out(), w.job.Graph.In()
	a := account(markBytes, markBytes, w.at.Led)
	a.Widths.Beside = 2 * in.Offsets.Width() * uint64(w.job.Graph.N())
	if !w.Vertices("scc trim", a, func(lo, hi uint32, k *pregel.Worker) {
		s, arcs := &w.slots[k.Slot], 0
		for v := lo; v < hi; v++ {
			if w.marks[v] >= giant {
				continue
			}
			is, read := w.joined(out, v)
			arcs += read
			if is {
				is, read = w.joined(in, v)
				arcs += read
			}
			if is {
				s.propose(v, out.Degree(v)*in.Degree(v))
			} else {
				s.alone = append(s.alone, v)
			}
		}
		k.Arcs += uint64(arcs)
	}) {
		return 0, false
	}
	for i := range w.slots {
		s := &w.slots[i]
		for _, v := range s.alone {
			w.component[v], w.marks[v] = v, closed
		}
		s.count = len(s.alone)
	}
	return w.trimmed(), true
}

// propose makes v the pivot if it has more weight, or as much and is less.
func (s *slot) propose(v uint32, weight uint64) {
	if weight > s.weight || weight == s.weight && v < s.pivot {
		s.pivot, s.weight = v, weight
	}
}

// joined tells whether v has a neighbour among the vertices that may be in its
// component, and how many it has looked at.
func (w *work) joined(c graph.CSR, v uint32) (is bool, read int) {
	list := c.Neighbors(v)
	for i, u := range list {
		if u != v && w.marks[u] == w.marks[v] {
			return true, i + 1
		}
	}
	return false, len(list)
}
