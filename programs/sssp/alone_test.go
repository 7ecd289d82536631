package sssp_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/internal/trial"
	"gopregel/programs/sssp"
	"gopregel/runtime/cpu"
)

// Distances alone are those of plain relaxation, for weights of all kinds and sizes, on
// graphs as they are and prepared, however they are found; what differs is not certified.
func TestDistancesAlone(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 11))
	for i := range 40 {
		n, kind, most := 1+r.IntN(700), graph.WeightKind(r.IntN(3)), 1<<(1+r.IntN(30))
		g := build(t, n, randomColumns(r, n, r.IntN(6*n+1), kind, r.IntN(2), most), i%2 == 0)
		from := r.Uint32N(uint32(n))
		want := reference(g, from)
		for _, method := range []string{sssp.DeltaStepping, sssp.BellmanFord} {
			a := some(r, &sssp.SSSP{Source: pregel.ID(g.IDs().Text(from)), Method: method, Parents: new(false)})
			answer := trial.Everywhere(t, g, a)
			onlyDistances(t, answer, want)
			refuted(t, g, a, answer, r.Uint32N(uint32(n)))
			for _, order := range pregel.Orders {
				p, err := pregel.Prepare(t.Context(), g, order, 2)
				if err != nil {
					t.Fatal(err)
				}
				o := []cpu.Options{{Workers: 1}, {Workers: 3}, {Workers: 2, Schedule: pregel.Relaxed}, {Workers: 2, Strict: true}}[r.IntN(4)]
				if answer, err = p.Run(t.Context(), a, &pregel.Job{Engine: cpu.New(o)}); err != nil {
					t.Fatal(err)
				}
				onlyDistances(t, answer, want)
			}
		}
	}
}

func onlyDistances(t *testing.T, a *pregel.Answer, want []float64) {
	t.Helper()
	c := a.Table.Columns
	if len(c) != 1 || c[0].Name != "distance" || !slices.Equal(distances(c[0]), want) {
		t.Fatalf("%d columns, the first %s: not the distances alone that relaxation gives", len(c), c[0].Name)
	}
}

// refuted has a distance of an answer that is another refused.
func refuted(t *testing.T, g *graph.Graph, a *sssp.SSSP, answer *pregel.Answer, v uint32) {
	t.Helper()
	wrong := answer.Table.Columns[0]
	if wrong.Ints != nil {
		wrong.Ints = slices.Clone(wrong.Ints)
		wrong.Ints[v] -= 1
	} else {
		wrong.Floats = slices.Clone(wrong.Floats)
		wrong.Floats[v] = math.Nextafter(min(wrong.Floats[v], math.MaxFloat64), -1)
	}
	if err := a.Certify(t.Context(), g, &pregel.Table{PerVertex: true, Columns: []pregel.Column{wrong}}); err == nil {
		t.Fatalf("vertex %d: a distance that is less than %v was certified", v, distances(answer.Table.Columns[0])[v])
	}
}

// On either side of the last distance that fits in 32 bits.
func TestDistancesAloneBeyond32Bits(t *testing.T) {
	t.Parallel()
	const step = 1 << 27
	for _, last := range []int32{step - 1, step, step + 1, math.MaxInt32} { // 15 steps before it: about 2^31
		c := graph.Columns{}
		for v := range uint32(16) {
			c.U, c.V, c.Weights.Int = append(c.U, v), append(c.V, v+1), append(c.Weights.Int, step)
		}
		c.Weights.Int[15] = last
		g := build(t, 17, c, true)
		for _, workers := range []int{1, 2} {
			answer := run(t, g, &sssp.SSSP{Source: "10", Method: sssp.DeltaStepping, Parents: new(false)}, cpu.Options{Workers: workers})
			if d := answer.Table.Columns[0].Ints[16]; d != 15*step+int64(last) {
				t.Errorf("distance %d, want %d", d, 15*step+int64(last))
			}
		}
	}
}

// A search that is cut short has distances that are too long at the most, and says what
// it reached.
func TestDistancesAloneKept(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 12))
	g := build(t, 900, randomColumns(r, 900, 4000, graph.Int32, 1, 90), false)
	want := reference(g, 0)
	alone := &sssp.SSSP{Source: "10", Method: sssp.DeltaStepping, Parents: new(false)}
	check := func(t *testing.T, stopped *pregel.Answer) {
		reached := 0
		for v, d := range distances(stopped.Table.Columns[0]) {
			if !math.IsInf(d, 1) {
				reached++
			}
			if d < want[v] || stopped.Stop.Reason == pregel.Halted && d != want[v] {
				t.Fatalf("%v: vertex %d has distance %v, want %v", stopped.Stop, v, d, want[v])
			}
		}
		if len(stopped.Table.Columns) != 1 || stopped.Summary[0].Value != reached {
			t.Fatalf("%v: %d columns, %v, %d are reached", stopped.Stop, len(stopped.Table.Columns), stopped.Summary, reached)
		}
	}
	trial.Early(t, g, alone, check)
	trial.Early(t, g, sssp.Shared(alone), check)
}
