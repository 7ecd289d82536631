package certify_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest/race"
)

// answers are right answers for a graph that is large enough to be checked in
// parallel, found by the certified algorithms' plainest forms.
type answers struct {
	g             *graph.Graph
	source        uint32
	depth, parent []uint32
	label, strong []uint32
	u, v          []uint32
	w             []int64
	dist          []int64
	tree          []uint32
}

func solve(t testing.TB, spec graphgen.Spec, directed bool) *answers {
	t.Helper()
	g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{Directed: &directed, Weights: graphgen.HashWeights})
	if err != nil {
		t.Fatal(err)
	}
	a := &answers{g: g}
	a.source, _ = g.Out().MaxDegree()
	a.breadthFirst()
	a.shortestPaths()
	a.join()
	a.strong = tarjan(g)
	return a
}

func nothing(n int) []uint32 {
	list := make([]uint32, n)
	for v := range list {
		list[v] = graph.None
	}
	return list
}

func (a *answers) breadthFirst() {
	a.depth, a.parent = nothing(a.g.N()), nothing(a.g.N())
	a.depth[a.source] = 0
	for round := []uint32{a.source}; len(round) > 0; {
		slices.Sort(round) // so that the first to reach a vertex is the least
		var next []uint32
		for _, u := range round {
			for _, v := range a.g.Out().Neighbors(u) {
				if a.depth[v] == graph.None {
					a.depth[v], a.parent[v] = a.depth[u]+1, u
					next = append(next, v)
				}
			}
		}
		round = next
	}
}

// shortestPaths relaxes from a queue. Weights are positive, so any tight arc
// makes a tree.
func (a *answers) shortestPaths() {
	out := a.g.Out()
	a.dist, a.tree = make([]int64, a.g.N()), nothing(a.g.N())
	for v := range a.dist {
		a.dist[v] = certify.Unreached[int64]()
	}
	a.dist[a.source] = 0
	waiting := make([]bool, a.g.N())
	for queue := []uint32{a.source}; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		waiting[u] = false
		for i, v := range out.Neighbors(u) {
			d := a.dist[u] + int64(out.Weights.Int[out.Offsets.At(u)+uint64(i)])
			if d < a.dist[v] {
				a.dist[v], a.tree[v] = d, u
				if !waiting[v] {
					queue, waiting[v] = append(queue, v), true
				}
			}
		}
	}
}

// join finds components and a minimum forest with one union-find.
func (a *answers) join() {
	out, n := a.g.Out(), a.g.N()
	a.label = make([]uint32, n)
	for v := range a.label {
		a.label[v] = uint32(v)
	}
	find := func(v uint32) uint32 {
		for a.label[v] != v {
			a.label[v] = a.label[a.label[v]]
			v = a.label[v]
		}
		return v
	}
	var byWeight [256][][2]uint32
	for u := range uint32(n) {
		for i, v := range out.Neighbors(u) {
			w := out.Weights.Int[out.Offsets.At(u)+uint64(i)]
			byWeight[w] = append(byWeight[w], [2]uint32{u, v})
		}
	}
	for w, list := range byWeight {
		for _, e := range list {
			if x, y := find(e[0]), find(e[1]); x != y {
				a.label[max(x, y)] = min(x, y)
				a.u, a.v, a.w = append(a.u, e[0]), append(a.v, e[1]), append(a.w, int64(w))
			}
		}
	}
	for v := range a.label {
		a.label[v] = find(uint32(v))
	}
}

// tarjan finds strongly connected components with an explicit stack.
func tarjan(g *graph.Graph) []uint32 {
	out, n := g.Out(), g.N()
	index, low, label := nothing(n), make([]uint32, n), nothing(n)
	next := make([]uint64, n)
	var calls, stack []uint32
	count := uint32(0)
	for root := range uint32(n) {
		if index[root] != graph.None {
			continue
		}
		calls = append(calls, root)
		for len(calls) > 0 {
			u := calls[len(calls)-1]
			if index[u] == graph.None {
				index[u], low[u], next[u] = count, count, out.Offsets.At(u)
				count++
				stack = append(stack, u)
			}
			if i := next[u]; i < out.Offsets.At(u+1) {
				next[u]++
				switch v := out.Targets[i]; {
				case index[v] == graph.None:
					calls = append(calls, v)
				case label[v] == graph.None:
					low[u] = min(low[u], low[v])
				}
				continue
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				p := calls[len(calls)-1]
				low[p] = min(low[p], low[u])
			}
			if low[u] == index[u] {
				at := slices.Index(stack, u)
				least := slices.Min(stack[at:])
				for _, v := range stack[at:] {
					label[v] = least
				}
				stack = stack[:at]
			}
		}
	}
	return label
}

// checks are all certificates of the answers.
func (a *answers) checks() map[string]func(ctx context.Context) error {
	return map[string]func(ctx context.Context) error{
		"bfs":        func(ctx context.Context) error { return certify.BFS(ctx, a.g, a.source, a.depth, a.parent) },
		"bfs depths": func(ctx context.Context) error { return certify.BFS(ctx, a.g, a.source, a.depth, nil) },
		"sssp":       func(ctx context.Context) error { return certify.SSSP(ctx, a.g, a.source, a.dist, a.tree) },
		"sssp distances": func(ctx context.Context) error {
			return certify.SSSP(ctx, a.g, a.source, a.dist, nil)
		},
		"wcc": func(ctx context.Context) error { return certify.Components(ctx, a.g, a.label) },
		"scc": func(ctx context.Context) error { return certify.SCC(ctx, a.g, a.strong) },
		"mst": func(ctx context.Context) error { return certify.MST(ctx, a.g, a.u, a.v, a.w) },
	}
}

