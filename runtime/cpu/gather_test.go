package cpu_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// byRows combines rows by a program's own functions, and leaves something where nothing came. It counts
// arcs.
func byRows[M any](s pregel.Spec[M], r *pregel.Rows[M], arcs *atomic.Int64) {
	edge := asGiven(s.Edge)
	for i, us := range r.All() {
		arcs.Add(int64(len(us)))
		for k, u := range us {
			if !r.Awake(u) {
				continue
			}
			if x, ok := edge.Send(r.Offers[u], u, r.Target(i), r.Weight(i, k)); ok {
				r.Messages[i], r.Got[i] = s.Combine.Func(r.Messages[i], x), true
			}
		}
		if !r.Got[i] && len(us) > 0 {
			r.Messages[i] = r.Offers[us[0]]
		}
	}
}

// rowRumours is rumours by rows.
type rowRumours struct {
	rumours
	arcs *atomic.Int64
}

func (p rowRumours) Gather(r *pregel.Rows[uint64]) { byRows(p.Spec(), r, p.arcs) }

type rowSettled struct{ rowRumours }

func (rowSettled) Settled(x uint64) bool { return x%5 == 0 }

type rowQueued struct{ rowRumours }

func (rowQueued) Init(v pregel.Vertex[uint64]) (uint64, bool) { return 2 * uint64(v.ID), true }
func (rowQueued) Priority(x uint64) uint64                    { return x % 2 }

// rowSome has some of the vertices awake at a time.
type rowSome struct{ rowRumours }

func (rowSome) Init(v pregel.Vertex[uint64]) (uint64, bool) { return uint64(v.ID), v.ID%5 < 2 }
func (p rowSome) Apply(v pregel.Vertex[uint64], sum uint64, got bool) (uint64, bool) {
	x, _ := p.rowRumours.Apply(v, sum, got)
	return x, x%3 != 0
}

// What a program combines by rows is what the slow reference makes of its functions, whoever is silent,
// settles, waits or sleeps, along one list or two, and of hubs.
func TestGather(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	specs := []graphgen.Spec{{Kind: "kronecker", Scale: 10, EdgeFactor: 8, Seed: seed}, {Kind: "grid", Rows: 31, Cols: 133},
		{Kind: "complete", N: 70}, {Kind: "star", N: 140_000}}
	cases := append(drawn(t, seed, graphgen.Options{Weights: graphgen.HashWeights}, specs...),
		drawn(t, seed+1, graphgen.Options{Weights: graphgen.HashWeights, Directed: new(true)}, specs...)...)
	cases = append(cases, pregeltest.Case{Name: "hub among others", Graph: hubAmong(t)})
	var arcs atomic.Int64
	for n, k := range cases {
		if race.On && k.Graph.N() > 10_000 {
			continue
		}
		for i := range 12 {
			if k.Graph.N() > 10_000 && i%5 > 0 || race.On && (i+n)%4 > 0 {
				continue
			}
			h := rowRumours{rumours{silent: i&1 != 0, copies: i&2 != 0, along: []pregel.Along{pregel.OutEdges, pregel.InEdges, pregel.BothEdges}[i/4], fail: graph.None}, &arcs}
			programs := []pregel.EdgeProgram[uint64, uint64]{h, rowSettled{h}, rowQueued{h}, rowSome{h}}
			if k.Graph.N() > 10_000 {
				programs = programs[:1]
			}
			for _, p := range programs {
				matches(t, fmt.Sprintf("%s, %T %+v", k.Name, p, h.rumours), k.Graph, p)
			}
		}
	}
	if arcs.Load() == 0 {
		t.Error("no program was asked to combine rows")
	}
}

