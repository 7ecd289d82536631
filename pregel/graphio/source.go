package graphio

import (
	"bytes"
	"context"
	"sync"
	"sync/atomic"

	"gopregel/pregel/graph"
	"gopregel/pregel/parallel"
)

// A source gives graph.Build the arcs of a text. A plain file is parsed again
// each time, so that its arcs are never all in memory. What can be read only
// once, or is dear to read again (compressed files, pipes), or whose ids are
// strings, is held in memory after the first pass: 8 bytes an arc and 4 for a
// weight, or 16 and 4 where ids are beyond 32 bits.
type source struct {
	text    *text
	parser  parser
	workers int
	hold    bool

	mu    sync.Mutex
	held  []held
	lists []lists // of the blocks, where lines are lists
	arcs  int64   // lines that are arcs; entries of lists
	rows  int     // lines that are lists
	point bool    // a weight is no integer
	wide  error   // of the first weight beyond int32
	index int     // of its block
	kind  graph.WeightKind

	numbering  numbering
	countLoops bool
	loops      atomic.Int64 // in the arcs given last
	scratch    []scratch    // of the workers
}

type scratch struct {
	batch
	u32, v32 []uint32
}

// lists tells of the lines of one block that were lists, counted from 1.
type lists struct {
	rows   int // how many there were; u of a batch counts them
	filled int // the last that was not empty
	bare   int // the first that was
	before int // lists in the blocks before
}

// newSource makes the first pass over the text: it parses every line, asks the
// census about every id, and learns the type of the weights.
func newSource(ctx context.Context, t *text, p parser, mode weightMode, workers int, hold bool, c census) (*source, error) {
	s := &source{text: t, parser: p.withWeights(mode), workers: parallel.Workers(workers), hold: hold || !t.plain}
	s.scratch = make([]scratch, s.workers)
	err := t.blocks(ctx, s.workers, func(w int, b *block) error {
		k := &s.scratch[w].batch
		k.reset()
		if f := s.parser.parse(b.text, k); f != nil {
			return t.fault(b, f)
		}
		if i, problem := c.see(w, k); i >= 0 {
			return t.fault(b, &fault{s.locate(b.text, i), problem})
		}
		s.note(b, k)
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.sumLists()
	return s, s.settleWeights(mode)
}

// locate returns where in the text the line of arc i begins.
func (s *source) locate(text []byte, i int) (at int) {
	var k batch
	for {
		end := at + bytes.IndexByte(text[at:], '\n') + 1
		if f := s.parser.parse(text[at:end], &k); f != nil || len(k.u) > i || end == len(text) {
			return at
		}
		at = end
	}
}

// note adds what a batch tells to what is known of the file.
func (s *source) note(b *block, k *batch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.arcs += int64(len(k.u))
	s.point = s.point || k.point
	if k.wide != nil && (s.wide == nil || b.index < s.index) {
		s.wide, s.index = s.text.fault(b, k.wide), b.index
	}
	if k.rows > 0 {
		for len(s.lists) <= b.index {
			s.lists = append(s.lists, lists{})
		}
		s.lists[b.index] = k.lists
	}
	if s.hold && len(k.u) > 0 {
		s.held = append(s.held, hold(k, b.index))
	}
}

func (s *source) sumLists() {
	for i := range s.lists {
		s.lists[i].before = s.rows
		s.rows += s.lists[i].rows
	}
}

// settleWeights fixes the type of the weights for the passes to come.
func (s *source) settleWeights(mode weightMode) error {
	if mode == findWeights {
		mode = intWeights
		if s.point {
			mode = floatWeights
		} else if s.wide != nil {
			return s.wide
		}
		s.parser = s.parser.withWeights(mode)
	}
	switch mode {
	case intWeights:
		s.kind = graph.Int32
	case floatWeights:
		s.kind = graph.Float32
	}
	return nil
}

// Arcs gives the arcs as vertices of s.numbering.
func (s *source) Arcs(ctx context.Context, workers int, yield func(graph.Block) error) error {
	s.loops.Store(0)
	if s.hold {
		return s.heldArcs(ctx, workers, yield)
	}
	return s.text.blocks(ctx, min(workers, s.workers), func(w int, b *block) error {
		k := &s.scratch[w]
		k.reset()
		if f := s.parser.parse(b.text, &k.batch); f != nil {
			return s.text.fault(b, f)
		}
		return s.give(k, b.index, yield)
	})
}

// give passes the arcs of a batch on as vertices.
func (s *source) give(k *scratch, index int, yield func(graph.Block) error) error {
	if index < len(s.lists) {
		for i := range k.u {
			k.u[i] += uint64(s.lists[index].before)
		}
	}
	n := len(k.u)
	if cap(k.u32) < n {
		k.u32, k.v32 = make([]uint32, n+n/8), make([]uint32, n+n/8)
	}
	b := graph.Block{U: k.u32[:n], V: k.v32[:n]}
	if s.numbering.vertices(k.u, b.U) >= 0 || s.numbering.vertices(k.v, b.V) >= 0 {
		return s.text.failAll("changed while it was read")
	}
	switch {
	case s.kind == graph.Int32:
		b.Weights.Int = k.ints[:n]
	case s.kind == graph.Float32:
		k.toFloats()
		b.Weights.Float = k.floats[:n]
	}
	if s.countLoops {
		s.addLoops(b)
	}
	return yield(b)
}

func (s *source) addLoops(b graph.Block) {
	var loops int64
	for i, u := range b.U {
		if u == b.V[i] {
			loops++
		}
	}
	s.loops.Add(loops)
}