func largeSpecs(r *rand.Rand) []graphgen.Spec {
	return []graphgen.Spec{
		{Kind: "kronecker", Scale: 13, Seed: r.Uint64()},
		{Kind: "uniform", Scale: 13, EdgeFactor: 4, Seed: r.Uint64()},
		{Kind: "grid", Rows: 200, Cols: 200},
	}
}

func TestLargeGraphs(t *testing.T) {
	r, _ := fresh()
	for _, spec := range largeSpecs(r) {
		for _, directed := range []bool{false, true} {
			a := solve(t, spec, directed)
			for name, check := range a.checks() {
				verdict(t, check(t.Context()), true, "%s of %v, directed %v", name, spec, directed)
			}
			for range race.Times(20) {
				a.breakOne(t, r, spec)
			}
		}
	}
}

// breakOne changes one value of each answer, and puts it back.
func (a *answers) breakOne(t *testing.T, r *rand.Rand, spec graphgen.Spec) {
	t.Helper()
	checks := a.checks()
	broken := func(name string, list []uint32, x uint32) {
		v := r.IntN(len(list))
		old := list[v]
		list[v] = x
		verdict(t, checks[name](t.Context()), old == x, "%s of %v, directed %v: %d for %d at %d", name, spec, a.g.Directed(), x, old, v)
		list[v] = old
	}
	n := uint32(a.g.N())
	broken("bfs", a.depth, r.Uint32N(10))
	broken("bfs depths", a.depth, r.Uint32N(10))
	broken("bfs", a.parent, r.Uint32N(n))
	broken("wcc", a.label, r.Uint32N(n))
	broken("scc", a.strong, r.Uint32N(n))
	v := r.IntN(len(a.dist))
	a.dist[v]++
	verdict(t, checks["sssp"](t.Context()), false, "sssp of %v at %d", spec, v)
	verdict(t, checks["sssp distances"](t.Context()), false, "sssp distances of %v at %d", spec, v)
	a.dist[v]--
	i := r.IntN(len(a.u))
	old := a.u[i]
	a.u[i] = a.v[i]
	verdict(t, checks["mst"](t.Context()), false, "mst of %v at %d", spec, i)
	a.u[i] = old
}

// Whoever checks first, the same violation is reported.
func TestSameViolationEachTime(t *testing.T) {
	r, seed := fresh()
	a := solve(t, largeSpecs(r)[0], true)
	for range 200 {
		v := r.IntN(a.g.N())
		a.depth[v] += 2
		a.dist[v] += 1000
		a.label[v] = uint32(v)
		a.strong[v] = uint32(v)
		a.w[v%len(a.w)]++
	}
	first := map[string]string{}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2, 3, 8, 8, 8, 8} {
		runtime.GOMAXPROCS(procs)
		for name, check := range a.checks() {
			err := check(t.Context())
			if err == nil {
				t.Fatalf("seed %d: %s accepted", seed, name)
			}
			if before, ok := first[name]; ok && before != err.Error() {
				t.Errorf("seed %d: %s on %d processors:\n%v\nbefore:\n%s", seed, name, procs, err, before)
			}
			first[name] = err.Error()
		}
	}
}

// The violation of the least vertex counts, also when that of another piece is
// found after it. Cliques make pieces that take long enough to overlap.
func TestLeastViolation(t *testing.T) {
	const n, clique, first, second = 2048, 64, 511, 1023 // the last of pieces 0 and 1
	var list []graph.Arc
	for v := range uint32(n) {
		for u := v / clique * clique; u < v; u++ {
			list = append(list, graph.Arc{U: u, V: v})
		}
	}
	g, err := graph.FromArcs(n, graph.ArcList{List: list}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	coefficient := make([]float64, n)
	for v := range coefficient {
		coefficient[v] = 1
	}
	coefficient[first], coefficient[second] = 0, 0
	for range 20 {
		var broken *certify.Violation
		if err := certify.LCC(t.Context(), g, coefficient, 0); !errors.As(err, &broken) || broken.Where != "vertex 511" {
			t.Fatal(err)
		}
	}
}

func TestCancelled(t *testing.T) {
	r, _ := fresh()
	a := solve(t, largeSpecs(r)[0], true)
	checks := a.checks()
	rank, zeros := uniformRanks(a.g.N()), make([]uint32, a.g.N())
	checks["pagerank"] = func(ctx context.Context) error { return certify.PageRank(ctx, a.g, rank, 0.85, 1) }
	checks["pagerank steps"] = func(ctx context.Context) error { return certify.PageRankSteps(ctx, a.g, rank, 0.85, 0, 1) }
	checks["cdlp"] = func(ctx context.Context) error { return certify.CDLP(ctx, a.g, zeros, 1) }
	checks["lcc"] = func(ctx context.Context) error { return certify.LCC(ctx, a.g, rank, 0) }
	checks["lcc sample"] = func(ctx context.Context) error { return certify.LCC(ctx, a.g, rank, 3) }
	checks["k-core"] = func(ctx context.Context) error { return certify.KCore(ctx, a.g, zeros) }
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, check := range checks {
		if err := check(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
