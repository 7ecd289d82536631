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
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// swept is flow with loops over its own functions. Some of its vertices doze.
type swept struct {
	flow
	dozes    bool
	failInit uint32
	sweeps   *atomic.Int64
}

func (p *swept) Init(v pregel.Vertex[float64]) (float64, bool) {
	if v.ID == p.failInit {
		panic("init")
	}
	x, _ := p.flow.Init(v)
	p.held.Add(v.Place, x)
	return x, !p.dozes || v.ID%3 > 0
}

func (p *swept) Apply(v pregel.Vertex[float64], sum float64, got bool) (float64, bool) {
	x, up := p.flow.Apply(v, sum, got)
	return x, up && (!p.dozes || (v.ID+uint32(v.Superstep))%3 > 0)
}

func (p *swept) InitSweep(s *pregel.Sweep[float64, float64]) {
	p.sweeps.Add(1)
	for i, v := range s.Vertices() {
		s.Values[i], s.Awake[i] = p.Init(v)
	}
}

func (p *swept) EmitSweep(s *pregel.Sweep[float64, float64]) {
	p.sweeps.Add(1)
	for i, v := range s.Vertices() {
		s.Offers[i] = p.Emit(v)
	}
}

func (p *swept) ApplySweep(s *pregel.Sweep[float64, float64]) {
	p.sweeps.Add(1)
	for i, v := range s.Vertices() {
		s.Values[i], s.Awake[i] = p.Apply(v, s.Messages[i], s.Got(i))
	}
}

// unswept is swept without these.
type unswept struct {
	pregel.EdgeProgram[float64, float64]
}

func (p unswept) Setup(s *pregel.Setup) error { return p.EdgeProgram.(pregel.Setuper).Setup(s) }
func (p unswept) Barrier(s *pregel.Step)      { p.EdgeProgram.(pregel.Barrierer).Barrier(s) }

func newSwept(sweeps *atomic.Int64) *swept {
	return &swept{flow: flow{failEmit: graph.None, failApply: graph.None, steps: 7}, failInit: graph.None, sweeps: sweeps}
}

// Values and aggregators are the same to the last bit, and so is what a record tells, however
// many of a block are swept, and by whatever way their messages come.
func TestSweeps(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	var sweeps atomic.Int64
	for _, spec := range []graphgen.Spec{
		{Kind: "grid", Rows: 50, Cols: 41},
		{Kind: "uniform", N: 3001, EdgeFactor: 2, Seed: seed},
		{Kind: "path", N: 7},
	} {
		for _, directed := range race.Some(false, true) {
			g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{Directed: &directed})
			if err != nil {
				t.Fatal(err)
			}
			p := newSwept(&sweeps)
			for _, p.dozes = range []bool{false, true} {
				for _, p.silent = range []bool{false, true} {
					for _, d := range []pregel.Direction{pregel.Pull, pregel.Push} {
						compareSwept(t, g, p, d, fmt.Sprintf("%s, directed %v", spec.Kind, directed))
					}
				}
			}
		}
	}
	if sweeps.Load() < 1000 {
		t.Errorf("%d sweeps", sweeps.Load())
	}
}

func compareSwept(t *testing.T, g *graph.Graph, p *swept, d pregel.Direction, name string) {
	t.Helper()
	run := func(p pregel.EdgeProgram[float64, float64], workers int) (values []float64, steps []string) {
		j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers, Direction: d}), Detail: func(s *pregel.StepRecord) {
			steps = append(steps, fmt.Sprint(s.Awake, *s.Detail.Sent, s.Next))
		}}
		r, err := pregel.RunEdge(t.Context(), j, p)
		if err != nil {
			t.Fatal(err)
		}
		return r.Values, steps
	}
	want, steps := run(unswept{p}, 1)
	for _, workers := range race.Workers(1, 2, 3) {
		if d == pregel.Push && workers > 1 {
			continue // sums of floats are then those of another order
		}
		got, swept := run(p, workers)
		if !slices.Equal(got, want) || !slices.Equal(swept, steps) {
			t.Fatalf("%s, dozes %v, silent %v, %v, %d workers: other values: %v; steps %q, want %q",
				name, p.dozes, p.silent, d, workers, !slices.Equal(got, want), swept, steps)
		}
	}
}

