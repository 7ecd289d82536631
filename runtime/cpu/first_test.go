package cpu_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// gossip goes out from some vertices: each vertex takes any message, in as many supersteps as its id says
// at the most, and is awake after each but every fifth vertex. What is offered says who and in which state, so
// that it can be told whom a message is of and when it was made. All calls are noted.
type gossip struct {
	seeds uint32
	most  uint32 // messages that a vertex takes
	edge  pregel.EdgeOp[uint64]
	along pregel.Along

	mu  sync.Mutex
	log map[int32]*gossiped // by superstep
}

// hearsay is how many messages a vertex has taken, and the last.
type hearsay struct {
	had  uint32
	last uint64
}

// gossiped is what was called in a superstep.
type gossiped struct {
	offers  map[uint32]uint64
	applies map[uint32]call
	twice   []uint32 // vertices called twice
}

type call struct {
	message       uint64
	before, after hearsay
	awake         bool
}

func (p *gossip) at(superstep int32) *gossiped {
	if p.log[superstep] == nil {
		p.log[superstep] = &gossiped{map[uint32]uint64{}, map[uint32]call{}, nil}
	}
	return p.log[superstep]
}

func (p *gossip) Spec() pregel.Spec[uint64] {
	return pregel.Spec[uint64]{Combine: pregel.Any[uint64](), Edge: p.edge, Along: p.along}
}
func (p *gossip) Init(v pregel.Vertex[hearsay]) (hearsay, bool) { return hearsay{}, v.ID%p.seeds == 0 }
func (p *gossip) Emit(v pregel.Vertex[hearsay]) uint64 {
	x := uint64(v.ID)<<40 | uint64(v.Value.had)<<36 | uint64(v.OutDegree)<<12
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.at(v.Superstep)
	if _, is := at.offers[v.ID]; is {
		at.twice = append(at.twice, v.ID)
	}
	at.offers[v.ID] = x
	return x
}
func (p *gossip) Apply(v pregel.Vertex[hearsay], m uint64, got bool) (hearsay, bool) {
	c := call{m, v.Value, hearsay{v.Value.had + 1, m}, v.ID%5 != 3}
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.at(v.Superstep)
	if _, is := at.applies[v.ID]; is || !got {
		at.twice = append(at.twice, v.ID)
	}
	at.applies[v.ID] = c
	return c.after, c.awake
}
func (p *gossip) Settled(x hearsay) bool { return x.had >= p.most || x.had > 0 && x.last>>40%3 == 0 }

// Where any message will do, by all kinds of operations on arcs, each vertex that is sent to and is not settled
// takes one that was sent to it in the superstep, along one of its arcs, of an offer made by values of the superstep
// before; and nobody else takes any, or makes an offer twice.
func TestFirstComes(t *testing.T) {
	r := newSeed(t)
	edges := []pregel.EdgeOp[uint64]{pregel.Copy[uint64](), pregel.PlusWeight[uint64](),
		pregel.EdgeFunc("arc", func(x uint64, u, v uint32, w float64) (uint64, bool) { return x + uint64(w), (u+v+uint32(w))%4 != 0 })}
	blind := edges[2]
	blind.Weightless = true
	edges = append(edges, blind)
	whole := 0
	for name, g := range landscapes(t, r) {
		for i, edge := range edges {
			if r.IntN(2) == 0 {
				g = g.WithWeights(func(u, v uint32) int32 { return int32((u^v)*31%90) + 1 })
			}
			for _, workers := range race.Workers(1, 2, 3) {
				shares, d := r.IntN(4), pregel.Direction(r.IntN(2))
				p := &gossip{seeds: 1 + r.Uint32N(uint32(g.N())), most: 1 + r.Uint32N(3), edge: edge, along: pregel.Along(r.IntN(2)), log: map[int32]*gossiped{}}
				if i >= 2 && r.IntN(2) == 0 {
					p.seeds, p.most = 1+r.Uint32N(40), 1 // many at once
				}
				what := fmt.Sprintf("%s, %s, seeds %d, most %d, along %d, %d workers, %d shares, direction %v", name, edge.Name, p.seeds, p.most, p.along, workers, shares, d)
				e := cpu.New(cpu.Options{Workers: workers, Direction: d})
				e.Share(shares)
				j := &pregel.Job{Graph: g, Engine: e, Detail: func(s *pregel.StepRecord) {
					if s.Detail.Whole != "" {
						whole++
					}
				}}
				got, err := pregel.RunEdge(t.Context(), j, p)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				p.check(t, what, g, got.Values, got.Stop.Supersteps)
			}
		}
	}
	if whole == 0 {
		t.Error("no superstep was pushed and applied in one")
	}
}

