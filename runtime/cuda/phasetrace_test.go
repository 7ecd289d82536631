//go:build cuda || emulate

package cuda_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/trace"
	"gopregel/programs/mst"
	"gopregel/programs/scc"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// Programs of own kernels have what the phases of the CPU have: bytes by the one formula,
// atomic operations, and why; and where both read the same arcs, they count as many.
func TestTraceOfOwnKernels(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 13))
	device, host, rules := open(t, cuda.Options{}), cpu.New(cpu.Options{Workers: 2}), map[string]bool{}
	for i := range 6 {
		n, directed := 300+r.IntN(1500), i%2 == 0
		m := n + r.IntN(9*n)
		if i == 0 {
			m = max(m, 4*n) // a component for scc to search, whatever is drawn
		}
		g := random(t, r, n, m, directed)
		if i > 1 {
			g = g.WithWeights(func(u, v uint32) int32 { return int32((u^v)*2654435761>>25) + 1 })
		}
		offset := uint64(4)
		if device.Wide = i%3 == 2; device.Wide {
			offset = 8
		} else if i == 1 {
			g = pregeltest.Widened(g) // on the host alone
		}
		for _, order := range []string{"", "degree"} {
			if g := prepared(t, g, order); true {
				what := fmt.Sprintf("%d vertices, %d arcs, directed %v, order %q", n, g.Arcs(), directed, order)
				for _, a := range []pregel.Algorithm{wcc.New(), mst.New(), scc.New(), &sssp.SSSP{Method: sssp.DeltaStepping, Source: sender(g)}} {
					what := fmt.Sprintf("%T, %s", a, what)
					got, want := traceOf(t, what, g, device, 1, trace.None, a), traceOf(t, what, g, host, 1, trace.None, a)
					sameKeys(t, what, got, want)
					for i := range got.Steps {
						s := &got.Steps[i].Superstep
						rules[ruleOf(s.Why)] = true
						checkBytes(t, what, g, a, s, offset)
					}
					checkArcs(t, what, g, a, order, got, want)
				}
			}
		}
	}
	for _, rule := range []string{"second arcs are looked at too", "vertices in it skip their arcs", "all vertices look at all their arcs", "stand by degree",
		"all arcs of a list", "lists in order of weight", "both searches from the pivot have ended", "windows of distances"} {
		found := false
		for text := range rules {
			found = found || strings.Contains(text, rule)
		}
		if !found {
			t.Errorf("no superstep because %q: %v", rule, rules)
		}
	}
}

// ruleOf leaves numbers out.
func ruleOf(why string) string {
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return -1
		}
		return c
	}, why)
}

func prepared(t *testing.T, g *graph.Graph, order string) *graph.Graph {
	t.Helper()
	if order == "" {
		return g
	}
	p, err := pregel.Prepare(t.Context(), g, order, 1)
	if err != nil {
		t.Fatal(err)
	}
	return p.Graph
}

// sameKeys holds what each engine's records have beside the other's.
func sameKeys(t *testing.T, what string, got, want *trace.Run) {
	t.Helper()
	has := func(run *trace.Run) (bytes, atomics, why bool) {
		for i := range run.Steps {
			s := &run.Steps[i].Superstep
			if s.Atomics == nil {
				t.Errorf("%s: no atomics in %+v", what, s)
			}
			bytes, atomics, why = bytes || s.Bytes > 0, atomics || s.Atomics != nil, why || s.Why != ""
		}
		return bytes, atomics, why
	}
	b, a, w := has(got)
	if b2, a2, w2 := has(want); b != b2 || a != a2 || w != w2 {
		t.Errorf("%s: bytes %v, atomics %v, why %v; on the CPU %v, %v, %v", what, b, a, w, b2, a2, w2)
	}
}

