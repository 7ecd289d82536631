package scc

import (
	"bytes"
	"math/bits"

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

// InitBlock is Init for a block.
func (s search) InitBlock(b *pregel.Block[mark]) (awake, settled uint64) {
	if k := s.pivot - b.First.ID; k < uint32(len(b.Values)) {
		b.Values[k], awake = s.to, 1<<k
	}
	for k, m := range b.Values {
		done := uint64(0)
		if m != s.from {
			done = 1
		}
		settled |= done << k
	}
	return awake, settled
}

// ApplySet is Apply for a set of vertices.
func (s search) ApplySet(b *pregel.Block[mark], set uint64, _ []uint32) (awake, settled uint64) {
	for rest := set; rest != 0; rest &= rest - 1 {
		if m := &b.Values[bits.TrailingZeros64(rest)]; *m == s.from {
			*m = s.to
			awake |= rest & -rest
		}
	}
	return awake, set
}

func (s search) Settled(m mark) bool { return m != s.from }

// forward and backward find the component of the pivot.
func (w *work) forward() {
	w.search(search{"scc forward", w.at.Pivot, pregel.OutEdges, open, forward}, searchingBackward)
}

func (w *work) backward() {
	w.search(search{"scc backward", w.at.Pivot, pregel.InEdges, forward, giant}, labelling)
	if w.at.Stage == labelling {
		w.at.Least = uint32(bytes.IndexByte(w.marks, giant))
	}
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

// label names the pivot's component, whose least vertex is known.
func (w *work) label() {
	for i := range w.slots {
		w.slots[i].count = 0
	}
	least := w.at.Least
	if !w.Vertices("scc label", account(componentBytes+markBytes, 0, led{}), func(lo, hi uint32, k *pregel.Worker) {
		count, component := 0, w.component[lo:hi]
		for i, m := range w.marks[lo:hi][:len(component)] {
			c, one := component[i], 0
			if m == giant {
				c, one = least, 1
			}
			component[i] = c
			count += one
		}
		w.slots[k.Slot].count += count
	}) {
		return
	}
	size := 0
	for i := range w.slots {
		size += w.slots[i].count
	}
	w.at.Open -= size
	w.at.Found.add(1, size)
	w.more()
}
