//go:build cuda || emulate

package tiled_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/bfs"
	"gopregel/programs/internal/trial"
	"gopregel/programs/sssp"
	"gopregel/runtime/cpu"
)

// ribbon is a long thin graph, prepared: some vertices have many neighbours, some
// arcs go far, some vertices are joined with few others.
func ribbon(t *testing.T, r *rand.Rand, n int, most int32, directed bool) *graph.Graph {
	t.Helper()
	l := graph.ArcList{Weighted: most > 0}
	add := func(u, v int) {
		l.List = append(l.List, graph.Arc{U: uint32(u), V: uint32(v), W: 1 + r.Int32N(max(most, 1))})
	}
	for u := range n {
		for range r.IntN(3) {
			add(u, (u+r.IntN(40)+n-20)%n)
		}
	}
	for range n / 500 {
		add(r.IntN(n), r.IntN(n))
	}
	for range 20 {
		add(n/2, n/2+r.IntN(30))
	}
	g := trial.Build(n, l, directed)
	p, err := pregel.Prepare(t.Context(), g, "locality", 2)
	if err != nil {
		t.Fatal(err)
	}
	return p.Graph
}

// Distances and parents are those of the CPU, whatever sum fits 32 bits or not.
func TestDevice(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	sizes := []int{3000, 5000, 100_000, 300_000}
	if testing.Short() {
		sizes = []int{1500 + r.IntN(3000)}
	}
	for _, n := range sizes {
		for _, most := range []int32{0, 20, 1 << 29, math.MaxInt32} {
			for _, directed := range []bool{false, true} {
				g := ribbon(t, r, n, most, directed)
				if !e.InTiles(g) {
					t.Fatalf("a ribbon of %d vertices, directed %v, is not one for tiles", n, directed)
				}
				name := fmt.Sprintf("%d vertices, weights to %d, directed %v", n, most, directed)
				from := pregel.ID(g.IDs().Text(r.Uint32N(uint32(n))))
				trial.OnDevice(t, name, g, &bfs.BFS{Source: from}, 0)
				trial.OnDevice(t, name, g, &bfs.BFS{Source: from, Parents: new(false)}, 0)
				if most > 0 {
					trial.OnDevice(t, name, g, &sssp.SSSP{Source: from, Method: sssp.DeltaStepping}, 0)
				}
			}
		}
	}
}

// Records are those of rounds, and the last says that nothing is left.
func TestRounds(t *testing.T) {
	e := trial.Device(t)
	g := ribbon(t, trial.Rand(t), 4000, 0, false)
	var records []pregel.StepRecord
	a := &bfs.BFS{Source: pregel.ID(g.IDs().Text(7))}
	answer, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: e, Observe: func(r pregel.StepRecord) { records = append(records, r) }})
	if err != nil {
		t.Fatal(err)
	}
	if len(records) == 0 || len(records) != answer.Stop.Supersteps || records[len(records)-1].Next != 0 || answer.Stop.Reason != pregel.Halted {
		t.Errorf("%d records, of which the last is %+v; %v", len(records), records[max(len(records)-1, 0)], answer.Stop)
	}
}

// A bound on supersteps is one on depths: BFS then runs superstep by superstep.
func TestBounded(t *testing.T) {
	e := trial.Device(t)
	g := ribbon(t, trial.Rand(t), 4000, 0, false)
	a := &bfs.BFS{Source: pregel.ID(g.IDs().Text(2000))}
	answer, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: e, MaxSupersteps: 3})
	if err != nil {
		t.Fatal(err)
	}
	for v, d := range answer.Table.Columns[0].Counts {
		if d != graph.None && d > 3 {
			t.Fatalf("vertex %d has depth %d after 3 supersteps", v, d)
		}
	}
}

// Who is cancelled has no depths but the source's.
func TestCancelled(t *testing.T) {
	e := trial.Device(t)
	g := ribbon(t, trial.Rand(t), 4000, 9, false)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, a := range []pregel.Algorithm{&bfs.BFS{Source: pregel.ID(g.IDs().Text(5))}, &sssp.SSSP{Source: pregel.ID(g.IDs().Text(5)), Method: sssp.DeltaStepping}} {
		answer, err := a.Run(ctx, &pregel.Job{Graph: g, Engine: e})
		if err != nil || answer.Stop.Reason != pregel.Cancelled {
			t.Fatalf("%T: %v, %v", a, answer, err)
		}
		if c := answer.Table.Columns[1].Vertices; c[5] != graph.None || c[6] != graph.None {
			t.Errorf("%T: parents %v", a, c[:8])
		}
	}
}

// unmended is BFS whose answer is left as the run has it.
type unmended struct{ *bfs.BFS }

func (unmended) Renumbered(context.Context, *pregel.Job, *pregel.Answer) error { return nil }

// Depths and any parents of a prepared graph are brought into the user's order by the device, and are
// those of the CPU; the least parents are found there, too, with nothing left to mend.
func TestBrought(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	for _, directed := range []bool{false, true} {
		g := ribbon(t, r, 1500+r.IntN(3000), 0, directed)
		list := graph.ArcList{}
		name := r.Perm(g.N()) // its vertices are named at random
		for u := range uint32(g.N()) {
			for _, v := range g.Out().Neighbors(u) {
				if directed || u <= v {
					list.List = append(list.List, graph.Arc{U: uint32(name[u]), V: uint32(name[v])})
				}
			}
		}
		p, err := pregel.Prepare(t.Context(), trial.Build(g.N(), list, directed), "tiles", 2)
		if err != nil || !e.InTiles(p.Graph) {
			t.Fatalf("a ribbon of %d vertices, directed %v, is not one for tiles: %v", g.N(), directed, err)
		}
		from := pregel.ID(g.IDs().Text(r.Uint32N(uint32(g.N()))))
		for _, a := range []*bfs.BFS{{Source: from}, {Source: from, Any: true}, {Source: from, Any: true, Depths: new(false)}, {Source: from, Parents: new(false)}} {
			want, err := p.Run(t.Context(), a, &pregel.Job{Engine: cpu.New(cpu.Options{})})
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Run(t.Context(), a, &pregel.Job{Engine: e})
			if err != nil || !got.Ordered || !reflect.DeepEqual(got.Table, want.Table) || !reflect.DeepEqual(got.Summary, want.Summary) {
				t.Fatalf("%+v, directed %v: not what the CPU has, or not brought by the device: %v %v", a, directed, err, got)
			}
			if got, err = p.Run(t.Context(), unmended{a}, &pregel.Job{Engine: e}); err != nil || !reflect.DeepEqual(got.Table, want.Table) {
				t.Fatalf("%+v, directed %v, and nothing is mended: not what the CPU has: %v %v", a, directed, err, got)
			}
		}
	}
}