// checkBytes holds an estimate to its formula, with the sizes on a device, where an offset has
// so many bytes.
func checkBytes(t *testing.T, what string, g *graph.Graph, a pregel.Algorithm, s *trace.Superstep, offset uint64) {
	t.Helper()
	value, end, weight, listed := uint64(4), uint64(4), uint64(0), uint64(8)
	if g.Weighted() != graph.Unweighted {
		weight = 4
	}
	switch a.(type) {
	case *wcc.WCC:
		weight, listed = 0, 0
	case *scc.SCC:
		weight = 0
		if !g.Directed() {
			listed = 0 // as wcc
		}
	case *mst.MST:
		value = 12
	}
	bytes := s.Arcs*(4+end+weight) + s.Awake*(2*value+listed)
	if s.Arcs > 0 {
		bytes += 2 * offset * s.Awake
	}
	if s.Bytes != bytes || s.Direction != "" || *s.Atomics > 2*(s.Arcs+s.Awake) {
		t.Errorf("%s: %d bytes, want %d; %d atomics: %+v", what, s.Bytes, bytes, *s.Atomics, s)
	}
}

func sums(run *trace.Run) (arcs, atomics uint64) {
	for i := range run.Steps {
		arcs, atomics = arcs+run.Steps[i].Arcs, atomics+*run.Steps[i].Atomics
	}
	return arcs, atomics
}

// checkArcs holds counts to what follows from the graph, and to the CPU's.
func checkArcs(t *testing.T, what string, g *graph.Graph, a pregel.Algorithm, order string, got, want *trace.Run) {
	t.Helper()
	first, second := uint64(0), uint64(0) // vertices with so many arcs at least
	for v := range uint32(g.N()) {
		first += min(g.Out().Degree(v), 1)
		second += min(g.Out().Degree(v)/2, 1)
	}
	arcs, atomics := sums(got)
	others, joins := sums(want)
	zero := got.Steps[0].Arcs
	switch a.(type) {
	case *wcc.WCC:
		if order == "" && zero != first && zero != first+second {
			t.Errorf("%s: %d first arcs, and %d second; %d were read", what, first, second, zero)
		}
		if order == "" && g.Directed() && (arcs != zero+g.Arcs() || !g.HasIn() && others != first+second+g.Arcs()) {
			t.Errorf("%s: %d arcs of %d after %d first ones, on the CPU %d", what, arcs-zero, g.Arcs(), zero, others)
		}
		if least := joinsNeeded(g); order == "" && (atomics < least || joins < least && g.Arcs() < 8*uint64(g.N())) {
			t.Errorf("%s: %d compare-and-swaps, on the CPU %d, and %d are needed", what, atomics, joins, least)
		}
	case *mst.MST:
		all := want.Steps[0].Arcs
		if order == "" && g.Directed() {
			all *= 2 // both lists of a vertex
		}
		if order == "" && zero != all || order != "" && !g.Directed() && zero < first {
			t.Errorf("%s: %d arcs read in round 0, on the CPU %d", what, zero, want.Steps[0].Arcs)
		}
		if got.Steps[0].Awake != want.Steps[0].Awake {
			t.Errorf("%s: %d awake in round 0, on the CPU %d", what, got.Steps[0].Awake, want.Steps[0].Awake)
		}
	case *sssp.SSSP:
		if atomics > arcs || others > 0 && arcs == 0 {
			t.Errorf("%s: %d atomics along %d arcs, on the CPU %d", what, atomics, arcs, others)
		}
	}
}

// joinsNeeded is how many trees are joined to others when every vertex whose first
// neighbour is less has gone below that.
func joinsNeeded(g *graph.Graph) (trees uint64) {
	parent := make([]uint32, g.N())
	join := func(u, v uint32) uint64 {
		for parent[u] != u {
			u = parent[u]
		}
		for parent[v] != v {
			v = parent[v]
		}
		parent[max(u, v)] = min(u, v)
		if u == v {
			return 0
		}
		return 1
	}
	for v := range parent {
		parent[v] = uint32(v)
		if vs := g.Out().Neighbors(uint32(v)); len(vs) > 0 {
			parent[v] = min(uint32(v), vs[0])
		}
	}
	for u := range uint32(g.N()) {
		for _, v := range g.Out().Neighbors(u) {
			trees += join(u, v)
		}
	}
	return trees
}
