package trial

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// Brings runs the algorithm on a device, on the graph prepared in an order, with its answer brought
// into the graph's own by the device and by the host. It fails the test unless both are the
// CPU's on the graph as it is, floats within a share of the larger, and pass their certificate.
// It tells whether the device has brought it.
func Brings(t *testing.T, name string, g *graph.Graph, order string, a pregel.Algorithm, share float64) (brought bool) {
	t.Helper()
	brought = true
	e := Device(t)
	t.Cleanup(func() {
		if err := e.LeaveOut(); err != nil {
			t.Error(err)
		}
	})
	p, err := pregel.Prepare(t.Context(), g, order, 2)
	if err != nil {
		t.Fatal(err)
	}
	want, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})})
	if err != nil {
		t.Fatal(err)
	}
	for i, out := range [][]string{nil, {cuda.OwnOrder}, nil} {
		if err := e.LeaveOut(out...); err != nil {
			t.Fatal(err)
		}
		got, err := p.Run(t.Context(), a, &pregel.Job{Engine: e, Batch: 1 + 50*i})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if out != nil && got.Ordered {
			t.Errorf("%s, by %s: brought by the device, which is to leave it", name, order)
		}
		brought = brought && got.Ordered == (out == nil)
		for i, c := range got.Table.Columns {
			if !same(c, want.Table.Columns[i], share) {
				t.Fatalf("%s, by %s, without %q: column %s: %s", name, order, out, c.Name, first(c, want.Table.Columns[i]))
			}
		}
		if share == 0 && !reflect.DeepEqual(got.Summary, want.Summary) {
			t.Errorf("%s, by %s, without %q: the summary is %v, on the CPU %v", name, order, out, got.Summary, want.Summary)
		}
		if err := a.(pregel.Certifier).Certify(t.Context(), g, &got.Table); err != nil {
			t.Errorf("%s, by %s, without %q: %v", name, order, out, err)
		}
	}
	return brought
}

// BringsItself is Brings for what the device has to bring.
func BringsItself(t *testing.T, name string, g *graph.Graph, order string, a pregel.Algorithm, share float64) {
	t.Helper()
	if !Brings(t, name, g, order, a, share) {
		t.Errorf("%s, by %s: the host has brought the answer", name, order)
	}
}

// Partitioned are graphs with classes of all sizes, more vertices than offer themselves to these at
// first: few arcs; many; and none but among those who come later.
func Partitioned(r *rand.Rand, directed bool) map[string]*graph.Graph {
	const n = 20_000
	arcs := func(m int, from uint32) *graph.Graph {
		var list graph.ArcList
		for range m {
			list.List = append(list.List, graph.Arc{U: from + r.Uint32N(n-from), V: from + r.Uint32N(n-from)})
		}
		return Build(n, list, directed)
	}
	return map[string]*graph.Graph{"few arcs": arcs(8000, 0), "many": arcs(40_000, 0), "none at first": arcs(30_000, 9000), "one vertex": Build(1, graph.ArcList{}, directed)}
}
