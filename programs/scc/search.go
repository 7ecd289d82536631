package scc

import (
	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// search finds, from the pivot, the vertices marked from that are joined to it
// through such vertices, and marks them to.
type search struct {
	name     string
	pivot    uint32
	along    pregel.Along
	from, to mark
}

func (s search) Name() string { return s.name }

func (s search) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.SourceID[uint32](), Along: s.along}
}

func (s search) Init(v pregel.Vertex[mark]) (mark, bool) {
	if v.ID == s.pivot {
		return s.to, true
	}
	return v.Value, false
}

func (s search) Emit(v pregel.Vertex[mark]) uint32 { return v.ID }

func (s search) Apply(v pregel.Vertex[mark], _ uint32, _ bool) (mark, bool) {
	if v.Value != s.from {
		return v.Value, false
	}
	return s.to, true
}

func (s search) Settled(m mark) bool { return m != s.from }

// giant finds the component of the pivot.
func (w *work) giant() {
	if !w.Going() || w.open == 0 {
		return
	}
	if w.search(search{"scc forward", w.pivot, pregel.OutEdges, open, forward}) &&
		w.search(search{"scc backward", w.pivot, pregel.InEdges, forward, closed}) {
		w.collect()
	} else if w.Going() {
		w.reopen()
	}
}

// search runs s to its end. It returns false when the job has ended, or when
// the search had to be given up.
func (w *work) search(s search) bool {
	r, err := pregel.RunEdge(w.ctx, w.job, s, pregel.WithValues(w.marks), pregel.WithMaxSupersteps(searchLimit))
	if r.Stop.Reason == pregel.MaxSupersteps && !w.Spent() {
		return false
	}
	return w.Note(r.Stop, err)
}

// reopen takes back the marks of a search that was given up.
func (w *work) reopen() {
	w.Vertices("scc reopen", func(lo, hi uint32, _ *pregel.Worker) {
		for v := lo; v < hi; v++ {
			if w.component[v] == graph.None {
				w.marks[v] = open
			}
		}
	})
}

// collect gives the closed vertices without a component theirs: the pivot's.
func (w *work) collect() {
	for i := range w.slots {
		w.slots[i].least, w.slots[i].count = graph.None, 0
	}
	w.Vertices("scc collect", func(lo, hi uint32, k *pregel.Worker) {
		s := &w.slots[k.Slot]
		for v := lo; v < hi; v++ {
			if w.marks[v] == closed && w.component[v] == graph.None {
				s.least = min(s.least, v)
				s.count++
			}
		}
	})
	if !w.Going() {
		return
	}
	least := graph.None
	for i := range w.slots {
		least = min(least, w.slots[i].least)
		w.open -= w.slots[i].count
	}
	w.Vertices("scc label", func(lo, hi uint32, _ *pregel.Worker) {
		for v := lo; v < hi; v++ {
			if w.marks[v] == closed && w.component[v] == graph.None {
				w.component[v] = least
			}
		}
	})
}
