package cpu_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// queuedAdded is added, some of whose vertices wait.
type queuedAdded struct{ added }

func (queuedAdded) Priority(x uint64) uint64 { return x % 3 }

// keptAdded is added by a program that never settles.
type keptAdded struct{ p added }

func (p keptAdded) Spec() pregel.Spec[uint64]                   { return p.p.Spec() }
func (p keptAdded) Init(v pregel.Vertex[uint64]) (uint64, bool) { return p.p.Init(v) }
func (p keptAdded) Emit(v pregel.Vertex[uint64]) uint64         { return p.p.Emit(v) }
func (p keptAdded) Apply(v pregel.Vertex[uint64], sum uint64, _ bool) (uint64, bool) {
	return v.Value + sum*2 + uint64(v.Superstep), v.ID%3 > 0 && sum%4 > 0
}

// What functions combine, pushed in shares, is what a slow interpreter makes of it, and its records are those
// of one worker alone.
func TestPushedInShares(t *testing.T) {
	r := newSeed(t)
	var c called
	pushed := 0
	for name, g := range sharedGraphs(t, r) {
		for which := range 4 {
			p := manyAdded{added{1 + r.Uint32N(uint32(g.N())), false}, which, &c}
			plain := added{p.seeds, r.IntN(2) == 0}
			for _, p := range []pregel.EdgeProgram[uint64, uint64]{p, plain, queuedAdded{plain}, keptAdded{plain}} {
				pushed += pushedInShares(t, fmt.Sprintf("%s, %T, seeds %d, copy %v, functions of many %b", name, p, plain.seeds, plain.copy, which), g, p)
			}
		}
	}
	if pushed == 0 { // in how many shares: TestCallShares, TestSharesMeet
		t.Error("nothing was pushed")
	}
}

func pushedInShares(t *testing.T, what string, g *graph.Graph, p pregel.EdgeProgram[uint64, uint64]) (pushed int) {
	t.Helper()
	want := pregeltest.Reference(g, p, nil, 12)
	var alone []noted
	for i, shares := range append([]int{1}, race.Some(2, 3, 5)...) {
		e := cpu.New(cpu.Options{Workers: 1 + shares%4})
		e.Share(shares)
		var list []noted
		j := &pregel.Job{Graph: g, Engine: e, MaxSupersteps: 12, Detail: func(s *pregel.StepRecord) {
			n := noted{StepRecord: *s, why: s.Detail.Why, sent: *s.Detail.Sent, whole: s.Detail.Whole}
			if s.Direction == pregel.Push {
				n.combined = *s.Detail.Combined
				pushed++
			}
			n.Detail, n.Time = nil, 0
			list = append(list, n)
			if *s.Detail.Atomics != 0 {
				t.Errorf("%s, %d shares: %d atomic operations", what, shares, *s.Detail.Atomics)
			}
		}}
		got, err := pregel.RunEdge(t.Context(), j, p)
		if err != nil || !slices.Equal(got.Values, want.Values) || got.Stop.Supersteps != want.Supersteps {
			t.Fatalf("%s, %d shares: %v, %v, the reference %d supersteps", what, shares, got.Stop, err, want.Supersteps)
		}
		if i == 0 {
			alone = list
		} else if !slices.Equal(list, alone) {
			t.Fatalf("%s, %d shares: records %v\nof one worker %v", what, shares, list, alone)
		}
	}
	return pushed
}

// sharedGraphs are landscapes, some with weights, and hubs.
func sharedGraphs(t *testing.T, r *rand.Rand) map[string]*graph.Graph {
	t.Helper()
	list := map[string]*graph.Graph{"hubs": made(t, graphgen.Spec{Kind: "kronecker", Scale: 11, EdgeFactor: 8, Seed: r.Uint64()}), "path": made(t, graphgen.Spec{Kind: "path", N: 300})}
	for name, g := range landscapes(t, r) {
		if r.IntN(2) == 0 {
			g = g.WithWeights(func(u, v uint32) int32 { return int32((u^v)*31%90) + 1 })
		}
		list[name] = g
	}
	return list
}

// meeting has two vertices awake at first, who wait for each other when they send.
type meeting struct {
	manyAdded
	at   [2]uint32
	came [2]chan bool
}

func (p *meeting) Init(v pregel.Vertex[uint64]) (uint64, bool) {
	return 1, slices.Contains(p.at[:], v.ID)
}
func (p *meeting) Emit(v pregel.Vertex[uint64]) uint64 {
	if i := slices.Index(p.at[:], v.ID); i >= 0 && v.Superstep == 0 {
		close(p.came[i])
		select {
		case <-p.came[1-i]:
		case <-time.After(time.Minute):
			panic("nobody came")
		}
	}
	return v.Value
}

