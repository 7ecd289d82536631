package sssp

import (
	"slices"
	"sync"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
)

// A vertex that was lowered into an earlier bucket is looked at there alone: its arcs
// are counted once. Of several tight arcs the least source is the parent.
func TestRowsAndParents(t *testing.T) {
	arcs := []graph.Arc{{U: 0, V: 1, W: 1}, {U: 0, V: 2, W: 1}, {U: 0, V: 3, W: 50}, {U: 1, V: 3, W: 1}, {U: 2, V: 3, W: 1}, {U: 3, V: 4, W: 1}, {U: 3, V: 5, W: 1}}
	g, err := graph.FromArcs(6, graph.ArcList{List: arcs, Weighted: true}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	var awake, sent uint64
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1}), Observe: func(r pregel.StepRecord) { awake, sent = awake+r.Awake, sent+r.Arcs }}
	answer, err := (&SSSP{Source: "0", Method: DeltaStepping, Delta: 1}).Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if awake != 6 || sent != uint64(len(arcs)) {
		t.Errorf("%d vertices were looked at along %d arcs, want 6 and %d", awake, sent, len(arcs))
	}
	if want := []uint32{graph.None, 0, 0, 1, 3, 3}; !slices.Equal(answer.Table.Columns[1].Vertices, want) {
		t.Errorf("parents %v, want %v", answer.Table.Columns[1].Vertices, want)
	}
}

// Whoever takes pieces of a list, each vertex is taken once, also where the last piece is
// not full; a list that is done is filled again.
func TestPieces(t *testing.T) {
	for _, n := range []int{0, 1, pieceSize - 1, pieceSize, pieceSize + 1, 1000*pieceSize + 7} {
		var b buckets
		for v := range n {
			b.list = append(b.list, uint32(v))
		}
		var taken [3][]uint32
		var wg sync.WaitGroup
		for i := range taken {
			wg.Go(func() {
				for us := b.piece(); len(us) > 0; us = b.piece() {
					taken[i] = append(taken[i], us...)
				}
			})
		}
		wg.Wait()
		all := slices.Sorted(slices.Values(slices.Concat(taken[:]...)))
		if !slices.Equal(all, b.list) {
			t.Errorf("of %d vertices %d were taken", n, len(all))
		}
		b.recycle()
		if us := b.piece(); len(us) > 0 || n > 0 && cap(b.empty()) < n {
			t.Errorf("%d vertices are left of %d, or their list is lost", len(us), n)
		}
	}
}
