package cpu_test

import (
	"errors"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/bfs"
	"gopregel/runtime/cpu"
)

// Short supersteps have the records that they have one by one, but for the time, where
// nobody asks for details, and the answer, where nobody observes.
func TestBriefs(t *testing.T) {
	t.Parallel()
	for _, g := range []*graph.Graph{
		generated(t, "path", map[string]string{"n": "5000"}),
		generated(t, "grid", map[string]string{"rows": "4", "cols": "3000"}),
		generated(t, "grid", map[string]string{"rows": "80", "cols": "90"}),
		generated(t, "uniform", map[string]string{"n": "5000", "edge_factor": "2", "seed": "2"}),
	} {
		for _, most := range []int{0, 7, 1000} {
			var lists [2][]pregel.StepRecord
			var depths [3][]uint32
			for i := range depths {
				j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2}), MaxSupersteps: most, Batch: 64 * (i % 2)}
				if i < 2 {
					j.Observe = func(r pregel.StepRecord) {
						if r.Time < 0 {
							t.Errorf("superstep %d took %v", r.Superstep, r.Time)
						}
						r.Time = 0
						lists[i] = append(lists[i], r)
					}
				} else {
					j.Batch = 64
				}
				answer, err := (&bfs.BFS{Source: "0"}).Run(t.Context(), j)
				if err != nil {
					t.Fatal(err)
				}
				depths[i] = answer.Table.Columns[0].Counts
			}
			if !slices.Equal(lists[0], lists[1]) {
				t.Errorf("%d vertices, at most %d: records %v\none by one %v", g.N(), most, lists[1], lists[0])
			}
			if !slices.Equal(depths[0], depths[1]) || !slices.Equal(depths[0], depths[2]) {
				t.Errorf("%d vertices, at most %d: depths %v and %v, unobserved, one by one %v", g.N(), most, depths[1], depths[2], depths[0])
			}
		}
	}
}

// When one of several short supersteps fails those before it are told of, and it is
// named.
func TestBriefsFail(t *testing.T) {
	t.Parallel()
	const n = 5000
	list := graph.ArcList{}
	for v := range uint32(n - 1) {
		list.List = append(list.List, graph.Arc{U: v, V: v + 1})
	}
	g, err := graph.FromArcs(n, list, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	for at := uint64(1000); at < 1020; at++ {
		seen, briefs := 0, 0
		j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2, Direction: pregel.Push}), Batch: 64}
		j.Detail = func(*pregel.StepRecord) { seen++ }
		j.Briefs = func(b *pregel.Briefs) {
			if b.Superstep != seen || b.Time <= 0 {
				t.Errorf("superstep %d: %+v", seen, b)
			}
			seen, briefs = seen+len(b.List), briefs+len(b.List)
		}
		got, err := pregel.RunEdge(t.Context(), j, breaking{at: at, when: "hears"})
		var failed *pregel.VertexError
		if !errors.As(err, &failed) || failed.Superstep != int(at-1) || uint64(failed.Vertex) != at {
			t.Errorf("vertex %d: %+v, %v", at, failed, err)
		}
		if seen != int(at-1) || got.Stop.Supersteps != seen || briefs < 900 {
			t.Errorf("vertex %d: %d supersteps were told of, %d of them briefly; %+v", at, seen, briefs, got.Stop)
		}
	}
}
