package pagerank_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/pregeltest"
	"gopregel/programs/internal/trial"
	"gopregel/programs/pagerank"
)

// By what share ranks may differ from those of another order of addition: of
// float64, and of float32.
const (
	share64 = 1e-9
	share32 = 1e-4
)

// TestDevice runs on graphs of every shape and larger random ones, to the
// tolerance and for a number of iterations, in both precisions.
func TestDevice(t *testing.T) {
	trial.Device(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	cases := trial.Graphs(seed)
	if !testing.Short() {
		for _, size := range [][2]int{{3000, 5000}, {60_000, 900_000}, {200_000, 250_000}} {
			cases = append(cases, pregeltest.Case{Name: "random directed", Graph: trial.Random(r, size[0], size[1], 0, true)},
				pregeltest.Case{Name: "random undirected", Graph: trial.Random(r, size[0], size[1], 0, false)})
		}
	}
	for i, c := range cases {
		if testing.Short() && i%3 > 0 {
			continue
		}
		trial.OnDevice(t, c.Name, c.Graph, &pagerank.PageRank{Damping: 0.85, Iterations: 7, Precision: pagerank.Float64}, share64)
		trial.OnDevice(t, c.Name, c.Graph, &pagerank.PageRank{Damping: 0.85, Iterations: 7, Precision: pagerank.Float32}, share32)
		trial.OnDevice(t, c.Name, c.Graph, &pagerank.PageRank{Damping: 0.5, Tolerance: 1e-10, Precision: pagerank.Float64}, 1e-6)
	}
}

// Larger shapes, a hub of a million arcs among them, against the equation. In
// float32 a sum of a million numbers is the equation's within hub32, on the
// device, which adds pieces of it; the CPU adds them one by one.
func TestDeviceShapes(t *testing.T) {
	const hub32 = 1e-3
	e := trial.Device(t)
	r := trial.Rand(t)
	for _, c := range append(trial.Shapes(t, r, true), trial.Shapes(t, r, false)...) {
		want := reference(c.Graph, 0.85, 4)
		got := trial.OnDevice(t, c.Name, c.Graph, &pagerank.PageRank{Damping: 0.85, Iterations: 4, Precision: pagerank.Float64}, share64)
		near(t, c.Name, got, want, share64)
		got, err := (&pagerank.PageRank{Damping: 0.85, Iterations: 4, Precision: pagerank.Float32}).Run(t.Context(), &pregel.Job{Graph: c.Graph, Engine: e})
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		near(t, c.Name+", float32", got, want, hub32)
	}
}

func near(t *testing.T, name string, got *pregel.Answer, want []float64, share float64) {
	t.Helper()
	for v, x := range got.Table.Columns[0].Floats {
		if !(math.Abs(x-want[v]) <= share*want[v]) {
			t.Fatalf("%s: rank of vertex %d is %v, by the equation %v", name, v, x, want[v])
		}
	}
}

// However many iterations there are, the last tells by how much it changes the ranks.
func TestDeviceTellsTheChange(t *testing.T) {
	e := trial.Device(t)
	g := trial.Random(trial.Rand(t), 300, 2000, 0, true)
	for n := 1; n < 7; n++ {
		before, want, change := reference(g, 0.85, n-1), reference(g, 0.85, n), 0.0
		for v := range want {
			change += math.Abs(want[v] - before[v])
		}
		got, err := (&pagerank.PageRank{Damping: 0.85, Iterations: n, Precision: pagerank.Float64}).Run(t.Context(), &pregel.Job{Graph: g, Engine: e})
		if err != nil {
			t.Fatal(err)
		}
		if m := got.Stop.Metric; m.Name != "L1 change" || !(math.Abs(m.Value-change) <= share64*change) {
			t.Errorf("after %d iterations %s is %v, by the equation %v", n, m.Name, m.Value, change)
		}
	}
}

// On a device, too, no tolerance is too small.
func TestDeviceSettles(t *testing.T) {
	e := trial.Device(t)
	for i, c := range trial.Graphs(9) {
		if c.Graph.N() == 0 || testing.Short() && i%4 > 0 {
			continue
		}
		for precision, roundoff := range map[string]float64{pagerank.Float32: 0x1p-24, pagerank.Float64: 0x1p-53} {
			p := &pagerank.PageRank{Damping: 0.85, Tolerance: 1e-300, Precision: precision}
			answer, err := p.Run(t.Context(), &pregel.Job{Graph: c.Graph, Engine: e, MaxSupersteps: 2000})
			if err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			bound := 2 * roundoff * float64(2+inDegree(c.Graph)) / (1 - p.Damping)
			if s := answer.Stop; s.Reason != pregel.Converged && s.Reason != pregel.Halted || s.Metric.Value > bound {
				t.Errorf("%s, %s: %v, bound %.3g", c.Name, precision, s, bound)
			}
		}
	}
}

// Ranks of a prepared graph come back in the graph's own order, whoever brings them.
func TestDeviceBrings(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	for i, order := range pregel.Orders {
		g := trial.Random(r, 3000, 20_000, 0, i%2 == 0)
		trial.BringsItself(t, "float64", g, order, &pagerank.PageRank{Damping: 0.85, Iterations: 4 + r.IntN(2), Precision: pagerank.Float64}, share64)
		trial.BringsItself(t, "float32", g, order, &pagerank.PageRank{Damping: 0.85, Iterations: 4 + r.IntN(2), Precision: pagerank.Float32}, share32)
		trial.BringsItself(t, "till it converges", g, order, &pagerank.PageRank{Damping: 0.5, Tolerance: 1e-10, Precision: pagerank.Float64}, 1e-6)
	}
}
