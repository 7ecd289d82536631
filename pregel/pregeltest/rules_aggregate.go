package pregeltest

import (
	"fmt"
	"math"
	"sync/atomic"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// tally adds (id+1)·(s+2) for every vertex in Init (s = -1) and in each
// superstep, and counts where what it reads is not what had been added before.
type tally struct {
	persistent bool
	steps      int
	n          int64
	sum        *pregel.Aggregator[int64]
	greatest   *pregel.Aggregator[int64]
	bits       *pregel.Aggregator[uint64] // folded by a function
	wrong      atomic.Int64
	barriers   []string // what Barrier read wrongly
}

func (p *tally) Setup(s *pregel.Setup) error {
	p.n = int64(s.Graph.N())
	made := pregel.NewAggregator[int64]
	if p.persistent {
		made = pregel.NewPersistentAggregator[int64]
	}
	p.sum, p.greatest = made(s, pregel.Sum[int64]()), made(s, pregel.Max[int64]())
	p.bits = pregel.NewAggregator(s, pregel.Combine("xor", 0, func(a, b uint64) uint64 { return a ^ b }))
	return nil
}

// want is what the sum is when supersteps up to s have added to it, -2 being
// the time before Init.
func (p *tally) want(s int) (sum int64) {
	all := p.n * (p.n + 1) / 2
	for i := -1; i <= s; i++ {
		if p.persistent || i == s {
			sum += all * int64(i+2)
		}
	}
	return sum
}

func (p *tally) wantGreatest(s int) int64 {
	if s < -1 || p.n == 0 {
		return math.MinInt64
	}
	return p.n * int64(s+2)
}

func (p *tally) wantBits(s int) (x uint64) {
	for v := range p.n {
		if s >= -1 {
			x ^= mix(uint64(v), uint64(s+2))
		}
	}
	return x
}

// use reads, then adds, for the vertex at.
func (p *tally) use(at pregel.Place) {
	s := int(at.Superstep)
	p.read(s)
	p.sum.Add(at, int64(at.ID+1)*int64(s+2))
	p.greatest.Add(at, int64(at.ID+1)*int64(s+2))
	p.bits.Add(at, mix(uint64(at.ID), uint64(s+2)))
}

func (p *tally) read(s int) {
	if p.sum.Last() != p.want(s-1) || p.greatest.Last() != p.wantGreatest(s-1) {
		p.wrong.Add(1)
	}
}

func (p *tally) Barrier(s *pregel.Step) {
	if got, want := p.sum.Last(), p.want(s.Superstep); got != want {
		p.barriers = append(p.barriers, fmt.Sprintf("sum %d, want %d after superstep %d", got, want, s.Superstep))
	}
	if got, want := p.greatest.Last(), p.wantGreatest(s.Superstep); got != want {
		p.barriers = append(p.barriers, fmt.Sprintf("max %d, want %d after superstep %d", got, want, s.Superstep))
	}
	if got, want := p.bits.Last(), p.wantBits(s.Superstep); got != want {
		p.barriers = append(p.barriers, fmt.Sprintf("xor %x, want %x after superstep %d", got, want, s.Superstep))
	}
	if s.Superstep+1 == p.steps {
		s.Halt()
	}
}

func (p *tally) check(e *env, what string, values []int64) {
	e.Helper()
	for _, text := range p.barriers {
		e.Errorf("%s: in Barrier: %s", what, text)
	}
	if wrong := p.wrong.Load(); wrong > 0 {
		e.Errorf("%s: %d reads were not of the superstep before", what, wrong)
	}
	if len(values) != int(p.n) {
		e.Errorf("%s: %d values of %d", what, len(values), p.n)
	}
}

// edgeTally tallies in Init and Apply, and reads in Emit.
type edgeTally struct{ *tally }

func (edgeTally) Spec() pregel.Spec[int64] {
	return pregel.Spec[int64]{Combine: pregel.Sum[int64](), Silent: true}
}
func (p edgeTally) Init(v pregel.Vertex[int64]) (int64, bool) { p.use(v.Place); return 0, true }
func (p edgeTally) Emit(v pregel.Vertex[int64]) int64         { p.read(int(v.Superstep)); return 1 }
func (p edgeTally) Apply(v pregel.Vertex[int64], _ int64, _ bool) (int64, bool) {
	p.use(v.Place)
	return 0, true
}

// vertexTally tallies in Init and Compute.
type vertexTally struct{ *tally }

func (p vertexTally) Init(v pregel.Vertex[int64]) (int64, bool) { p.use(v.Place); return 0, true }
func (p vertexTally) Compute(c *pregel.Context[int64, int64], _ []int64) {
	p.use(c.Place)
}

func tallies(s *suite, persistent bool) {
	r := newRand(s.seed)
	graphs := []*graph.Graph{arcList{}.build(form{}, nil), randomArcs(r, 64, 100).random(form{directed: true}, r),
		randomArcs(r, 3000, 9000).random(form{}, r)}
	s.each(func(e *env) {
		for _, g := range graphs {
			edge := edgeTally{&tally{persistent: persistent, steps: 5}}
			edge.check(e, "edge program", runEdge(e, g, edge).Values)
			vertex := vertexTally{&tally{persistent: persistent, steps: 5}}
			vertex.check(e, "vertex program", runVertex(e, g, vertex).Values)
		}
	})
}

func aggregatorsNextStep(s *suite)   { tallies(s, false) }
func persistentAggregators(s *suite) { tallies(s, true) }

// A rounder adds numbers of very different sizes, so that every other order of
// adding shows, while its frontier shrinks from a bitmap to a list.
type rounder struct {
	sum  *pregel.Aggregator[float64]
	ever *pregel.Aggregator[float32]
	seen []float64 // by superstep
}

func (p *rounder) Setup(s *pregel.Setup) error {
	p.sum = pregel.NewAggregator(s, pregel.Sum[float64]())
	p.ever = pregel.NewPersistentAggregator(s, pregel.Sum[float32]())
	return nil
}

func (p *rounder) add(at pregel.Place) {
	h := mix(uint64(at.ID), uint64(at.Superstep+1))
	x := float64(h%100_000) * math.Pow(10, float64(h>>40%30)-15)
	p.sum.Add(at, x)
	p.ever.Add(at, float32(x))
}

func (p *rounder) Barrier(*pregel.Step) {
	p.seen = append(p.seen, p.sum.Last(), float64(p.ever.Last()))
}

// goesOn tells whether a vertex stays awake: fewer do in each superstep.
func (p *rounder) goesOn(at pregel.Place) bool {
	return mix(uint64(at.ID))%(1<<uint(3*at.Superstep+3)) == 0 && at.Superstep < 5
}

type edgeRounder struct{ *rounder }

func (edgeRounder) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.SourceID[uint32]()}
}
func (p edgeRounder) Init(v pregel.Vertex[uint8]) (uint8, bool) { p.add(v.Place); return 0, true }
func (edgeRounder) Emit(pregel.Vertex[uint8]) uint32            { return 0 }
func (p edgeRounder) Apply(v pregel.Vertex[uint8], _ uint32, _ bool) (uint8, bool) {
	p.add(v.Place)
	return 0, p.goesOn(v.Place)
}

