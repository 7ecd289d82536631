package cpu

import (
	"testing"

	"gopregel/pregel/graph"
)

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