// check goes through the log, superstep by superstep.
func (p *gossip) check(t *testing.T, what string, g *graph.Graph, values []hearsay, supersteps int) {
	t.Helper()
	now, awake := make([]hearsay, g.N()), []uint32{}
	for v := range uint32(g.N()) {
		if v%p.seeds == 0 {
			awake = append(awake, v)
		}
	}
	c := g.Out()
	if p.along == pregel.InEdges {
		c = g.In()
	}
	for s := range int32(supersteps) {
		at := p.at(s)
		if len(at.offers) != len(awake) || len(at.twice) > 0 {
			t.Fatalf("%s, superstep %d: %d offers by %d awake; called twice, or without a message: %v", what, s, len(at.offers), len(awake), at.twice)
		}
		possible := map[uint32][]uint64{}
		for _, u := range awake {
			x := uint64(u)<<40 | uint64(now[u].had)<<36 | c.Degree(u)<<12
			if at.offers[u] != x {
				t.Fatalf("%s, superstep %d: vertex %d offers %x, want %x", what, s, u, at.offers[u], x)
			}
			lo, hi := c.Offsets.Row(u)
			for a := lo; a < hi; a++ {
				if m, ok := p.edge.Send(x, u, c.Targets[a], c.Weights.At(a)); ok && !p.Settled(now[c.Targets[a]]) {
					possible[c.Targets[a]] = append(possible[c.Targets[a]], m)
				}
			}
		}
		awake = awake[:0]
		for v, list := range possible {
			got, is := at.applies[v]
			if !is || got.before != now[v] || !slices.Contains(list, got.message) {
				t.Fatalf("%s, superstep %d: vertex %d, which had %+v, was called %v: %+v, want a message of %x", what, s, v, now[v], is, got, list)
			}
			if now[v] = got.after; got.awake {
				awake = append(awake, v)
			}
		}
		if len(at.applies) != len(possible) {
			t.Fatalf("%s, superstep %d: %d took a message, want %d", what, s, len(at.applies), len(possible))
		}
	}
	if len(awake) > 0 || !slices.Equal(now, values) {
		t.Fatalf("%s: %d are awake at the end; the values are those that were last returned: %v", what, len(awake), slices.Equal(now, values))
	}
}

// Rows of many arcs are sent along in parts, beside others, by an offer made once.
func TestFirstComesAlongParts(t *testing.T) {
	r := newSeed(t)
	const n = 30_000
	var arcs []graph.Arc
	for v := range uint32(n) {
		arcs = append(arcs, graph.Arc{U: v % 3, V: v}, graph.Arc{U: v, V: r.Uint32N(n)})
	}
	g, err := graph.FromArcs(n, graph.ArcList{List: arcs}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range race.Workers(1, 2, 4) {
		for _, seeds := range []uint32{1, 2, n} {
			p := &gossip{seeds: seeds, most: 2, log: map[int32]*gossiped{},
				edge: pregel.EdgeFunc("arc", func(x uint64, u, v uint32, _ float64) (uint64, bool) { return x, (u+v)%3 != 1 })}
			got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers, Direction: pregel.Push})}, p)
			if err != nil {
				t.Fatal(err)
			}
			p.check(t, fmt.Sprintf("%d workers, seeds %d", workers, seeds), g, got.Values, got.Stop.Supersteps)
		}
	}
}

// So it is on graphs of every shape: empty, of one vertex, with self-loops, a hub, or vertices alone.
func TestFirstComesOnAnyGraph(t *testing.T) {
	for _, c := range pregeltest.Graphs(1) {
		for workers := 1; workers <= 3; workers++ {
			p := &gossip{seeds: 3, most: 2, log: map[int32]*gossiped{}, edge: pregel.PlusWeight[uint64]()}
			got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: c.Graph, Engine: cpu.New(cpu.Options{Workers: workers, Direction: pregel.Push})}, p)
			if err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			p.check(t, c.Name, c.Graph, got.Values, got.Stop.Supersteps)
		}
	}
}

