package cpu

import (
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// Which way a frontier of 1000 vertices of so many goes.
func TestBins(t *testing.T) {
	for _, c := range []struct {
		n, workers    int
		arcs          uint64
		binned, lands bool // always; values take messages while sending
		bins          bool
	}{
		{1 << 20, 2, 64_000, false, true, false},
		{1 << 20, 2, 64_001, false, false, false}, // one worker alone
		{1 << 17, 2, 64_001, false, true, false},  // few vertices
		{1<<17 + 1, 2, 64_001, false, false, false},
		{1 << 17, 2, 1<<18 - 1000, false, true, false},
		{1 << 17, 2, 1<<18 - 999, false, false, true},
		{1 << 20, 2, 1<<16 - 1000, false, false, false},
		{1 << 20, 2, 1<<16 + 1, false, false, true},
		{1 << 20, 4, 64_001, false, false, false}, // too few for a look at all vertices
		{1 << 18, 4, 64_001, false, false, true},
		{1 << 24, 2, 1 << 20, false, false, false},
		{1 << 24, 2, 1<<20 + 1, false, false, true},
		{1 << 24, 2, 10, true, false, true},
	} {
		for _, arrives := range []bool{true, false} {
			e := &Engine{Options: Options{Workers: c.workers}, binned: c.binned}
			r := &edgeRun{engine: e, n: c.n, traits: pregel.Traits{Arrives: arrives}, front: &frontier{n: c.n, count: 1000, arcs: c.arcs}}
			r.forwards = forwardsOf(e)
			if r.arrives() != (arrives && c.lands) || r.bins() != (arrives && c.bins) {
				t.Errorf("%+v: an Arriver: %v, while sending: %v, in bins: %v", c, arrives, r.arrives(), r.bins())
			}
		}
	}
}

// What is thrown in a round finds room, but for a piece that alone does not.
func TestInRound(t *testing.T) {
	r := &edgeRun{n: 100}
	pieces := []pushPiece{{work: 60}, {work: 40}, {work: 1}, {work: 500}, {work: 99}}
	for i, want := range []int{2, 2, 1, 1, 1} {
		if got := r.inRound(pieces[i:]); got != want {
			t.Errorf("%d of %v in a round, want %d", got, pieces[i:], want)
		}
	}
}

// The pieces of a list have its vertices and arcs for their work.
func TestWorkOfPieces(t *testing.T) {
	var arcs []graph.Arc
	for v := range uint32(900) {
		arcs = append(arcs, graph.Arc{U: 0, V: 1 + v})
	}
	g, err := graph.FromArcs(901, graph.ArcList{List: arcs}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var work, cut uint64
	for _, p := range pushPieces([]uint32{5, 0, 7, 8}, []graph.CSR{g.Out()}, 100, nil) {
		if work += p.work; p.to > 0 {
			cut++
		}
	}
	if cut != 9 || work != 900+3+3 { // each leaf and its arc; of the hub, which is cut, the arcs
		t.Errorf("the work of the pieces is %d, %d of the hub; want 906, 9", work, cut)
	}
}
