package wcc_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	kernel "gopregel/kernels/reference"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest"
	"gopregel/programs/internal/trial"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
)

func generate(t *testing.T, kind string, params map[string]string, directed bool) *graph.Graph {
	t.Helper()
	spec, err := graphgen.Parse(kind, params)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{Directed: &directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// larger graphs: whole launches, lists read by a lane, a warp and in pieces, ways
// as long as the graph.
func larger(t *testing.T, r *rand.Rand) (list []pregeltest.Case) {
	if testing.Short() {
		return nil
	}
	add := func(name string, g *graph.Graph) { list = append(list, pregeltest.Case{Name: name, Graph: g}) }
	for _, directed := range []bool{false, true} {
		list = append(list, trial.Shapes(t, r, directed)...)
		for _, m := range []int{30000, 60000, 120000, 800000} {
			add("random", trial.Random(r, 100000, m, 0, directed))
		}
		const n = 300000
		path, shuffled, hub := graph.ArcList{}, graph.ArcList{}, graph.ArcList{}
		order := r.Perm(n)
		center := r.Uint32N(n)
		for v := range uint32(n - 1) {
			path.List = append(path.List, graph.Arc{U: v + 1, V: v})
			shuffled.List = append(shuffled.List, graph.Arc{U: uint32(order[v]), V: uint32(order[v+1])})
			if v%3 != 0 {
				hub.List = append(hub.List, graph.Arc{U: center, V: v})
			}
		}
		add("path", trial.Build(n, path, directed))
		add("shuffled path", trial.Build(n, shuffled, directed))
		add("hub", trial.Build(n, hub, directed))
		add("isolated", trial.Build(n, graph.ArcList{}, directed))
		add("kronecker", generate(t, "kronecker", map[string]string{"scale": "16"}, directed))
		add("grid", generate(t, "grid", map[string]string{"rows": "700", "cols": "500"}, directed))
	}
	return list
}

// The device gives what the CPU gives, certified, run after run.
func TestDevice(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	for _, c := range append(trial.Graphs(r.Uint64()), larger(t, r)...) {
		want, err := wcc.New().(*wcc.WCC).Components(t.Context(), &pregel.Job{Graph: c.Graph, Engine: cpu.New(cpu.Options{})})
		if err != nil {
			t.Fatal(err)
		}
		if plain := (&kernel.Components{Graph: c.Graph, Rand: r}).Run(); !slices.Equal(plain, want.Values) {
			t.Fatalf("%s: the reference differs from the CPU", c.Name)
		}
		for range 3 {
			check(t, c.Graph, wcc.New().(*wcc.WCC), e, want.Values)
			if testing.Short() {
				break
			}
		}
		check(t, c.Graph, &wcc.WCC{Method: wcc.Propagate}, e, want.Values)
	}
}

// Wide offsets change nothing.
func TestDeviceWide(t *testing.T) {
	e := trial.Device(t)
	e.Wide = true
	defer func() { e.Wide = false }()
	r := trial.Rand(t)
	for _, c := range larger(t, r) {
		want, err := wcc.New().(*wcc.WCC).Components(t.Context(), &pregel.Job{Graph: c.Graph, Engine: cpu.New(cpu.Options{})})
		if err != nil {
			t.Fatal(err)
		}
		check(t, c.Graph, wcc.New().(*wcc.WCC), e, want.Values)
	}
}

// A run stopped early gives labels of the vertex's own component.
func TestDeviceStoppedEarly(t *testing.T) {
	e := trial.Device(t)
	g := trial.Random(trial.Rand(t), 5000, 6000, 0, false)
	whole := kernel.Components{Graph: g, Rand: rand.New(rand.NewPCG(1, 1))}
	want := whole.Run()
	for k := 1; k <= 4; k++ {
		job := &pregel.Job{Graph: g, Engine: e, MaxSupersteps: k}
		result, err := wcc.New().(*wcc.WCC).Components(t.Context(), job)
		reason := pregel.MaxSupersteps
		if k == 4 {
			reason = pregel.Halted
		}
		if err != nil || result.Stop.Reason != reason || job.Supersteps() != k {
			t.Fatalf("limit %d: %v, %d supersteps, error %v", k, result.Stop, job.Supersteps(), err)
		}
		for v, l := range result.Values {
			if int(l) > v || want[l] != want[v] || k == 4 && l != want[v] {
				t.Fatalf("limit %d: vertex %d has label %d, its component is %d", k, v, l, want[v])
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	result, err := wcc.New().(*wcc.WCC).Components(ctx, &pregel.Job{Graph: g, Engine: e})
	if err != nil || result.Stop.Reason != pregel.Cancelled || len(result.Values) != g.N() {
		t.Fatalf("cancelled: %v, %d values, error %v", result.Stop, len(result.Values), err)
	}
}

// regular has 2·rounds ends of edges at every vertex, in cycles of random vertices
// shortest long or up to twice that: vertices stand by degree whatever their order.
func regular(r *rand.Rand, n, rounds, shortest int) graph.ArcList {
	list := graph.ArcList{}
	for range rounds {
		order := r.Perm(n)
		for from := 0; from < n; {
			to := min(n, from+shortest+r.IntN(shortest))
			for i := from; i < to; i++ {
				next := i + 1
				if next == to {
					next = from
				}
				list.List = append(list.List, oneWay(graph.Arc{U: uint32(order[i]), V: uint32(order[next])}, r.IntN(2) == 0))
			}
			from = to
		}
	}
	return list
}

// prepared are graphs that were renumbered: by degree, by locality, and not at
// all, of equal degrees.
func prepared(t *testing.T, r *rand.Rand) (list []pregeltest.Case) {
	add := func(name, order string, g *graph.Graph) {
		p, err := pregel.Prepare(t.Context(), g, order, 2)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, pregeltest.Case{Name: name + " by " + order, Graph: p.Graph})
	}
	for _, c := range append(trial.Graphs(r.Uint64()), larger(t, r)...) {
		add(c.Name, "degree", c.Graph)
		add(c.Name, "locality", c.Graph)
	}
	most := 40000
	if testing.Short() {
		most = 2000
	}
	for _, directed := range []bool{false, true} {
		for _, n := range []int{1, 31, 33, most} {
			for _, rounds := range []int{1, 2, 5} {
				for _, shortest := range []int{1, 2, 7, max(n/2, 1), 2 * n} {
					g := trial.Build(n, regular(r, n, rounds, shortest), directed)
					order := make([]uint32, n)
					for v := range order {
						order[v] = uint32(v)
					}
					same, err := g.Renumbered(t.Context(), order, 2)
					if err != nil {
						t.Fatal(err)
					}
					list = append(list, pregeltest.Case{Name: "regular", Graph: same})
				}
			}
		}
		for _, inward := range []bool{false, true} {
			add("stars", "degree", trial.Build(6*most, stars(r, most, inward), directed))
		}
	}
	return list
}

func oneWay(a graph.Arc, back bool) graph.Arc {
	if back {
		a.U, a.V = a.V, a.U
	}
	return a
}

// stars are three hubs; a leaf joins the first two, and only the long list of the
// second, or of one of its directions, tells so to those below that.
func stars(r *rand.Rand, n int, inward bool) graph.ArcList {
	list := graph.ArcList{}
	for leaf := uint32(3); leaf < uint32(6*n); leaf++ {
		hub := leaf % 3
		if leaf < uint32(n) {
			hub = 0 // the one with the most
		}
		list.List = append(list.List, oneWay(graph.Arc{U: hub, V: leaf}, r.IntN(2) == 0))
	}
	shared := 3 + 3*uint32(r.IntN(n))
	list.List = append(list.List, oneWay(graph.Arc{U: 1, V: shared}, inward))
	return list
}

// On a graph that has been reordered the device gives what the CPU gives.
func TestDevicePrepared(t *testing.T) {
	e := trial.Device(t)
	defer func() { e.Wide = false }()
	r := trial.Rand(t)
	for _, c := range prepared(t, r) {
		want, err := wcc.New().(*wcc.WCC).Components(t.Context(), &pregel.Job{Graph: c.Graph, Engine: cpu.New(cpu.Options{})})
		if err != nil {
			t.Fatal(err)
		}
		e.Wide = r.IntN(3) == 0
		check(t, c.Graph, wcc.New().(*wcc.WCC), e, want.Values)
	}
}

// A run on a prepared graph that is stopped early gives labels of the vertex's own
// component.
func TestDevicePreparedStoppedEarly(t *testing.T) {
	e := trial.Device(t)
	p, err := pregel.Prepare(t.Context(), trial.Random(trial.Rand(t), 3000, 3500, 0, false), "degree", 2)
	if err != nil {
		t.Fatal(err)
	}
	want, err := wcc.New().(*wcc.WCC).Components(t.Context(), &pregel.Job{Graph: p.Graph, Engine: cpu.New(cpu.Options{})})
	if err != nil {
		t.Fatal(err)
	}
	for k := 1; k <= 2; k++ {
		job := &pregel.Job{Graph: p.Graph, Engine: e, MaxSupersteps: k}
		result, err := wcc.New().(*wcc.WCC).Components(t.Context(), job)
		if err != nil || job.Supersteps() != k {
			t.Fatalf("limit %d: %d supersteps, error %v", k, job.Supersteps(), err)
		}
		for v, l := range result.Values {
			if int(l) > v || want.Values[l] != want.Values[v] || k == 2 && l != want.Values[v] {
				t.Fatalf("limit %d: vertex %d has label %d, its component is %d", k, v, l, want.Values[v])
			}
		}
	}
}

// Components of a prepared graph come back by their least vertices in the graph's own order, whoever brings
// them; those of a run that is stopped by the host.
func TestDeviceBrings(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	for _, directed := range []bool{false, true} {
		for name, g := range trial.Partitioned(r, directed) {
			order := pregel.Orders[r.IntN(len(pregel.Orders))]
			trial.BringsItself(t, name, g, order, wcc.New(), 0)
			if g.N() > 1 {
				trial.BringsItself(t, name, g, "degree", wcc.New(), 0)
			}
		}
	}
	g := trial.Random(r, 3000, 2000, 0, false)
	trial.BringsItself(t, "by messages", g, "degree", &wcc.WCC{Method: wcc.Propagate}, 0)
	p, err := pregel.Prepare(t.Context(), g, "degree", 2)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Run(t.Context(), wcc.New(), &pregel.Job{Engine: e, MaxSupersteps: 1})
	if err != nil || got.Ordered || got.Stop.Reason != pregel.MaxSupersteps {
		t.Errorf("stopped: %v, brought by the device: %v, error %v", got.Stop, got.Ordered, err)
	}
}

// What the run before has left in the same places is no one's component: the hub's had vertex 0, then it has not.
func TestDeviceBringsAnew(t *testing.T) {
	e := trial.Device(t)
	for _, first := range []uint32{0, 100} {
		var star graph.ArcList
		for v := first; v < 1000; v++ {
			star.List = append(star.List, graph.Arc{U: 500, V: v})
		}
		p, err := pregel.Prepare(t.Context(), trial.Build(1000, star, false), "degree", 2)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Run(t.Context(), wcc.New(), &pregel.Job{Engine: e})
		if err != nil || !got.Ordered {
			t.Fatalf("brought by the device: %v, error %v", got.Ordered, err)
		}
		for v, c := range got.Table.Columns[0].Vertices {
			if c != min(uint32(v), first) {
				t.Fatalf("a star from %d on: vertex %d is in component %d", first, v, c)
			}
		}
	}
}