// hubAmong is a directed graph of a hub whose neighbours by number have arcs both ways.
func hubAmong(t *testing.T) *graph.Graph {
	t.Helper()
	const n = 140_000
	list := []graph.Arc{}
	for v := uint32(1); v < n; v++ {
		list = append(list, graph.Arc{U: v, V: 0}, graph.Arc{U: v % 100, V: v % 71})
	}
	g, err := graph.FromArcs(n, graph.ArcList{List: list}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// tideRows is tideBlocks by rows: everybody is awake, and offers travel unchanged.
type tideRows struct {
	tideBlocks
	arcs *atomic.Int64
}

func (p tideRows) Gather(r *pregel.Rows[uint64]) { byRows(p.Spec(), r, p.arcs) }

// All arcs of each superstep are combined by rows, those of hubs too, whatever else a program has.
func TestGatherBlocks(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, spec := range []graphgen.Spec{{Kind: "kronecker", Scale: 10, EdgeFactor: 8, Seed: seed}, {Kind: "grid", Rows: 31, Cols: 133}, {Kind: "star", N: 140_000}} {
		if race.On && spec.Kind == "star" {
			continue
		}
		for _, directed := range []bool{false, true} {
			g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{Directed: &directed})
			if err != nil {
				t.Fatal(err)
			}
			for i := range 8 {
				var called, arcs atomic.Int64
				p := tideRows{tideBlocks{tides{silent: i&1 != 0, many: i&2 != 0, arcs: uint32(i) / 4 * 1000, called: &called}}, &arcs}
				want := pregeltest.Reference[uint64, uint64](g, p, nil, 6)
				for _, workers := range race.Workers(1, 3) {
					arcs.Store(0)
					got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, MaxSupersteps: 6, Engine: cpu.New(cpu.Options{Workers: workers})}, p)
					if err != nil || !slices.Equal(got.Values, want.Values) {
						t.Fatalf("%s, %+v, %d workers: the reference differs, error %v", spec.Kind, p.tides, workers, err)
					}
					if n := arcs.Load(); p.silent && n != 6*int64(g.Arcs()) {
						t.Errorf("%s, %+v, %d workers: %d arcs by rows, want %d", spec.Kind, p.tides, workers, n, 6*g.Arcs())
					}
				}
			}
		}
	}
}

// rowShares is shares by rows.
type rowShares struct {
	shares
	arcs *atomic.Int64
}

func (p rowShares) Gather(r *pregel.Rows[float64]) { byRows(p.Spec(), r, p.arcs) }

// Sums of floats by rows are those by functions of one to the last bit, for any workers, where a program
// adds in the order of the row.
func TestGatherFloats(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, spec := range []graphgen.Spec{{Kind: "kronecker", Scale: 13, EdgeFactor: 20, Seed: seed}, {Kind: "grid", Rows: 131, Cols: 133}, {Kind: "star", N: 300_000}} {
		if race.On && spec.N > 0 {
			continue
		}
		g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{Weights: graphgen.HashWeights})
		if err != nil {
			t.Fatal(err)
		}
		var c called
		p := rowShares{shares{along: pregel.OutEdges, seven: 7, called: &c}, new(atomic.Int64)}
		want, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2}), MaxSupersteps: 5}, p.shares)
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range race.Workers(1, 2, 5) {
			got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers}), MaxSupersteps: 5}, p)
			if err != nil || !slices.Equal(got.Values, want.Values) {
				t.Errorf("%s, %d workers: by functions of one it is another answer, error %v", spec.Kind, workers, err)
			}
		}
		if p.arcs.Load() == 0 {
			t.Errorf("%s: no row was combined", spec.Kind)
		}
	}
}

// rowSteps is a search by functions that leaves a row at the first who is awake.
type rowSteps struct {
	counted
	looked *atomic.Int64
}

func (p rowSteps) Spec() pregel.Spec[uint32] {
	s := p.counted.Spec()
	s.Edge = pregel.EdgeFunc("same", func(x uint32, _, _ uint32, _ float64) (uint32, bool) { return x, true })
	return s
}
func (p rowSteps) Gather(r *pregel.Rows[uint32]) {
	for i, us := range r.All() {
		for k, u := range us {
			if r.Awake(u) {
				r.Messages[i], r.Got[i] = r.Offers[u], true
				us = us[:k]
				break
			}
		}
		p.looked.Add(int64(len(us)))
	}
}

