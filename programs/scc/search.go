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

// forward and backward find the component of the pivot.
func (w *work) forward() {
	w.search(search{"scc forward", w.at.Pivot, pregel.OutEdges, open, forward}, searchingBackward)
}

func (w *work) backward() {
	w.search(search{"scc backward", w.at.Pivot, pregel.InEdges, forward, closed}, collecting)
}

// search runs s to its end, or until it has to be given up.
func (w *work) search(s search, next stage) {
	r, err := pregel.RunEdge(w.ctx, w.job, s, pregel.WithValues(w.marks), pregel.WithMaxSupersteps(searchLimit))
	switch {
	case r.Stop.Reason == pregel.MaxSupersteps && !w.Spent():
		w.at.Stage, w.at.Led = reopening, led{gaveUp, uint64(r.Stop.Supersteps), searchLimit}
	case w.Note(r.Stop, err):
		w.at.Stage = next
	}
}

// reopen takes back the marks of a search that was given up.
func (w *work) reopen() {
	if w.Vertices("scc reopen", account(componentBytes+markBytes, 0, w.at.Led), func(lo, hi uint32, _ *pregel.Worker) {
		for v := lo; v < hi; v++ {
			if w.component[v] == graph.None {
				w.marks[v] = open
			}
		}
	}) {
		w.more()
	}
}

// collect finds the name of the pivot's component: of the closed vertices without one.
func (w *work) collect() {
	for i := range w.slots {
		w.slots[i].least, w.slots[i].count = graph.None, 0
	}
	if !w.Vertices("scc collect", account(componentBytes+markBytes, 0, led{}), func(lo, hi uint32, k *pregel.Worker) {
		s := &w.slots[k.Slot]
		for v := lo; v < hi; v++ {
			if w.marks[v] == closed && w.component[v] == graph.None {
				s.least = min(s.least, v)
				s.count++
			}
		}
	}) {
		return
	}
	w.at.Least = graph.None
	for i := range w.slots {
		w.at.Least = min(w.at.Least, w.slots[i].least)
		w.at.Open -= w.slots[i].count
	}
	w.at.Stage = labelling
}

// label gives them that name.
func (w *work) label() {
	least := w.at.Least
	if w.Vertices("scc label", account(componentBytes+markBytes, 0, led{}), func(lo, hi uint32, _ *pregel.Worker) {
		for v := lo; v < hi; v++ {
			if w.marks[v] == closed && w.component[v] == graph.None {
				w.component[v] = least
			}
		}
	}) {
		w.more()
	}
}
