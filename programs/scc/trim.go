package scc

import (
	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// slot is what one worker has found in a phase.
type slot struct {
	alone  []uint32 // vertices that are components alone
	pivot  uint32
	weight float64 // of the pivot; -1: none found
	least  uint32  // vertex of the pivot's component
	count  int     // of its vertices
	_      [64]byte
}

// trimFirst takes the vertices that are alone by their degrees.
func (w *work) trimFirst() {
	if _, ok := w.trim(w.ends); ok && w.at.Open > 0 {
		w.at.Stage = searchingForward
	} else if ok {
		w.rest(led{})
	}
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
	count, ok := w.trim(w.joined)
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
// depend on who does what. joined also tells how many arcs it has read.
func (w *work) trim(joined func(c graph.CSR, v uint32) (is bool, read int)) (count int, ok bool) {
	for i := range w.slots {
		w.slots[i] = slot{alone: w.slots[i].alone[:0], weight: -1}
	}
	out, in := w.job.Graph.Out(), w.job.Graph.In()
	a := account(markBytes, markBytes, w.at.Led)
	if a.Widths.Beside = offsetsBytes * uint64(w.job.Graph.N()); w.at.Stage == trimming {
		a.Widths.Beside *= 2 // of both lists offsets alone are read
	}
	ok = w.Vertices("scc trim", a, func(lo, hi uint32, k *pregel.Worker) {
		s, arcs := &w.slots[k.Slot], 0
		for v := lo; v < hi; v++ {
			if w.marks[v] == closed {
				continue
			}
			is, read := joined(out, v)
			arcs += read
			if is {
				is, read = joined(in, v)
				arcs += read
			}
			if is {
				s.propose(v, float64(out.Degree(v))*float64(in.Degree(v)))
			} else {
				s.alone = append(s.alone, v)
			}
		}
		k.Arcs += uint64(arcs)
	})
	if !ok {
		return 0, false
	}
	best := &w.slots[0]
	for i := range w.slots {
		s := &w.slots[i]
		for _, v := range s.alone {
			w.component[v], w.marks[v] = v, closed
		}
		count += len(s.alone)
		best.propose(s.pivot, s.weight)
	}
	w.at.Pivot = best.pivot
	w.at.Open -= count
	return count, true
}

// propose makes v the pivot if it has more weight, or as much and is less.
func (s *slot) propose(v uint32, weight float64) {
	if weight > s.weight || weight == s.weight && v < s.pivot {
		s.pivot, s.weight = v, weight
	}
}

// ends is the test of the first round, when all vertices are open: it reads no
// arcs.
func (w *work) ends(c graph.CSR, v uint32) (is bool, read int) { return c.Degree(v) > 0, 0 }

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
