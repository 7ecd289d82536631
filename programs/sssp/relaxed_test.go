package sssp_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/sssp"
	"gopregel/runtime/cpu"
)

// Both methods, relaxed by this package's buckets or by the engine, give the
// answer of double buffers.
func TestSchedules(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	for i := range 30 {
		n, kind := 1+r.IntN(900), graph.WeightKind(r.IntN(3))
		g := build(t, n, randomColumns(r, n, r.IntN(4*n+1), kind, r.IntN(2), 1+r.IntN(99)), i%2 == 0)
		source := pregel.ID(g.IDs().Text(r.Uint32N(uint32(n))))
		want := run(t, g, &sssp.SSSP{Source: source, Method: sssp.DeltaStepping}, cpu.Options{Workers: 2, Schedule: pregel.BSP}).Table.Columns
		for _, method := range []string{sssp.DeltaStepping, sssp.BellmanFord} {
			for _, workers := range race.Workers(1, 2, 8) {
				got := run(t, g, some(r, &sssp.SSSP{Source: source, Method: method}), cpu.Options{Workers: workers, Schedule: pregel.Relaxed}).Table.Columns
				if !slices.Equal(distances(got[0]), distances(want[0])) {
					t.Fatalf("%s, %d workers: other distances than bsp", method, workers)
				}
				if !slices.Equal(got[1].Vertices, want[1].Vertices) {
					t.Fatalf("%s, %d workers: other parents than bsp", method, workers)
				}
			}
		}
	}
}

// A bsp run takes the supersteps of a strict one, a relaxed run those of the
// buckets.
func TestScheduleChoosesTheForm(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	g := build(t, 3000, randomColumns(r, 3000, 9000, graph.Int32, 1, 50), false)
	steps := func(o cpu.Options) int {
		o.Workers = 1
		return run(t, g, &sssp.SSSP{Source: "10", Method: sssp.DeltaStepping}, o).Stop.Supersteps
	}
	auto, strict := steps(cpu.Options{}), steps(cpu.Options{Strict: true})
	if auto == strict {
		t.Fatalf("in place and in double buffers both take %d supersteps", auto)
	}
	if bsp, relaxed := steps(cpu.Options{Schedule: pregel.BSP}), steps(cpu.Options{Schedule: pregel.Relaxed}); bsp != strict || relaxed != auto {
		t.Errorf("bsp takes %d, strict %d; relaxed %d, auto %d", bsp, strict, relaxed, auto)
	}
	_, err := (&sssp.SSSP{Source: "10", Method: sssp.DeltaStepping}).Run(t.Context(), &pregel.Job{Graph: g,
		Engine: cpu.New(cpu.Options{Schedule: pregel.Relaxed, Strict: true})})
	if err == nil {
		t.Error("relaxed and strict: no error")
	}
}

// Around a negative cycle a relaxed round ends, and the cycle is named.
func TestNegativeCycleRelaxed(t *testing.T) {
	c := graph.Columns{U: []uint32{0, 1, 2, 3}, V: []uint32{1, 2, 3, 1}}
	c.Weights.Int = []int32{5, 1, -4, 2}
	g := build(t, 5, c, true)
	for _, workers := range []int{1, 3} {
		_, err := (&sssp.SSSP{Source: "10", Method: sssp.BellmanFord}).Run(t.Context(), &pregel.Job{Graph: g,
			Engine: cpu.New(cpu.Options{Workers: workers, Schedule: pregel.Relaxed})})
		var cycle *sssp.NegativeCycle
		if !errors.As(err, &cycle) || len(cycle.Vertices) != 3 || cycle.ID != "11" {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
}

// Steps wider than any distance are one, also where no whole number is as wide.
func TestWidestSteps(t *testing.T) {
	var path graph.Columns
	for v := range uint32(2000) {
		path.U, path.V = append(path.U, v), append(path.V, v+1)
		path.Weights.Int, path.Weights.Float = append(path.Weights.Int, 100_000), append(path.Weights.Float, 100_000)
	}
	for _, weights := range []graph.Weights{{Int: path.Weights.Int}, {Float: path.Weights.Float}} {
		path.Weights = weights
		g := build(t, 2001, path, false)
		for _, delta := range []float64{1e18, 1e19, 1e30, math.MaxFloat64, math.Inf(1)} {
			a := &sssp.SSSP{Source: "10", Method: sssp.DeltaStepping, Delta: delta}
			if s := run(t, g, a, cpu.Options{Workers: 2}).Stop.Supersteps; s != 1 {
				t.Errorf("%v, delta %v: %d supersteps, want 1", g.Weighted(), delta, s)
			}
		}
	}
}

// Who looks at a run in place sees distances, those of the answer in the end.
func TestStatesAreDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, kind := range []graph.WeightKind{graph.Unweighted, graph.Int32, graph.Float32} {
		g := build(t, 500, randomColumns(r, 500, 3000, kind, 1, 90), true)
		var last []float64
		j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2, Schedule: pregel.Relaxed})}
		j.Barrier = func(state func() (pregel.State, error)) error {
			s, err := state()
			last = last[:0]
			for i, values := 0, reflect.ValueOf(s.Values); err == nil && i < values.Len(); i++ {
				x := values.Index(i)
				if x.CanFloat() {
					last = append(last, x.Float())
				} else {
					last = append(last, x.Convert(reflect.TypeFor[float64]()).Float())
				}
			}
			return err
		}
		a, err := sssp.Shared(&sssp.SSSP{Source: "10", Method: sssp.DeltaStepping}).Run(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		for v, d := range distances(a.Table.Columns[0]) {
			if a.Table.Columns[1].Vertices[v] != graph.None && last[v] != d {
				t.Fatalf("%v: vertex %d has distance %v, and %v in the last state", kind, v, d, last[v])
			}
		}
	}
}
