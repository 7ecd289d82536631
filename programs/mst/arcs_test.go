package mst_test

import (
	"slices"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/programs/internal/trial"
	"gopregel/programs/mst"
)

// firstRound reads all arcs of an undirected graph.
func firstRound(g *graph.Graph) []trial.Read {
	return []trial.Read{trial.In("mst nearest", g.Arcs()), trial.In("mst join", 0), trial.In("mst flatten", 0)}
}

// In a path and in a star every vertex joins in the first round. In a directed one that
// is a round of a batch, for which all arcs are read, and the next drops all edges.
func TestArcsRead(t *testing.T) {
	const n = 10_000
	for _, kind := range []string{"path", "star"} {
		g := trial.Generated(t, graphgen.Spec{Kind: kind, N: n}, false)
		trial.ReadsAre(t, kind, g, mst.New(), firstRound(g))
		trial.ReadsAre(t, kind, trial.Generated(t, graphgen.Spec{Kind: kind, N: n}, true), mst.New(),
			[]trial.Read{trial.In("mst select", n-1), trial.In("mst gather", 0), trial.In("mst lightest", n-1), trial.In("mst hook", 0), trial.In("mst flatten", 0),
				trial.In("mst lightest", n-1), trial.In("mst hook", 0), trial.In("mst flatten", 0), trial.In("mst finish", 0)})
	}
}

// Vertices without edges are no trees: a path is one tree, whatever is beside it.
func TestArcsReadBesideIsolated(t *testing.T) {
	list := graph.ArcList{Weighted: true, List: []graph.Arc{{U: 500, V: 500, W: 1}}}
	for v := range uint32(99) {
		list.List = append(list.List, graph.Arc{U: v, V: v + 1, W: 1})
	}
	g := trial.Build(1000, list, false)
	trial.ReadsAre(t, "path beside isolated vertices", g, mst.New(), firstRound(g))
	check(t, "path beside isolated vertices", g)
}

// A path whose every second edge is light is one of pairs after the first round. Arcs to
// greater vertices are read to select the edges between them: in a round each is read,
// and a few are left to one worker.
func TestArcsReadInRounds(t *testing.T) {
	for _, n := range []uint32{200, 20_000} {
		list := graph.ArcList{Weighted: true}
		for v := range n - 1 {
			list.List = append(list.List, graph.Arc{U: v, V: v + 1, W: int32(1 + v%2)})
		}
		g, between := trial.Build(int(n), list, false), uint64(n/2-1)
		want := append(firstRound(g), trial.In("mst select", uint64(n-1)), trial.In("mst gather", 0))
		if n == 200 {
			want = append(want, trial.In("mst finish", between))
		} else {
			want = append(want, trial.In("mst lightest", between), trial.In("mst hook", 0), trial.In("mst flatten", 0), trial.In("mst lightest", between), trial.In("mst hook", 0), trial.In("mst flatten", 0), trial.In("mst finish", 0))
		}
		trial.ReadsAre(t, "pairs", g, mst.New(), want)
	}
}

// Pairs of vertices hang on a dense core by heavy edges, which are not in the first batch; those of
// weight 0 join all of the core, whatever the batch is.
// For the second one the core's arcs are not read: it is the giant. What is read does not
// depend on the number of workers.
func TestArcsReadOutsideTheGiant(t *testing.T) {
	const core, pairs = 300, 500
	r := trial.Rand(t)
	list := graph.ArcList{Weighted: true}
	for v := range uint32(core) {
		list.List = append(list.List, graph.Arc{U: v, V: (v + 1) % core, W: 0})
	}
	for range 100_000 {
		list.List = append(list.List, graph.Arc{U: r.Uint32N(core), V: r.Uint32N(core), W: 1 + int32(r.IntN(1000))})
	}
	for p := range uint32(pairs) {
		v := core + 2*p
		list.List = append(list.List, graph.Arc{U: v, V: v + 1, W: 1}, graph.Arc{U: r.Uint32N(core), V: v, W: 2000})
	}
	g := trial.Build(core+2*pairs, list, false)
	read := map[string][]uint64{}
	want := trial.Reads(t, g, mst.New(), 1)
	for _, r := range want {
		read[r.Phase] = append(read[r.Phase], r.Arcs)
	}
	if sifted, most := read["mst sift"], uint64(4*g.N()); len(sifted) != 1 || sifted[0] < pairs || sifted[0] > most {
		t.Errorf("%d edges were collected for the first batch, want %d to %d", sifted, pairs, most)
	}
	if selected := read["mst select"]; !slices.Equal(selected, []uint64{3 * pairs}) {
		t.Errorf("%d arcs were read to select batches, want %d", selected, 3*pairs)
	}
	trial.ReadsAre(t, "pairs on a core", g, mst.New(), want)
	check(t, "pairs on a core", g)
}
