package sssp_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/sssp"
	"gopregel/runtime/cpu"
)

// reference relaxes all arcs until nothing changes; nil when that never ends.
func reference(g *graph.Graph, source uint32) []float64 {
	dist := slices.Repeat([]float64{math.Inf(1)}, g.N())
	dist[source] = 0
	out := g.Out()
	for round := 0; ; round++ {
		changed := false
		for u := range uint32(g.N()) {
			for i, v := range out.Neighbors(u) {
				if d := dist[u] + out.Weights.At(out.Offsets.At(u)+uint64(i)); d < dist[v] {
					dist[v], changed = d, true
				}
			}
		}
		if !changed {
			return dist
		}
		if round > g.N() {
			return nil
		}
	}
}

// randomColumns are arcs with weights from least to most, of either kind.
func randomColumns(r *rand.Rand, n, m int, kind graph.WeightKind, least, most int) graph.Columns {
	c := graph.Columns{}
	for range m {
		u, v := r.Uint32N(uint32(n)), r.Uint32N(uint32(n))
		weigh(&c, kind, u, v, least+r.IntN(most-least+1))
	}
	return c
}

// weigh adds an arc.
func weigh(c *graph.Columns, kind graph.WeightKind, u, v uint32, w int) {
	c.U, c.V = append(c.U, u), append(c.V, v)
	switch kind {
	case graph.Int32:
		c.Weights.Int = append(c.Weights.Int, int32(w))
	case graph.Float32:
		c.Weights.Float = append(c.Weights.Float, float32(w)*0.37)
	}
}

func build(t *testing.T, n int, c graph.Columns, directed bool) *graph.Graph {
	t.Helper()
	g, err := graph.Build(t.Context(), graph.RangeIDs(10, n), c, graph.Options{Directed: directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func run(t *testing.T, g *graph.Graph, a *sssp.SSSP, o cpu.Options) *pregel.Answer {
	t.Helper()
	answer, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(o)})
	if err != nil || answer.Stop.Reason != pregel.Halted {
		t.Fatalf("%+v: %v %v", a, answer, err)
	}
	if err := a.Certify(t.Context(), g, &answer.Table); err != nil {
		t.Fatalf("%+v %+v: %v", a, o, err)
	}
	reached, longest := 0, 0.0
	for _, d := range distances(answer.Table.Columns[0]) {
		if !math.IsInf(d, 1) {
			reached, longest = reached+1, max(longest, d)
		}
	}
	if want := fmt.Sprintf("[{reached %d} {greatest distance %v}]", reached, longest); fmt.Sprintf("%v", floats(answer.Summary)) != want {
		t.Fatalf("%+v %+v: summary %v, want %v", a, o, answer.Summary, want)
	}
	return answer
}

// floats are facts with a float for each whole distance.
func floats(facts []pregel.Fact) []pregel.Fact {
	facts = slices.Clone(facts)
	for i, f := range facts {
		if d, whole := f.Value.(int64); whole {
			facts[i].Value = float64(d)
		}
	}
	return facts
}

// In place and as a program: buckets far apart, distances about the last that
// fits in 32 bits and beyond, steps of all widths.
func TestInPlace(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	for i := range 60 {
		n, kind := 1+r.IntN(600), graph.WeightKind(r.IntN(3))
		most := 1 << (1 + r.IntN(30))
		g := build(t, n, randomColumns(r, n, r.IntN(4*n+1), kind, r.IntN(2)*most/2, most), i%2 == 0)
		a := &sssp.SSSP{Source: pregel.ID(g.IDs().Text(r.Uint32N(uint32(n)))), Method: sssp.DeltaStepping}
		if r.IntN(2) == 0 {
			a.Delta = math.Exp2(float64(r.IntN(40) - 8))
			if r.IntN(4) == 0 {
				a.Delta = math.SmallestNonzeroFloat64
			}
		}
		want := run(t, g, a, cpu.Options{Workers: 2, Strict: true}).Table.Columns
		for _, workers := range race.Workers(1, 2, 5) {
			got := run(t, g, some(r, a), cpu.Options{Workers: workers}).Table.Columns
			if !slices.Equal(distances(got[0]), distances(want[0])) || !slices.Equal(got[1].Vertices, want[1].Vertices) {
				t.Fatalf("n %d, weights %v up to %d, delta %v, %d workers: not the answer of the program", n, kind, most, a.Delta, workers)
			}
		}
	}
	const step = 1 << 27
	for _, last := range []int32{step - 1, step, step + 1} { // 15 steps before it: about 2^31
		c := graph.Columns{}
		for v := range uint32(16) {
			c.U, c.V, c.Weights.Int = append(c.U, v), append(c.V, v+1), append(c.Weights.Int, step)
		}
		c.Weights.Int[15] = last
		g := build(t, 17, c, true)
		answer := run(t, g, &sssp.SSSP{Source: "10", Method: sssp.DeltaStepping}, cpu.Options{Workers: 2})
		if d := answer.Table.Columns[0].Ints[16]; d != 15*step+int64(last) {
			t.Errorf("distance %d, want %d", d, 15*step+int64(last))
		}
	}
}

// some is a, or a with several workers for its buckets however small the graph is.
func some(r *rand.Rand, a *sssp.SSSP) *sssp.SSSP {
	if r.IntN(4) == 0 {
		return a
	}
	return sssp.Shared(a)
}

// distances returns the column as floats.
func distances(c pregel.Column) []float64 {
	dist := slices.Clone(c.Floats)
	for _, d := range c.Ints {
		if d == pregel.NoInt {
			dist = append(dist, math.Inf(1))
		} else {
			dist = append(dist, float64(d))
		}
	}
	return dist
}

func TestAgainstRelaxation(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, size := range [][2]int{{1, 3}, {65, 300}, {800, 1500}, {800, 9000}} {
		for _, kind := range []graph.WeightKind{graph.Unweighted, graph.Int32, graph.Float32} {
			for _, most := range []int{0, 2, 255} { // with many zeros, and with few
				g := build(t, size[0], randomColumns(r, size[0], size[1], kind, 0, most), most != 2)
				source := r.Uint32N(uint32(size[0]))
				compare(t, r, g, source, reference(g, source))
			}
		}
	}
}

func compare(t *testing.T, r *rand.Rand, g *graph.Graph, source uint32, want []float64) {
	t.Helper()
	var parent []uint32
	for _, method := range []string{sssp.DeltaStepping, sssp.BellmanFord} {
		for _, workers := range race.Workers(1, 2, 3, 8) {
			for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
				a := &sssp.SSSP{Source: pregel.ID(g.IDs().Text(source)), Method: method, Delta: float64(r.IntN(3)) * r.Float64() * 50}
				answer := run(t, g, some(r, a), cpu.Options{Workers: workers, Direction: d})
				if got := distances(answer.Table.Columns[0]); !slices.Equal(got, want) {
					t.Fatalf("%+v, %d workers, %v: distances differ", a, workers, d)
				}
				if p := answer.Table.Columns[1].Vertices; parent == nil {
					parent = p
				} else if !slices.Equal(p, parent) {
					t.Fatalf("%+v, %d workers, %v: parents differ", a, workers, d)
				}
			}
		}
	}
}