// A panic in a sweep names the vertex whose function it is of.
func TestSweepsFail(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: 70, Cols: 70}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := uint32(g.N())
	for _, at := range []uint32{0, 77, 1999, n - 1} {
		for cause, set := range map[string]func(p *swept){
			"init":  func(p *swept) { p.failInit = at },
			"emit":  func(p *swept) { p.failEmit = at },
			"apply": func(p *swept) { p.failApply = at },
		} {
			for workers := 1; workers <= 2; workers++ {
				var sweeps atomic.Int64
				p := newSwept(&sweeps)
				p.silent, p.failAt = true, 2
				set(p)
				values, stop := pull(t, g, p, workers)
				var failed *pregel.VertexError
				if !errors.As(stop.Err, &failed) || failed.Vertex != at || failed.Cause != cause || sweeps.Load() == 0 {
					t.Errorf("%s at %d, %d workers: %v", cause, at, workers, stop.Err)
				}
				if want, _ := pull(t, g, unswept{p}, workers); workers == 1 && !slices.Equal(values, want) {
					t.Errorf("%s at %d: other values are left", cause, at)
				}
			}
		}
	}
}

// hastily fails before its first vertex, in the second call of InitSweep.
type hastily struct{ *swept }

func (p hastily) InitSweep(s *pregel.Sweep[float64, float64]) {
	if p.sweeps.Load() > 0 {
		panic("before")
	}
	p.swept.InitSweep(s)
}

// A sweep that fails before its first vertex names the first of its block.
func TestSweepFailsAtOnce(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: 20, Cols: 20}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var sweeps atomic.Int64
	_, stop := pull(t, g, hastily{newSwept(&sweeps)}, 1)
	var failed *pregel.VertexError
	if !errors.As(stop.Err, &failed) || failed.Vertex != pregel.BlockSize || failed.Cause != "before" {
		t.Errorf("%v, want vertex %d", stop.Err, pregel.BlockSize)
	}
}

// coin is the least number that reaches a vertex, three more with each step, in buckets of numbers.
// At a number of its own it fails.
type coin struct {
	failSettled, failPriority uint64
	failApply                 uint32
	flat                      bool // one bucket
}

func (coin) Spec() pregel.Spec[uint64] {
	return pregel.Spec[uint64]{Combine: pregel.Min[uint64](), Silent: true}
}
func (coin) Init(v pregel.Vertex[uint64]) (uint64, bool) { return uint64(v.ID) * 7 % 5000, true }
func (coin) Emit(v pregel.Vertex[uint64]) uint64         { return v.Value + 3 }
func (p coin) Apply(v pregel.Vertex[uint64], m uint64, _ bool) (uint64, bool) {
	if v.ID == p.failApply {
		panic("apply")
	}
	return min(v.Value, m), m < v.Value
}
func (p coin) Settled(x uint64) bool {
	if x == p.failSettled {
		panic("settled")
	}
	return x == 0
}
func (p coin) Priority(x uint64) uint64 {
	if x == p.failPriority {
		panic("priority")
	}
	if p.flat {
		return 0
	}
	return x / 64
}

// coins is coin by sweeps.
type coins struct{ coin }

func (p coins) InitSweep(s *pregel.Sweep[uint64, uint64]) {
	for i, v := range s.Vertices() {
		s.Values[i], s.Awake[i] = p.Init(v)
	}
}
func (p coins) EmitSweep(s *pregel.Sweep[uint64, uint64]) {
	for i, v := range s.Vertices() {
		s.Offers[i] = p.Emit(v)
	}
}
func (p coins) ApplySweep(s *pregel.Sweep[uint64, uint64]) {
	for i, v := range s.Vertices() {
		s.Values[i], s.Awake[i] = p.Apply(v, s.Messages[i], s.Got(i))
	}
}

