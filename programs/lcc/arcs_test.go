package lcc_test

import (
	"testing"

	"gopregel/pregel/graphgen"
	"gopregel/programs/internal/trial"
	"gopregel/programs/lcc"
)

// All lists are read three times, unless the graph is even. In a complete graph the
// vertex of rank v marks v neighbours and unmarks them, looks which of all are above it, and in the
// lists of n-1-v others for those below and itself; in a star nothing can be a triangle's middle.
func TestArcsRead(t *testing.T) {
	const n = 120
	for _, directed := range []bool{false, true} {
		sides := uint64(1)
		if directed {
			sides = 2
		}
		search, even := uint64(0), uint64(n-1) // the last vertex has none above, and finds that behind all below
		for v := uint64(1); v < n-1; v++ {
			lists := 2*v + (n-1-v)*(v+1)
			search += lists + sides*(n-1)
			even += lists + n - 1 - v
		}
		complete := trial.Generated(t, graphgen.Spec{Kind: "complete", N: n}, directed)
		want := reads(sides*n*(n-1), search)
		if !directed { // it is even
			want = []trial.Read{trial.In("lcc look", n*(n-1)), trial.In("lcc triangles", even), trial.In("lcc sum", 0)}
		}
		trial.ReadsAre(t, "complete", complete, lcc.New(), want)
		star := trial.Generated(t, graphgen.Spec{Kind: "star", N: n}, directed)
		trial.ReadsAre(t, "star", star, lcc.New(), reads(2*(n-1), 0))
	}
	random := trial.Random(trial.Rand(t), 2000, 30_000, 0, true)
	trial.ReadsAre(t, "random", random, lcc.New(), trial.Reads(t, random, lcc.New(), 1))
}

func reads(lists, search uint64) []trial.Read {
	return []trial.Read{trial.In("lcc degrees", lists), trial.In("lcc order", 0), trial.In("lcc measure", lists), trial.In("lcc build", lists),
		trial.In("lcc triangles", search), trial.In("lcc sum", 0)}
}
