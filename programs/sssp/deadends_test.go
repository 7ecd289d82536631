package sssp_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/sssp"
	"gopregel/runtime/cpu"
)

// From trees with a few arcs more, most of whose vertices are dead ends, distances are those of
// the reference, whichever vertex is the source: one within, a dead end or one that is alone. Only
// the source is looked at of those that lead nowhere but back.
func TestDeadEnds(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 41))
	for i := range race.Times(120) {
		n, least, span, shared := 2+r.IntN(400), r.IntN(2), 60, i%5 == 0
		if shared { // buckets are of so many that several workers do take them
			n, span = n+20_000, 2
		}
		directed, kind := i%2 > 0, []graph.WeightKind{graph.Int32, graph.Float32}[i/2%2]
		g := build(t, n, bushy(r, n, kind, least, span), directed)
		source := r.Uint32N(uint32(n))
		a := &sssp.SSSP{Source: pregel.ID(g.IDs().Text(source)), Method: sssp.DeltaStepping, Parents: new(i%3 > 0), Delta: float64(r.IntN(2) * (1 + r.IntN(40)))}
		if shared {
			a = sssp.Shared(a)
		}
		o := cpu.Options{Workers: 1 + r.IntN(3)}
		want := reference(g, source)
		for v, d := range distances(run(t, g, a, o).Table.Columns[0]) {
			if d != want[v] && math.Abs(d-want[v]) > 1e-9 {
				t.Fatalf("%+v: distance of %d is %v, want %v", a, v, d, want[v])
			}
		}
		if kind == graph.Int32 && least > 0 {
			checkLooks(t, g, a, o, want, source)
		}
	}
}

// checkLooks counts the vertices that are looked at, each once if those of a bucket are equally far: none
// is lowered in it.
func checkLooks(t *testing.T, g *graph.Graph, a *sssp.SSSP, o cpu.Options, dist []float64, source uint32) {
	t.Helper()
	within := uint64(0)
	for v := range uint32(g.N()) {
		if least := map[bool]uint64{true: 1, false: 2}[g.Directed()]; !math.IsInf(dist[v], 1) && (v == source || g.Out().Degree(v) >= least) {
			within++
		}
	}
	looked := uint64(0)
	b := *a
	b.Delta = 1
	j := &pregel.Job{Graph: g, Engine: cpu.New(o), Observe: func(s pregel.StepRecord) { looked += s.Awake }}
	if _, err := b.Run(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	if looked != within {
		t.Fatalf("%+v: %d vertices were looked at, want %d", b, looked, within)
	}
}

// bushy is a forest, with a few arcs more, of weights from least on, so many; the last vertices are alone.
func bushy(r *rand.Rand, n int, kind graph.WeightKind, least, span int) (c graph.Columns) {
	rooted := max(n*9/10, 1)
	for v := 1; v < rooted; v++ {
		weigh(&c, kind, uint32(r.IntN(1+v/3)), uint32(v), least+r.IntN(span))
	}
	for range n / 8 {
		weigh(&c, kind, r.Uint32N(uint32(rooted)), r.Uint32N(uint32(rooted)), least+r.IntN(span))
	}
	return c
}