// Who waits and who is settled is asked as without sweeps, and in the same order where that fails.
func TestSweepsWait(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: 40, Cols: 45}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const never = 1 << 60
	const none = graph.None
	for _, c := range []coin{
		{never, never, none, false}, {777, never, none, false}, {never, 777, none, false}, {70, 140, none, false}, {140, 70, none, false},
		{never, 10, none, false}, {never, never, 640, false}, {10, never, 300, false}, {10, 10, 1700, false}, {never, 13, 1390, false},
		// Vertex 926 learns of 1170 in the superstep and the block in which 950 fails.
		{never, never, none, true}, {never, 1170, 950, true}, {never, 1170, 926, true}, {1170, never, 950, true},
	} {
		for _, workers := range race.Workers(1, 2) {
			run := func(p pregel.EdgeProgram[uint64, uint64]) ([]uint64, pregel.Stop) {
				r, _ := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers, Direction: pregel.Pull})}, p)
				return r.Values, r.Stop
			}
			got, stop := run(coins{c})
			want, plain := run(c)
			if stop.Reason != plain.Reason || stop.Supersteps != plain.Supersteps || (stop.Err == nil) != (plain.Err == nil) {
				t.Fatalf("%+v, %d workers: %v, want %v", c, workers, stop, plain)
			}
			var a, b *pregel.VertexError
			if errors.As(stop.Err, &a) && errors.As(plain.Err, &b) && workers == 1 && (a.Vertex != b.Vertex || a.Cause != b.Cause) {
				t.Fatalf("%+v: %v, want %v", c, stop.Err, plain.Err)
			}
			if workers == 1 && !slices.Equal(got, want) || stop.Err == nil && !slices.Equal(got, want) {
				t.Fatalf("%+v, %d workers: other values", c, workers)
			}
		}
	}
}

// firsts is how many steps it takes to whom nobody else comes before: many start, at two numbers.
type firsts struct{}

func (firsts) Spec() pregel.Spec[uint32] { return pregel.Spec[uint32]{Combine: pregel.Min[uint32]()} }
func (firsts) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	if lone := v.ID == 200; lone || v.ID%256 < 12 {
		return v.ID / 200, true
	}
	return graph.None, false
}
func (firsts) Emit(v pregel.Vertex[uint32]) uint32 { return v.Value + 2 }
func (firsts) Apply(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
	if v.Value != graph.None {
		return v.Value, false
	}
	return m, true
}
func (firsts) Settled(x uint32) bool { return x != graph.None }

// sweptFirsts is firsts by sweeps.
type sweptFirsts struct{ firsts }

func (p sweptFirsts) InitSweep(s *pregel.Sweep[uint32, uint32]) {
	for i, v := range s.Vertices() {
		s.Values[i], s.Awake[i] = p.Init(v)
	}
}
func (p sweptFirsts) EmitSweep(s *pregel.Sweep[uint32, uint32]) {
	for i, v := range s.Vertices() {
		s.Offers[i] = p.Emit(v)
	}
}
func (p sweptFirsts) ApplySweep(s *pregel.Sweep[uint32, uint32]) {
	for i, v := range s.Vertices() {
		s.Values[i], s.Awake[i] = p.Apply(v, s.Messages[i], s.Got(i))
	}
}

// Whether all offer the same is found out of sweeps, too (pregel/edgelevel.go).
func TestSweepsLevel(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "uniform", N: 1200, EdgeFactor: 2, Seed: rand.Uint64()}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []pregel.Direction{pregel.Pull, pregel.Push, pregel.Auto} {
		for _, workers := range race.Workers(1, 2) {
			run := func(p pregel.EdgeProgram[uint32, uint32]) []uint32 {
				r, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers, Direction: d})}, p)
				if err != nil {
					t.Fatal(err)
				}
				return r.Values
			}
			if !slices.Equal(run(sweptFirsts{}), run(firsts{})) {
				t.Errorf("%v, %d workers: other values", d, workers)
			}
		}
	}
}
