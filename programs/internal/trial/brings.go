package trial

// This file tests that answers of prepared graphs come back in the graph's own order, whoever brings them.

import (
	"fmt"
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
	for _, out := range [][]string{nil, {cuda.OwnOrder}} {
		if err := e.LeaveOut(out...); err != nil {
			t.Fatal(err)
		}
		for batch := range 2 { // the second finds what the first has made
			got, err := p.Run(t.Context(), a, &pregel.Job{Engine: e, Batch: 1 + 50*batch})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			what := fmt.Sprintf("%s, by %s, without %q", name, order, out)
			if out != nil && got.Ordered {
				t.Errorf("%s: brought by the device, which is to leave it", what)
			}
			brought = brought && got.Ordered == (out == nil)
			sameAnswer(t, what, g, a, got, want, share)
			if share == 0 && !reflect.DeepEqual(got.Summary, want.Summary) {
				t.Errorf("%s: the summary is %v, on the CPU %v", what, got.Summary, want.Summary)
			}
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
	const n = 20_011 // no multiple of 32
	arcs := func(n uint32, m int, from uint32) *graph.Graph {
		var list graph.ArcList
		for range m {
			list.List = append(list.List, graph.Arc{U: from + r.Uint32N(n-from), V: from + r.Uint32N(n-from)})
		}
		return Build(int(n), list, directed)
	}
	return map[string]*graph.Graph{
		"few arcs": arcs(n, 8000, 0), "many": arcs(n, 40_000, 0), "none at first": arcs(n, 30_000, 9000),
		"all are the first": arcs(8192, 5000, 0), "one comes later": arcs(8193, 9000, 0),
		"no arcs": Build(n, graph.ArcList{}, directed), "one vertex": Build(1, graph.ArcList{}, directed),
	}
}
