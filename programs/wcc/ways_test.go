package wcc_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	kernel "gopregel/kernels/reference"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/programs/internal/trial"
	"gopregel/programs/wcc"
)

// deep are graphs of n vertices whose ways from first neighbour to first neighbour are
// long: a path in order, columns of a grid, and trees of which each vertex hangs below one
// of the width vertices before it, in forests that are cut here and there.
func deep(r *rand.Rand, n int) (list []pregeltest.Case) {
	add := func(name string, arcs graph.ArcList) {
		list = append(list, pregeltest.Case{Name: name, Graph: trial.Build(n, arcs, false)})
	}
	path, columns, forest := graph.ArcList{}, graph.ArcList{}, graph.ArcList{}
	across, width := 1+r.IntN(100), 1+r.IntN(60)
	for v := uint32(1); v < uint32(n); v++ {
		path.List = append(path.List, graph.Arc{U: v - 1, V: v})
		if v >= uint32(across) {
			columns.List = append(columns.List, graph.Arc{U: v - uint32(across), V: v})
		}
		if r.IntN(3000) > 0 {
			forest.List = append(forest.List, graph.Arc{U: v - 1 - uint32(r.IntN(min(width, int(v)))), V: v})
		}
	}
	add("path", path)
	add("columns", columns)
	add("forest", forest)
	return list
}

// Long ways are climbed with and without levels of words, which are there where all words
// are more than are under way at once: on a device of 2 processors one level from 16385
// vertices on, the second from 32737; on one of 132 four from 1081345 on.
func TestDeviceDeep(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	together := 8192 * e.Info().Processors
	for _, n := range slices.Compact([]int{together, together + 1, max(together+1, 32736+r.IntN(2)), max(together+1, 200000)}) {
		for _, c := range deep(r, n) {
			want := (&kernel.Components{Graph: c.Graph, Rand: r}).Run()
			check(t, c.Graph, wcc.New().(*wcc.WCC), e, want)
		}
	}
}
