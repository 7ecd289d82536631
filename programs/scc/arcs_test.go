package scc_test

import (
	"slices"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/internal/trial"
	"gopregel/programs/scc"
)

// On a thin graph all arcs are read by the last phase, once.
func TestArcsReadOfThinGraphs(t *testing.T) {
	const n = 20_000
	for kind, arcs := range map[string]uint64{"path": n - 1, "cycle": n} {
		g := trial.Generated(t, graphgen.Spec{Kind: kind, N: n}, true)
		trial.ReadsAre(t, kind, g, scc.New(), []trial.Read{trial.In("scc finish", arcs)})
	}
}

// Beside a clique, which is the giant, there are many of three vertices: trimming
// reads one arc of each vertex in each direction, and the search of the rest all.
func TestArcsReadBesideTheGiant(t *testing.T) {
	const giant, small = 100, 6000
	var list graph.ArcList
	clique := func(first, n uint32) {
		for u := first; u < first+n; u++ {
			for v := first; v < first+n; v++ {
				if u != v {
					list.List = append(list.List, graph.Arc{U: u, V: v})
				}
			}
		}
	}
	clique(0, giant)
	for i := range uint32(small) {
		clique(giant+3*i, 3)
	}
	g := trial.Build(giant+3*small, list, true)
	g.In()
	var want []trial.Read
	for _, workers := range race.Workers(1, 2, 5) {
		got := trial.Reads(t, g, scc.Phases(), workers)
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d workers: %v, 1 worker: %v", workers, got, want)
		}
		sum := map[string]uint64{}
		for _, r := range got {
			sum[r.Phase] += r.Arcs
		}
		if sum["scc trim"] != 2*3*small || sum["scc finish"] != 2*3*small || sum["scc forward"] < giant-1 || sum["scc backward"] < giant-1 {
			t.Errorf("%d workers: %v", workers, sum)
		}
	}
}

// Districts are read once, and then the arcs between their parts.
func TestArcsReadOfDistricts(t *testing.T) {
	const n = 64 * 40
	var list graph.ArcList
	for v := range uint32(n) { // both ways, but for those between blocks
		list.List = append(list.List, graph.Arc{U: v, V: (v + 1) % n})
		if v%64 != 63 {
			list.List = append(list.List, graph.Arc{U: v + 1, V: v})
		}
	}
	arcs := uint64(len(list.List))
	g := trial.Build(n, list, true)
	trial.ReadsAre(t, "blocks in a cycle", g, scc.Ways(100)["districts"], []trial.Read{trial.In("scc districts", arcs), trial.In("scc join", 40), trial.In("scc name", 0)})
}
