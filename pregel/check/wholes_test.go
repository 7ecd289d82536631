package check_test

import (
	"math/bits"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// reached spreads the least neighbour from vertex 0, from which it may start by Seeds,
// and by sets.
type reached struct{}

func (reached) Name() string { return "reached" }
func (reached) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.SourceID[uint32]()}
}
func (reached) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	if v.ID == 0 {
		return 0, true
	}
	return graph.None, false
}
func (reached) Emit(v pregel.Vertex[uint32]) uint32 { return v.ID }
func (reached) Settled(x uint32) bool               { return x != graph.None }
func (reached) Apply(v pregel.Vertex[uint32], from uint32, _ bool) (uint32, bool) {
	if v.Value != graph.None {
		return v.Value, false
	}
	return from, true
}

func (reached) Seeds() (uint32, []uint32) { return graph.None, []uint32{0} }

func (reached) ApplySet(b *pregel.Block[uint32], set uint64, messages []uint32) (awake, settled uint64) {
	for rest := set; rest != 0; rest &= rest - 1 {
		if k := bits.TrailingZeros64(rest); b.Values[k] == graph.None {
			b.Values[k] = messages[k]
			awake |= rest & -rest
		}
	}
	return awake, set
}

// lands counts the steps from vertex 0, and says what becomes of who is reached.
type lands struct{ reached }

func (lands) Name() string { return "lands" }
func (lands) Apply(v pregel.Vertex[uint32], _ uint32, _ bool) (uint32, bool) {
	if v.Value != graph.None {
		return v.Value, false
	}
	return uint32(v.Superstep) + 1, true
}
func (p lands) ApplySet(b *pregel.Block[uint32], set uint64, _ []uint32) (awake, settled uint64) {
	for rest := set; rest != 0; rest &= rest - 1 {
		if k := bits.TrailingZeros64(rest); b.Values[k] == graph.None {
			b.Values[k] = uint32(b.First.Superstep) + 1
			awake |= rest & -rest
		}
	}
	return awake, set
}
func (lands) Arrive(superstep int32, _ uint32) uint32 { return uint32(superstep) + 1 }

// late is lands, but says that it takes a step more.
type late struct{ lands }

func (late) Arrive(superstep int32, _ uint32) uint32 { return uint32(superstep) + 2 }

// strayed starts from another vertex by its Seeds than by Init.
type strayed struct{ reached }

func (strayed) Seeds() (uint32, []uint32) { return graph.None, []uint32{0, 1} }
func (s strayed) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	if v.ID == 2 {
		return 7, true
	}
	return s.reached.Init(v)
}

// slips leaves the first vertex of a set of two as it was.
type slips struct{ reached }

func (s slips) ApplySet(b *pregel.Block[uint32], set uint64, messages []uint32) (awake, settled uint64) {
	if bits.OnesCount64(set) > 1 {
		set &= set - 1
	}
	return s.reached.ApplySet(b, set, messages)
}

// begun is lands, but awakes another vertex in the first block than Init does.
type begun struct{ ending }

// ending is lands without a word of seeds.
type ending struct{}

func (ending) Name() string                                { return "begun" }
func (ending) Spec() pregel.Spec[uint32]                   { return lands{}.Spec() }
func (ending) Init(v pregel.Vertex[uint32]) (uint32, bool) { return lands{}.Init(v) }
func (ending) Emit(v pregel.Vertex[uint32]) uint32         { return v.ID }
func (ending) Apply(v pregel.Vertex[uint32], m uint32, got bool) (uint32, bool) {
	return lands{}.Apply(v, m, got)
}

func (begun) InitBlock(b *pregel.Block[uint32]) (awake, settled uint64) {
	for k := range b.Values {
		b.Values[k] = graph.None
	}
	if b.First.ID == 0 {
		b.Values[len(b.Values)-1], awake = 0, 1<<(len(b.Values)-1)
	}
	return awake, awake
}

// hasty says that its offers hang on the vertex alone, but adds what all have counted.
type hasty struct{ seen *pregel.Aggregator[uint32] }

func (*hasty) Name() string { return "hasty" }
func (*hasty) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Sum[uint32](), Silent: true, Local: true}
}
func (p *hasty) Setup(s *pregel.Setup) error {
	p.seen = pregel.NewAggregator(s, pregel.Sum[uint32]())
	return nil
}
func (*hasty) Init(pregel.Vertex[uint32]) (uint32, bool) { return 1, true }
func (p *hasty) Emit(v pregel.Vertex[uint32]) uint32     { return v.Value + p.seen.Last() }
func (p *hasty) Apply(v pregel.Vertex[uint32], sum uint32, _ bool) (uint32, bool) {
	p.seen.Add(v.Place, sum)
	return v.Value + sum, v.Superstep < 4
}

// soaks is a program of the test's that says it absorbs its messages.
type soaks struct{ parts[uint32, uint32] }

func (soaks) Absorbs() bool { return true }

// forgets is least, but wakes nobody whom the least number has reached.
func forgets() soaks {
	p := soaks{least()}
	p.apply = func(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
		return min(v.Value, m), m < v.Value && m > 0
	}
	return p
}

// boasts is least of offers that are less than values.
func boasts() soaks {
	p := soaks{least()}
	p.emit = func(v pregel.Vertex[uint32]) uint32 { return v.Value / 2 }
	return p
}

// sweeps is a program with loops over its own functions.
type sweeps struct {
	pregel.EdgeProgram[uint32, uint32]
}

func (p sweeps) InitSweep(s *pregel.Sweep[uint32, uint32]) {
	for i, v := range s.Vertices() {
		s.Values[i], s.Awake[i] = p.Init(v)
	}
}
func (p sweeps) EmitSweep(s *pregel.Sweep[uint32, uint32]) {
	for i, v := range s.Vertices() {
		s.Offers[i] = p.Emit(v)
	}
}
func (p sweeps) ApplySweep(s *pregel.Sweep[uint32, uint32]) {
	for i, v := range s.Vertices() {
		s.Values[i], s.Awake[i] = p.Apply(v, s.Messages[i], s.Got(i))
	}
}

// hurries leaves out some.
type hurries struct{ sweeps }

func (p hurries) ApplySweep(s *pregel.Sweep[uint32, uint32]) {
	for i, v := range s.Vertices() {
		if s.Values[i], s.Awake[i] = p.Apply(v, s.Messages[i], s.Got(i)); i == 5 {
			return
		}
	}
}