func TestNegativeWeights(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	cycles, paths := 0, 0
	for i := range 300 {
		n, least := 2+r.IntN(40), -2
		if i%12 == 0 { // no negative cycle, whatever is drawn
			least = 0
		}
		kind := []graph.WeightKind{graph.Int32, graph.Float32}[r.IntN(2)]
		c, source := randomColumns(r, n, r.IntN(3*n), kind, least, 12), r.Uint32N(uint32(n))
		if i%12 == 1 { // one at least
			next := (source + 1) % uint32(n)
			weigh(&c, kind, source, next, 1)
			weigh(&c, kind, next, source, -2)
		}
		g := build(t, n, c, true)
		a := &sssp.SSSP{Source: pregel.ID(g.IDs().Text(source)), Method: sssp.BellmanFord}
		want := reference(g, source)
		if want != nil {
			paths++
			got := distances(run(t, g, a, cpu.Options{Workers: 2}).Table.Columns[0])
			for v := range want {
				if got[v] != want[v] && math.Abs(got[v]-want[v]) > 1e-9 {
					t.Fatalf("distance of %d is %v, want %v", v, got[v], want[v])
				}
			}
			continue
		}
		cycles++
		_, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})})
		checkCycle(t, g, err)
	}
	if cycles < 20 || paths < 20 {
		t.Errorf("%d graphs with a negative cycle and %d without: the test is one-sided", cycles, paths)
	}
}

