//go:build cuda || emulate

package cuda_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/trace"
	"gopregel/runtime/cuda"
)

// The trace of supersteps that end with a fused phase is that of the same supersteps done
// one at a time, where there are no such phases: who is awake, what is sent, how many have
// got a message. A program that ends within one, that goes on with another phase, that
// settles, that waits: each is met.
func TestTraceOfFusedPhases(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 16))
	seen := map[string]int{}
	for _, d := range []pregel.Direction{pregel.Push, pregel.Auto} {
		e := open(t, cuda.Options{Schedule: pregel.BSP, Direction: d})
		for i := range 3 {
			g := thin(t, r)
			if i == 0 {
				g = seekers(t, r, r.IntN(2) == 0)
			}
			g = g.WithWeights(func(u, v uint32) int32 { return int32((u^v)*2654435761>>26) + 1 })
			g.In()
			for name, a := range flooding(r, g) {
				batch := []int{2, 3, 7, 64, 1 << 12}[r.IntN(5)]
				what := fmt.Sprintf("%d vertices, directed %v, %s, %v, %d at a time", g.N(), g.Directed(), name, d, batch)
				sameCounts(t, what, traceOf(t, what, g, e, batch, trace.None, a), traceOf(t, what+", against 1", g, e, 1, trace.None, a), seen)
			}
		}
	}
	for _, key := range []string{"phase", "rule", "last"} {
		if seen[key] == 0 {
			t.Errorf("no superstep of a fused phase with %q: %v", key, seen)
		}
	}
}

// thin is a graph whose frontiers are small against it: strips of a few rows, some of whose
// vertices are joined to one further on.
func thin(t *testing.T, r *rand.Rand) *graph.Graph {
	t.Helper()
	var list []graph.Arc
	rows, length := uint32(1+r.IntN(4)), uint32(12+r.IntN(15))
	for v := range rows * length {
		if v+rows < rows*length {
			list = append(list, graph.Arc{U: v, V: v + rows})
		}
		if v%rows > 0 {
			list = append(list, graph.Arc{U: v, V: v - 1})
		}
		if r.IntN(8) == 0 {
			list = append(list, graph.Arc{U: v, V: min(v+1+r.Uint32N(2*rows), rows*length-1)})
		}
	}
	return build(t, 3000+r.IntN(1000), list, r.IntN(2) == 0)
}

func sameCounts(t *testing.T, what string, got, want *trace.Run, seen map[string]int) {
	t.Helper()
	if len(got.Steps) != len(want.Steps) {
		t.Fatalf("%s: %d supersteps, one at a time %d", what, len(got.Steps), len(want.Steps))
	}
	for s := range got.Steps {
		g, w := &got.Steps[s].Superstep, &want.Steps[s].Superstep
		if g.Awake != w.Awake || g.Next != w.Next || g.Direction == w.Direction && g.Arcs != w.Arcs {
			t.Fatalf("%s, superstep %d:\n%+v, one at a time\n%+v", what, s, g, w)
		}
		if g.Combined != nil && w.Combined != nil && *g.Combined != *w.Combined {
			t.Fatalf("%s, superstep %d: %d got a message, one at a time %d", what, s, *g.Combined, *w.Combined)
		}
		checkFused(t, what, got, s, seen)
	}
}

// checkFused holds superstep number s to what a fused phase leaves: its own time, and the
// rule of the superstep that it begins.
func checkFused(t *testing.T, what string, run *trace.Run, s int, seen map[string]int) {
	t.Helper()
	x, ended, released, sum := &run.Steps[s].Superstep, false, false, int64(0)
	for _, p := range x.Phases {
		sum += p.Workers[0]
		ended, released = ended || p.Name == "push and apply", released || p.Name == "release"
	}
	rule := loopRules["fused"].text.FindStringSubmatch
	if ended {
		seen["phase"]++
		if x.Combined == nil || sum != x.Nanoseconds {
			t.Fatalf("%s, superstep %d: phases of %d ns: %+v", what, s, sum, x)
		}
	}
	if s+1 == len(run.Steps) {
		if ended && x.Next == 0 {
			seen["last"]++
		}
		return
	}
	if run.Steps[s+1].Why == "the job asks for it" { // whatever the loop goes by
		return
	}
	m := rule(run.Steps[s+1].Why)
	if (m != nil) != (ended && !released) {
		t.Fatalf("%s: superstep %d %+v, then %+v", what, s, x, run.Steps[s+1].Superstep)
	}
	if m == nil {
		return
	}
	seen["rule"]++
	var have uint64
	if _, err := fmt.Sscan(m[1], &have); err != nil || have < *x.Combined {
		t.Fatalf("%s, superstep %d: %d got a message, then %q", what, s, *x.Combined, m[0])
	}
}