type vertexRounder struct{ *rounder }

func (p vertexRounder) Init(v pregel.Vertex[uint8]) (uint8, bool) { p.add(v.Place); return 0, true }
func (p vertexRounder) Compute(c *pregel.Context[uint8, uint8], _ []uint8) {
	p.add(c.Place)
	if !p.goesOn(c.Place) {
		c.VoteToHalt()
		return
	}
	c.SendAll(1)
}

// floatAggregators compares what was added up, to the last bit, with what the
// first configuration gave, and roughly with the truth.
func floatAggregators(s *suite) {
	r := newRand(s.seed)
	g := randomArcs(r, 20_000, 60_000).random(form{directed: true}, r)
	truth := &rounder{}
	Reference(g, edgeRounder{truth}, nil, 0)
	var edges, vertices []float64
	s.each(func(e *env) {
		p := &rounder{}
		runEdge(e, g, edgeRounder{p})
		sameSums(e, "edge program", p.seen, &edges)
		if text := difference(p.seen, truth.seen, func(a, b float64) bool { return near(a, b, 1e-3) }); text != "" {
			e.Errorf("edge program, supersteps for vertices: %s", text)
		}
		p = &rounder{}
		runVertex(e, g, vertexRounder{p})
		sameSums(e, "vertex program", p.seen, &vertices)
	})
}

func sameSums(e *env, what string, got []float64, first *[]float64) {
	e.Helper()
	if *first == nil {
		*first = got
	}
	if text := differs(got, *first); text != "" {
		e.Errorf("%s: another configuration added up otherwise (numbers by superstep): %s", what, text)
	}
}