// checkCycle adds up the cycle that the error names.
func checkCycle(t *testing.T, g *graph.Graph, err error) {
	t.Helper()
	var c *sssp.NegativeCycle
	if !errors.As(err, &c) {
		t.Fatalf("error %v, want a negative cycle", err)
	}
	sum := 0.0
	for i, u := range c.Vertices {
		v := c.Vertices[(i+1)%len(c.Vertices)]
		best := math.Inf(1)
		for k, x := range g.Out().Neighbors(u) {
			if x == v {
				best = min(best, g.Out().Weights.At(g.Out().Offsets.At(u)+uint64(k)))
			}
		}
		sum += best
	}
	if !(sum < 0) {
		t.Fatalf("%v: the arcs of %v weigh %v", err, c.Vertices, sum)
	}
	if want := "vertex " + g.IDs().Text(slices.Min(c.Vertices)); !strings.Contains(err.Error(), want) {
		t.Fatalf("error %q does not name %s", err, want)
	}
}

// A negative cycle is found though self-loops of weight 0 lie on it, which hide
// it from who looks at tight arcs alone.
func TestNegativeCycleBehindLoops(t *testing.T) {
	const n = 7
	c := graph.Columns{}
	for u := range uint32(n) {
		c.U, c.V, c.Weights.Int = append(c.U, u, u), append(c.V, u, (u+1)%n), append(c.Weights.Int, 0, 1)
	}
	c.Weights.Int[1] = -n
	g := build(t, n, c, true)
	_, err := (&sssp.SSSP{Source: "13", Method: sssp.BellmanFord}).Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})})
	checkCycle(t, g, err)
}

// A negative cycle at the end of a path is found in the first look that reaches it:
// that after s supersteps goes s arcs further, and one more closes the cycle.
func TestNegativeCycleBehindPath(t *testing.T) {
	for n := uint32(2); n < 140; n++ {
		c := graph.Columns{}
		for u := range n - 1 {
			c.U, c.V, c.Weights.Int = append(c.U, u), append(c.V, u+1), append(c.Weights.Int, -1)
		}
		c.U, c.V, c.Weights.Int = append(c.U, n-1), append(c.V, n-2), append(c.Weights.Int, 0)
		g := build(t, int(n), c, true)
		j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Schedule: pregel.BSP})}
		_, err := (&sssp.SSSP{Source: "10", Method: sssp.BellmanFord}).Run(t.Context(), j)
		checkCycle(t, g, err)
		s := 4
		for 2*s+1 < int(n) {
			s *= 2
		}
		if got := j.Supersteps(); got != s+1 {
			t.Errorf("path of %d: found after %d supersteps, want %d", n, got, s+1)
		}
	}
}

func TestWeightErrors(t *testing.T) {
	for _, c := range []struct {
		weights graph.Weights
		method  string
		want    string
	}{
		{graph.Weights{Int: []int32{1, -3}}, sssp.DeltaStepping, "sssp: edge 11 → 12 has weight -3, want at least 0 (or method: bellman-ford)"},
		{graph.Weights{Float: []float32{1, -0.5}}, sssp.DeltaStepping, "sssp: edge 11 → 12 has weight -0.5, want at least 0 (or method: bellman-ford)"},
		{graph.Weights{Float: []float32{float32(math.NaN()), 1}}, sssp.BellmanFord, "sssp: edge 10 → 11 has weight NaN, want a finite number"},
		{graph.Weights{Float: []float32{1, float32(math.Inf(1))}}, sssp.DeltaStepping, "sssp: edge 11 → 12 has weight +Inf, want a finite number"},
	} {
		g := build(t, 3, graph.Columns{U: []uint32{0, 1}, V: []uint32{1, 2}, Weights: c.weights}, true)
		_, err := (&sssp.SSSP{Source: "10", Method: c.method}).Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})})
		if err == nil || err.Error() != c.want {
			t.Errorf("error %v\nwant  %s", err, c.want)
		}
	}
}

// Distances beyond 2^24 are exact, where float32 would have lost the last
// digits.
func TestLongPathsAreExact(t *testing.T) {
	const n = 3000
	c := graph.Columns{}
	want := int64(0)
	for u := range uint32(n - 1) {
		w := int32(math.MaxInt32 - int32(u))
		c.U, c.V, c.Weights.Int = append(c.U, u), append(c.V, u+1), append(c.Weights.Int, w)
		want += int64(w)
	}
	g := build(t, n, c, true)
	answer := run(t, g, &sssp.SSSP{Source: "10", Method: sssp.DeltaStepping}, cpu.Options{})
	if got := answer.Table.Columns[0].Ints[n-1]; got != want {
		t.Fatalf("distance %d, want %d", got, want)
	}
}
