package programs_test

import (
	"math"
	"math/bits"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/runtime/cpu"
)

// This file has what BenchmarkOwn times beside the built-in programs: PageRank, BFS and SSSP as a user writes them, from
// functions for one vertex and one arc up to loops over many, so that each way's cost shows; and TestOwn, by which
// all of them have the right answer. Receivers are pointers, as an EdgeProgram's comment has it.

// ranks is PageRank as one writes it at first, with a combiner of one's choice.
type ranks struct {
	combine pregel.Monoid[float64]
	edge    pregel.EdgeOp[float64]
}

func (p *ranks) Spec() pregel.Spec[float64] {
	return pregel.Spec[float64]{Combine: p.combine, Edge: p.edge, Silent: true}
}
func (*ranks) Init(v pregel.Vertex[float64]) (float64, bool) { return 1, true }
func (*ranks) Emit(v pregel.Vertex[float64]) float64         { return pregel.Share(v) }
func (*ranks) Apply(_ pregel.Vertex[float64], sum float64, _ bool) (float64, bool) {
	return 0.15 + 0.85*sum, true
}

// rankBlocks is ranks with the calls for many vertices at a time.
type rankBlocks struct{ ranks }

func (*rankBlocks) EmitBlock(b *pregel.Block[float64], offers []float64) { pregel.Shares(b, offers) }
func (*rankBlocks) ApplyBlock(b *pregel.Block[float64], sums []float64, awake []uint64) {
	for i, sum := range sums {
		b.Values[i] = 0.15 + 0.85*sum
	}
	for k := range awake {
		awake[k] = math.MaxUint64
	}
}

// rankSweeps is ranks with loops over its own functions.
type rankSweeps struct{ ranks }

func (p *rankSweeps) InitSweep(s *pregel.Sweep[float64, float64]) {
	for i, v := range s.Vertices() {
		s.Values[i], s.Awake[i] = p.Init(v)
	}
}
func (p *rankSweeps) EmitSweep(s *pregel.Sweep[float64, float64]) {
	for i, v := range s.Vertices() {
		s.Offers[i] = p.Emit(v)
	}
}
func (p *rankSweeps) ApplySweep(s *pregel.Sweep[float64, float64]) {
	for i, v := range s.Vertices() {
		s.Values[i], s.Awake[i] = p.Apply(v, s.Messages[i], s.Got(i))
	}
}

// rankRows is rankBlocks by functions, of one, with a loop over rows.
type rankRows struct{ rankBlocks }

func (*rankRows) Gather(r *pregel.Rows[float64]) {
	offers := r.Offers
	for i, us := range r.All() {
		sum := 0.0
		for _, u := range us {
			sum += offers[u]
		}
		r.Messages[i], r.Got[i] = sum, len(us) > 0
	}
}

// hops is BFS without parents.
type hops struct {
	source  uint32
	combine pregel.Monoid[uint32]
	edge    pregel.EdgeOp[uint32]
}

func (p *hops) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: p.combine, Edge: p.edge}
}
func (p *hops) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	if v.ID == p.source {
		return 0, true
	}
	return math.MaxUint32, false
}
func (*hops) Emit(v pregel.Vertex[uint32]) uint32 { return v.Value + 1 }
func (*hops) Apply(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
	return min(v.Value, m), m < v.Value
}
func (*hops) Settled(x uint32) bool { return x != math.MaxUint32 }

// hopSets is hops where the first message says all, and with all that an engine can be told.
type hopSets struct{ hops }

func (*hopSets) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.SourceID[uint32]()}
}
func (p *hopSets) Seeds() (uint32, []uint32)             { return math.MaxUint32, []uint32{p.source} }
func (*hopSets) Arrive(superstep int32, _ uint32) uint32 { return uint32(superstep) + 1 }
func (*hopSets) Apply(v pregel.Vertex[uint32], _ uint32, _ bool) (uint32, bool) {
	return min(v.Value, uint32(v.Superstep)+1), v.Value == math.MaxUint32
}
func (*hopSets) ApplySet(b *pregel.Block[uint32], set uint64, _ []uint32) (awake, settled uint64) {
	for rest := set; rest != 0; rest &= rest - 1 {
		if x := &b.Values[bits.TrailingZeros64(rest)]; *x == math.MaxUint32 {
			*x, awake = uint32(b.First.Superstep)+1, awake|rest&-rest
		}
	}
	return awake, set
}

// hopBlocks is hops with the start, and the calls for many vertices at a time.
type hopBlocks struct{ hops }

func (p *hopBlocks) Seeds() (uint32, []uint32) { return math.MaxUint32, []uint32{p.source} }
func (*hopBlocks) ApplySet(b *pregel.Block[uint32], set uint64, messages []uint32) (awake, settled uint64) {
	for rest := set; rest != 0; rest &= rest - 1 {
		k := bits.TrailingZeros64(rest)
		if m := messages[k]; m < b.Values[k] {
			b.Values[k], awake = m, awake|rest&-rest
		}
	}
	return awake, set
}

// hopRows is hopBlocks with a loop over rows, of which the first message says all.
type hopRows struct{ hopBlocks }

func (*hopRows) Gather(r *pregel.Rows[uint32]) {
	for i, us := range r.All() {
		for _, u := range us {
			if r.Awake(u) {
				r.Messages[i], r.Got[i] = r.Offers[u], true
				break
			}
		}
	}
}

// lengths is SSSP, in buckets, relaxed.
type lengths struct {
	source  uint32
	step    float64 // of a bucket
	combine pregel.Monoid[float64]
	edge    pregel.EdgeOp[float64]
}

