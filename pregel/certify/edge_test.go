package certify_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
)

func TestEmptyGraph(t *testing.T) {
	for _, directed := range []bool{false, true} {
		g, err := graph.FromArcs(0, graph.ArcList{}, graph.Options{Directed: directed})
		if err != nil {
			t.Fatal(err)
		}
		ctx := t.Context()
		for name, err := range map[string]error{
			"wcc":            certify.Components(ctx, g, nil),
			"scc":            certify.SCC(ctx, g, nil),
			"mst":            certify.MST[int64](ctx, g, nil, nil, nil),
			"pagerank":       certify.PageRank(ctx, g, nil, 0.85, 0),
			"pagerank steps": certify.PageRankSteps(ctx, g, nil, 0.85, 3, 0),
			"cdlp":           certify.CDLP(ctx, g, nil, 3),
			"lcc":            certify.LCC(ctx, g, nil, 0),
			"k-core":         certify.KCore(ctx, g, nil),
		} {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if certify.BFS(ctx, g, 0, nil, nil) == nil || certify.SSSP[int64](ctx, g, 0, nil, nil) == nil {
			t.Error("a source in an empty graph is accepted")
		}
	}
}

// One vertex, alone and with a loop.
func TestOneVertex(t *testing.T) {
	for _, list := range [][]graph.Arc{nil, {{W: 3}}, {{W: 0}, {W: 7}}} {
		for _, directed := range []bool{false, true} {
			g, err := graph.FromArcs(1, graph.ArcList{List: list, Weighted: true}, graph.Options{Directed: directed})
			if err != nil {
				t.Fatal(err)
			}
			ctx, none := t.Context(), []uint32{graph.None}
			for name, err := range map[string]error{
				"bfs":            certify.BFS(ctx, g, 0, []uint32{0}, none),
				"sssp":           certify.SSSP(ctx, g, 0, []int64{0}, none),
				"wcc":            certify.Components(ctx, g, []uint32{0}),
				"scc":            certify.SCC(ctx, g, []uint32{0}),
				"mst":            certify.MST[int64](ctx, g, nil, nil, nil),
				"pagerank":       certify.PageRank(ctx, g, []float64{1}, 0.85, 0),
				"pagerank steps": certify.PageRankSteps(ctx, g, []float64{1}, 0.85, 3, 0),
				"cdlp":           certify.CDLP(ctx, g, []uint32{0}, 3),
				"lcc":            certify.LCC(ctx, g, []float64{0}, 0),
				"k-core":         certify.KCore(ctx, g, []uint32{0}),
			} {
				verdict(t, err, true, "%s, arcs %v", name, list)
			}
			for name, err := range map[string]error{
				"bfs depth":      certify.BFS(ctx, g, 0, []uint32{1}, none),
				"bfs parent":     certify.BFS(ctx, g, 0, []uint32{0}, []uint32{0}),
				"sssp":           certify.SSSP(ctx, g, 0, []int64{1}, none),
				"sssp parent":    certify.SSSP(ctx, g, 0, []int64{0}, []uint32{0}),
				"wcc":            certify.Components(ctx, g, none),
				"scc":            certify.SCC(ctx, g, []uint32{1}),
				"mst":            certify.MST(ctx, g, []uint32{0}, []uint32{0}, []int64{3}),
				"pagerank":       certify.PageRank(ctx, g, []float64{0.99}, 0.85, 1e-3),
				"pagerank steps": certify.PageRankSteps(ctx, g, []float64{0.99}, 0.85, 3, 1e-3),
				"cdlp":           certify.CDLP(ctx, g, none, 3),
				"lcc":            certify.LCC(ctx, g, []float64{1}, 0),
				"k-core":         certify.KCore(ctx, g, []uint32{1}),
			} {
				verdict(t, err, false, "%s, arcs %v", name, list)
			}
		}
	}
}

// What is no answer at all is an error, not a violation.
func TestMisuse(t *testing.T) {
	ints, err := graph.FromArcs(2, graph.ArcList{List: []graph.Arc{{U: 0, V: 1, W: 2}}, Weighted: true}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	floats, err := graph.Build(t.Context(), graph.RangeIDs(0, 2), graph.Columns{U: []uint32{0}, V: []uint32{1}, Weights: graph.Weights{Float: []float32{2}}}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, g := t.Context(), ints
	none, two := []uint32{0}, []uint32{0, 1}
	for name, err := range map[string]error{
		"bfs source":      certify.BFS(ctx, g, 2, two, two),
		"bfs none":        certify.BFS(ctx, g, graph.None, two, two),
		"bfs depth":       certify.BFS(ctx, g, 0, none, two),
		"bfs parent":      certify.BFS(ctx, g, 0, two, none),
		"bfs nil":         certify.BFS(ctx, g, 0, nil, two),
		"sssp source":     certify.SSSP(ctx, g, 2, []int64{0, 2}, two),
		"sssp distance":   certify.SSSP(ctx, g, 0, []int64{0}, two),
		"sssp parent":     certify.SSSP(ctx, g, 0, []int64{0, 2}, none),
		"sssp integers":   certify.SSSP(ctx, floats, 0, []int64{0, 2}, []uint32{graph.None, 0}),
		"cycle source":    certify.NegativeCycle(ctx, g, 7, two),
		"wcc":             certify.Components(ctx, g, none),
		"scc":             certify.SCC(ctx, g, none),
		"pagerank":        certify.PageRank(ctx, g, []float64{1}, 0.85, 0),
		"pagerank d":      certify.PageRank(ctx, g, []float64{0.5, 0.5}, 1.5, 0),
		"pagerank NaN":    certify.PageRank(ctx, g, []float64{0.5, 0.5}, math.NaN(), 0),
		"pagerank -1":     certify.PageRank(ctx, g, []float64{0.5, 0.5}, 0.85, -1),
		"pagerank steps":  certify.PageRankSteps(ctx, g, []float64{0.5, 0.5}, 0.85, -1, 0),
		"cdlp":            certify.CDLP(ctx, g, none, 3),
		"cdlp iterations": certify.CDLP(ctx, g, two, -3),
		"lcc":             certify.LCC(ctx, g, []float64{1}, 0),
		"lcc sample":      certify.LCC(ctx, g, []float64{0, 0}, -1),
		"k-core":          certify.KCore(ctx, g, none),
	} {
		var broken *certify.Violation
		if err == nil || errors.As(err, &broken) || !strings.HasPrefix(err.Error(), "certify ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := certify.SSSP(ctx, floats, 0, []float64{0, 2}, []uint32{graph.None, 0}); err != nil {
		t.Errorf("float distances: %v", err)
	}
}

// Messages name vertices by the user's ids.
func TestMessages(t *testing.T) {
	ids, err := graph.NumberIDs([]uint64{10, 20, 40})
	if err != nil {
		t.Fatal(err)
	}
	list := graph.ArcList{List: []graph.Arc{{U: 0, V: 1, W: 2}, {U: 1, V: 2, W: 3}, {U: 2, V: 1, W: 1}}, Weighted: true}
	g, err := graph.Build(t.Context(), ids, list, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	for _, c := range []struct {
		err  error
		want string
	}{
		{certify.BFS(ctx, g, 0, []uint32{0, 1, 3}, []uint32{graph.None, 0, 1}),
			"certificate of bfs: vertex 40: found depth 3, want at most depth 2, as 20 has depth 1 and an edge to it"},
		{certify.BFS(ctx, g, 0, []uint32{0, 1, 2}, []uint32{graph.None, 0, 7}),
			"certificate of bfs: vertex 40: found parent vertex number 7, which is not in the graph, want at most parent 20, which has an edge to it and depth 1"},
		{certify.SSSP(ctx, g, 0, []int64{0, 2, 6}, []uint32{graph.None, 0, 1}),
			"certificate of sssp: vertex 40: found distance 6, want at most 5, the distance 2 of 20 and the weight 3 of its edge to it"},
		{certify.SCC(ctx, g, []uint32{0, 1, 2}),
			"certificate of scc: components 20 and 40: found edges that lead from each to the other, want one component"},
		{certify.SCC(ctx, g, []uint32{0, 0, 0}),
			"certificate of scc: vertex 20: found component 10, want another, as it does not reach that vertex by way of the component"},
		{certify.Components(ctx, g, []uint32{0, 1, 1}),
			"certificate of wcc: edge 10 → 20: found components 10 and 20, want one component"},
		{certify.MST(ctx, g, []uint32{0, 1}, []uint32{1, 2}, []int64{2, 3}),
			"certificate of mst: edge 40 – 20: found weight 1, want at least 3, the weight of edge 20 – 40 of the forest, which it could replace"},
		{certify.MST(ctx, g, []uint32{0}, []uint32{1}, []int64{2}),
			"certificate of mst: edge 20 – 40: found its ends not joined in the forest, want a forest that spans every component"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", c.err, c.want)
		}
	}
}