// A program that knows that the rest of a row says nothing new need not look at it.
func TestGatherLeavesRows(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "kronecker", Scale: 14, EdgeFactor: 16}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := rowSteps{counted{source: 7, calls: new(atomic.Int64)}, new(atomic.Int64)}
	for g.Out().Degree(p.source) == 0 {
		p.source++
	}
	want := pregeltest.Reference[uint32, uint32](g, p, nil, 0)
	for _, workers := range race.Workers(1, 2) {
		p.calls.Store(0)
		p.looked.Store(0)
		got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers})}, p)
		if err != nil || !slices.Equal(got.Values, want.Values) {
			t.Fatalf("%d workers: the reference differs, error %v", workers, err)
		}
		if n := p.looked.Load() + p.calls.Load(); n == 0 || n > int64(g.Arcs()/4) {
			t.Errorf("%d workers: %d of %d arcs were looked at", workers, n, g.Arcs())
		}
	}
}

// rowFails fails in the row of a vertex, or before it has come to any of its block.
type rowFails struct {
	rowRumours
	at     uint32
	before bool
}

func (p rowFails) Gather(r *pregel.Rows[uint64]) {
	if first := r.Target(0); p.before && first <= p.at && p.at < first+64 {
		panic("row")
	}
	for i := range r.All() {
		if r.Target(i) == p.at {
			panic("row")
		}
	}
	p.rowRumours.Gather(r)
}

// A loop that fails does so at the vertex whose row it is, or at the first of the block.
func TestGatherFails(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: 40, Cols: 40}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range race.Workers(1, 2) {
		for i := range 4 {
			h := rowRumours{rumours{copies: i&1 != 0, along: pregel.Along(i & 2), fail: graph.None}, new(atomic.Int64)}
			for _, at := range []uint32{0, 777, 1599} {
				before, want := workers == 1, at
				if before {
					want = at / 64 * 64
				}
				var p pregel.EdgeProgram[uint64, uint64] = rowFails{h, at, before}
				_, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers, Direction: pregel.Pull}), MaxSupersteps: 6}, p)
				var failed *pregel.VertexError
				if !errors.As(err, &failed) || failed.Vertex != want || failed.Cause != "row" {
					t.Errorf("%+v, %d workers: %v, want a failure of vertex %d", h.rumours, workers, err, want)
				}
			}
		}
	}
}

// A named combiner with an edge operation that is a function has no loop for it.
func TestGatherIsAsked(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: 30, Cols: 40}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := rowSums{rowRumours{rumours{silent: true, fail: graph.None}, new(atomic.Int64)}}
	matches(t, "sums", g, p)
	if p.arcs.Load() == 0 {
		t.Error("the program was not asked")
	}
}

// rowSums is rowRumours by a named combiner.
type rowSums struct{ rowRumours }

func (p rowSums) Spec() pregel.Spec[uint64] {
	s := p.rowRumours.Spec()
	s.Combine = pregel.Sum[uint64]()
	return s
}

// Named combiners have loops of their own for named operations, and Any needs one message: their programs are not asked.
func TestGatherIsNotAsked(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: 30, Cols: 40}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []pregel.Monoid[uint32]{pregel.Min[uint32](), pregel.Any[uint32]()} {
		for _, e := range []pregel.EdgeOp[uint32]{pregel.Copy[uint32](), pregel.PlusWeight[uint32]()} {
			p := rowNamed{counted{source: 7, calls: new(atomic.Int64)}, pregel.Spec[uint32]{Combine: c, Edge: e}}
			want := pregeltest.Reference[uint32, uint32](g, p, nil, 0)
			got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1, Direction: pregel.Pull})}, p)
			if err != nil || !slices.Equal(got.Values, want.Values) {
				t.Errorf("%s, %s: the reference differs, error %v", c.Name, e.Name, err)
			}
		}
	}
}

type rowNamed struct {
	counted
	spec pregel.Spec[uint32]
}

func (p rowNamed) Spec() pregel.Spec[uint32] { return p.spec }
func (rowNamed) Gather(*pregel.Rows[uint32]) { panic("asked") }
func (rowNamed) Settled(uint32) bool         { return false }