// touchy counts hops by any message, and fails at a vertex.
type touchy struct {
	at   uint32
	when string
}

func (p touchy) fails(when string, v uint32) { fails("as it must", p.when == when && v == p.at) }

func (p touchy) Spec() pregel.Spec[uint64] {
	return pregel.Spec[uint64]{Combine: pregel.Any[uint64](), Edge: pregel.EdgeFunc("hop", func(x uint64, u, _ uint32, _ float64) (uint64, bool) {
		p.fails("sends", u)
		return x, true
	})}
}
func (touchy) Init(v pregel.Vertex[uint64]) (uint64, bool) { return uint64(v.ID), v.ID == 0 }
func (p touchy) Emit(v pregel.Vertex[uint64]) uint64 {
	p.fails("emits", v.ID)
	return 0
}
func (p touchy) Apply(v pregel.Vertex[uint64], _ uint64, _ bool) (uint64, bool) {
	p.fails("applies", v.ID)
	return v.Value | 1<<32, true
}
func (p touchy) Settled(x uint64) bool {
	applied := x>>32 != 0
	if applied {
		p.fails("settles", uint32(x))
	}
	return applied || x == 0
}

// Whoever fails is named there, too: of an operation on arcs, who sends. The vertex is none of the middle of the frontier, at
// which workers may share it: there others may close both whom it would send to.
func TestFirstComesFails(t *testing.T) {
	const rows, at = 40, 5*40 + 20
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: rows, Cols: rows}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range race.Workers(1, 2) {
		for when, superstep := range map[string]int{"applies": at/rows + at%rows - 1, "settles": at/rows + at%rows - 1, "emits": at/rows + at%rows, "sends": at/rows + at%rows} {
			e := cpu.New(cpu.Options{Workers: workers, Direction: pregel.Push})
			e.Share(workers)
			_, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e}, touchy{at, when})
			var failed *pregel.VertexError
			if !errors.As(err, &failed) || failed.Vertex != at || failed.Superstep != superstep {
				t.Errorf("%s, %d workers: %v, want a failure of vertex %d in superstep %d", when, workers, err, at, superstep)
			}
		}
	}
}

// ticks counts the supersteps in which a vertex has heard of any, or is awake, up to three.
type ticks struct {
	silent bool
	edge   pregel.EdgeOp[uint32]
}

func (p ticks) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Any[uint32](), Edge: p.edge, Silent: p.silent}
}
func (ticks) Init(v pregel.Vertex[uint32]) (uint32, bool) { return 0, v.ID%900 == 7 }
func (p ticks) Emit(v pregel.Vertex[uint32]) uint32 {
	if p.edge.Name == "source_id" {
		panic("ids are sent")
	}
	return v.ID
}
func (ticks) Apply(v pregel.Vertex[uint32], _ uint32, _ bool) (uint32, bool) {
	return v.Value + 1, v.Value < 2
}
func (ticks) Settled(x uint32) bool { return x > 2 }

// Programs that apply vertices without a message, and those that send ids, are not of the kind that is
// sent and applied so.
func TestFirstComesNot(t *testing.T) {
	r := newSeed(t)
	for name, g := range landscapes(t, r) {
		for _, p := range []ticks{{}, {silent: true}, {edge: pregel.SourceID[uint32]()}, {silent: true, edge: pregel.SourceID[uint32]()}} {
			want := pregeltest.Reference[uint32, uint32](g, p, nil, 0)
			for _, d := range []pregel.Direction{pregel.Auto, pregel.Push} {
				e := cpu.New(cpu.Options{Workers: 1 + r.IntN(3), Direction: d})
				e.Share(r.IntN(3))
				got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e}, p)
				if err != nil || got.Stop.Supersteps != want.Supersteps || !slices.Equal(got.Values, want.Values) {
					t.Errorf("%s, %+v, %v: %v, want %d supersteps; %v; the values are the same: %v", name, p, d, got.Stop, want.Supersteps, err, slices.Equal(got.Values, want.Values))
				}
			}
		}
	}
}