// Shares are done at the same time, by functions of one or of many, and what is timed is sending and applying.
func TestSharesMeet(t *testing.T) {
	g := made(t, graphgen.Spec{Kind: "path", N: 1000})
	var c called
	for which := range 4 {
		p := &meeting{manyAdded{added{1, false}, which, &c}, [2]uint32{100, 700}, [2]chan bool{make(chan bool), make(chan bool)}}
		e := cpu.New(cpu.Options{Workers: 2})
		e.Share(2)
		var phases []string
		j := &pregel.Job{Graph: g, Engine: e, MaxSupersteps: 1, Detail: func(s *pregel.StepRecord) {
			for _, phase := range s.Detail.Phases {
				phases = append(phases, phase.Name)
			}
		}}
		if _, err := pregel.RunEdge(t.Context(), j, p); err != nil || !slices.Equal(phases, []string{"push", "apply"}) {
			t.Errorf("functions of many %b: phases %v, %v", which, phases, err)
		}
	}
}

// An arc to nobody is an error that names its source, by one worker or in shares.
func TestSharesOfDamagedList(t *testing.T) {
	const damaged, nobody = 130, 1 << 31
	var c called
	for which := range 4 {
		for shares := range 4 {
			g := made(t, graphgen.Spec{Kind: "cycle", N: 1000})
			out := g.Out()
			out.Targets[out.Offsets.At(damaged)] = nobody
			for _, p := range []pregel.EdgeProgram[uint64, uint64]{manyAdded{added{damaged, false}, which, &c}, keptAdded{added{damaged, which%2 == 0}}} {
				e := cpu.New(cpu.Options{Workers: 3})
				e.Share(shares)
				_, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e, MaxSupersteps: 1}, p)
				var at *pregel.VertexError
				if !errors.As(err, &at) || at.Vertex != damaged {
					t.Errorf("%T, functions of many %b, %d shares: %v, want vertex %d", p, which, shares, err, damaged)
				}
			}
		}
	}
}

// snapping fails at one vertex in one of its functions.
type snapping struct {
	which  int
	called *called
	when   string
	at     uint32
}

func (p snapping) Spec() pregel.Spec[uint64] {
	s := pregel.Spec[uint64]{Combine: pregel.Combine("added", 0, func(a, b uint64) uint64 {
		fails("combine", p.when == "combine" && uint32(b>>32) == p.at)
		return a + b
	})}
	s.Edge = pregel.EdgeFunc("to", func(_ uint64, u, v uint32, _ float64) (uint64, bool) {
		fails("arc", p.when == "arc" && u == p.at && v > u) // what goes to lesser vertices has been combined
		return uint64(v) << 32, true
	})
	return ofMany(s, p.which, p.called)
}
func (p snapping) Init(v pregel.Vertex[uint64]) (uint64, bool) {
	return 0, v.ID > p.at-40 && v.ID < p.at+40
}
func (p snapping) Emit(v pregel.Vertex[uint64]) uint64 {
	fails("emit", p.when == "emit" && v.ID == p.at)
	return 1
}
func (p snapping) Apply(v pregel.Vertex[uint64], _ uint64, _ bool) (uint64, bool) {
	fails("apply", p.when == "apply" && v.ID == p.at)
	return uint64(v.ID), false
}
func (p snapping) Settled(x uint64) bool {
	fails("settled", p.when == "settled" && x == uint64(p.at))
	return false
}

// queuedSnapping may fail at a priority, too.
type queuedSnapping struct{ snapping }

func (queuedSnapping) Apply(v pregel.Vertex[uint64], _ uint64, _ bool) (uint64, bool) {
	return uint64(v.ID), true
}
func (p queuedSnapping) Priority(x uint64) uint64 {
	fails("priority", x == uint64(p.at))
	return 0
}

// A function that fails in a push names its vertex, by one worker or in shares: the one that sends or, where
// messages are combined or applied, the one that they are for.
func TestSharesFail(t *testing.T) {
	g := made(t, graphgen.Spec{Kind: "grid", Rows: 40, Cols: 40})
	var c called
	after := added{500, false}
	want := pregeltest.Reference[uint64, uint64](g, after, nil, 12)
	for which := range 4 {
		for _, when := range []string{"emit", "arc", "combine", "apply", "settled", "priority"} {
			for shares := range 4 {
				snap := snapping{which: which, called: &c, when: when, at: 777}
				p := pregel.EdgeProgram[uint64, uint64](snap)
				if when == "priority" {
					p = queuedSnapping{snap}
				}
				e := cpu.New(cpu.Options{Workers: 3})
				e.Share(shares)
				_, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e, MaxSupersteps: 2}, p)
				var failed *pregel.VertexError
				if !errors.As(err, &failed) || failed.Vertex != 777 || failed.Superstep != 0 || failed.Cause != when {
					t.Errorf("%s, functions of many %b, %d shares: %v, want a failure of vertex 777", when, which, shares, err)
				}
				got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e, MaxSupersteps: 12}, after)
				if err != nil || !slices.Equal(got.Values, want.Values) {
					t.Errorf("%s, functions of many %b, %d shares: the next run of the engine differs from the reference, %v", when, which, shares, err)
				}
			}
		}
	}
}