func (p *lengths) Spec() pregel.Spec[float64] {
	return pregel.Spec[float64]{Combine: p.combine, Edge: p.edge}
}
func (p *lengths) Init(v pregel.Vertex[float64]) (float64, bool) {
	if v.ID == p.source {
		return 0, true
	}
	return math.Inf(1), false
}
func (*lengths) Emit(v pregel.Vertex[float64]) float64 { return v.Value }
func (*lengths) Apply(v pregel.Vertex[float64], m float64, _ bool) (float64, bool) {
	return min(v.Value, m), m < v.Value
}
func (p *lengths) Priority(x float64) uint64 { return uint64(x / p.step) }
func (*lengths) Relaxes() bool               { return true }

// lengthsKept is lengths with all that an engine can be told.
type lengthsKept struct{ lengths }

func (*lengthsKept) Absorbs() bool                { return true }
func (p *lengthsKept) Seeds() (float64, []uint32) { return math.Inf(1), []uint32{p.source} }

func sum(a, b float64) float64                                 { return a + b }
func same(x float64, _, _ uint32, _ float64) (float64, bool)   { return x, true }
func step(x uint32, _, _ uint32, _ float64) (uint32, bool)     { return x, true }
func longer(x float64, _, _ uint32, w float64) (float64, bool) { return x + w, true }

func least() pregel.Monoid[uint32] {
	m := pregel.Combine("least", math.MaxUint32, func(a, b uint32) uint32 { return min(a, b) })
	m.Idempotent = true
	return m
}

func nearer() pregel.Monoid[float64] {
	m := pregel.Combine("nearer", math.Inf(1), func(a, b float64) float64 { return min(a, b) })
	m.Idempotent = true
	return m
}

// weightless makes an operation of a function that does without weights, and says so.
func weightless[M any](name string, f func(x M, u, v uint32, w float64) (M, bool)) pregel.EdgeOp[M] {
	e := pregel.EdgeFunc(name, f)
	e.Weightless = true
	return e
}

// manyRanks is ranks by functions, which are there for many at a time too.
func manyRanks() ranks {
	p := ranks{pregel.Combine("plus", 0, sum), weightless("same", same)}
	p.combine.Many = func(as, bs []float64) {
		as = as[:len(bs)]
		for i, b := range bs {
			as[i] += b
		}
	}
	p.edge.Many = func(*pregel.Arcs[float64]) {}
	return p
}

// manyHops is hops likewise.
func manyHops(source uint32) hops {
	p := hops{source, least(), weightless("step", step)}
	p.combine.Many = func(as, bs []uint32) {
		as = as[:len(bs)]
		for i, b := range bs {
			as[i] = min(as[i], b)
		}
	}
	p.edge.Many = func(*pregel.Arcs[uint32]) {}
	return p
}

// manyLengths is lengths likewise.
func manyLengths(source uint32, step float64) lengths {
	p := lengths{source, step, nearer(), pregel.EdgeFunc("longer", longer)}
	p.combine.Many = func(as, bs []float64) {
		as = as[:len(bs)]
		for i, b := range bs {
			as[i] = min(as[i], b)
		}
	}
	p.edge.Many = func(a *pregel.Arcs[float64]) {
		weights, messages := a.Weights(), a.Messages
		for i := range messages {
			messages[i] += weights[i]
		}
	}
	return p
}

// What is compared with each other has the right answer.
func TestOwn(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "kronecker", Scale: 9, EdgeFactor: 4}, graphgen.Options{Weights: graphgen.HashWeights})
	if err != nil {
		t.Fatal(err)
	}
	source, _ := g.Out().MaxDegree() // another may reach nobody
	plus := pregel.Combine("plus", 0, sum)
	sums := ranks{combine: pregel.Sum[float64]()}
	rightOwn(t, g, 10, rightRanks(g), &sums, &rankSweeps{sums}, &rankBlocks{sums}, &ranks{plus, pregel.EdgeFunc("same", same)}, &rankBlocks{manyRanks()},
		&rankRows{rankBlocks{ranks{plus, weightless("same", same)}}}, &rankRows{rankBlocks{ranks{combine: plus}}})
	depths := hops{source: source, combine: pregel.Min[uint32]()}
	rightOwn(t, g, 0, rightHops(t.Context(), g, source), &depths, &hopSets{depths}, &hops{source, least(), pregel.EdgeFunc("step", step)},
		&hops{source, pregel.Any[uint32](), pregel.EdgeFunc("step", step)}, &hopBlocks{hops{source, pregel.Any[uint32](), weightless("step", step)}}, new(manyHops(source)), &hopBlocks{manyHops(source)}, &hopRows{hopBlocks{manyHops(source)}})
	ways := lengths{source, 9, pregel.Min[float64](), pregel.PlusWeight[float64]()}
	rightOwn(t, g, 0, rightLengths(t.Context(), g, source), &ways, &lengthsKept{ways}, &lengths{source, 9, nearer(), pregel.EdgeFunc("longer", longer)}, new(manyLengths(source, 9)), &lengthsKept{manyLengths(source, 9)})
}

func rightOwn[V pregel.Number, M any](t *testing.T, g *graph.Graph, most int, right func([]V) error, programs ...pregel.EdgeProgram[V, M]) {
	t.Helper()
	for _, p := range programs {
		got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2}), MaxSupersteps: most}, p)
		if err == nil {
			err = right(got.Values)
		}
		if err != nil {
			t.Fatalf("%T: %v", p, err)
		}
	}
}
