package mst_test

import (
	"slices"
	"testing"

	"gopregel/pregel/graphgen"
	"gopregel/programs/internal/trial"
	"gopregel/programs/mst"
)

// All arcs are read to select the edges, and in a round every edge that is left.
// In a path and in a star every vertex joins in the first round, and the second
// drops all edges; a few edges are left to one worker.
func TestArcsRead(t *testing.T) {
	const n = 10_000
	for _, kind := range []string{"path", "star"} {
		for _, directed := range []bool{false, true} {
			want := []trial.Read{trial.In("mst select", 2*(n-1)), trial.In("mst gather", 0), trial.In("mst lightest", n-1), trial.In("mst hook", 0),
				trial.In("mst lightest", n-1), trial.In("mst hook", 0), trial.In("mst finish", 0)}
			if directed {
				want[0].Arcs = n - 1
				want = slices.Insert(want, 2, trial.In("mst sort", n-1))
			}
			trial.ReadsAre(t, kind, trial.Generated(t, graphgen.Spec{Kind: kind, N: n}, directed), mst.New(), want)
		}
	}
	trial.ReadsAre(t, "complete", trial.Generated(t, graphgen.Spec{Kind: "complete", N: 60}, false), mst.New(),
		[]trial.Read{trial.In("mst select", 60*59), trial.In("mst gather", 0), trial.In("mst finish", 60*59/2)})
}

// Edges taken in batches are the same ones for any number of workers.
func TestArcsReadInBatches(t *testing.T) {
	g := trial.Random(trial.Rand(t), 3000, 100_000, 1000, false)
	want := trial.Reads(t, g, mst.New(), 1)
	selected := 0
	for _, r := range want {
		if r.Phase == "mst select" {
			selected++
			if r.Arcs != g.Arcs() {
				t.Errorf("%d arcs of %d were read to select a batch", r.Arcs, g.Arcs())
			}
		}
	}
	if selected < 2 {
		t.Errorf("%d batches", selected)
	}
	trial.ReadsAre(t, "random", g, mst.New(), want)
}
