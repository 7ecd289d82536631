package sssp

import (
	"context"
	"math"
	"slices"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
	"gopregel/programs/internal/tiled"
	"gopregel/runtime/cuda"
)

// inTiles tells whether the paths are found tile by tile on a device (package
// tiled): the graph is prepared for it, its weights are whole and none is 0, and
// nothing else is asked for.
func inTiles(e *cuda.Engine, j *pregel.Job, s *SSSP, least float64) bool {
	return s.Method != BellmanFord && s.Delta == 0 && j.MaxSupersteps == 0 && j.Checkpoints == nil && least > 0 && j.Graph.Weighted() == graph.Int32 && e.InTiles(j.Graph)
}

// byTile finds the paths tile by tile.
func byTile[T distance](ctx context.Context, e *cuda.Engine, j *pregel.Job, s *SSSP, source uint32, far T, most float64) (Paths[T], error) {
	x := tiled.Search{Program: "sssp", Source: source, Most: most, Usual: medianWeight(j.Graph), Bring: j.Bringing(), Least: true, Lone: !s.parents()}
	stop, err := x.Run(ctx, e, j)
	if err != nil {
		return Paths[T]{}, err
	}
	p := Paths[T]{Stop: stop, Distance: mem.Make[T](j.Graph.N()), Parent: x.Parent, ordered: x.Ordered()}
	none := stop.Reason != pregel.Halted // distances may still fall
	if none && s.parents() {
		p.Parent = slices.Repeat([]uint32{graph.None}, j.Graph.N())
	}
	const piece = 1 << 14
	parallel.Range(j.Engine.Pool().Workers(), len(p.Distance), piece, func(_, lo, hi int) {
		for v := lo; v < hi; v++ {
			p.Distance[v] = far
			switch {
			case none:
			case x.Distance64 != nil && x.Distance64[v] != math.MaxInt64:
				p.Distance[v] = T(x.Distance64[v])
			case x.Distance32 != nil && x.Distance32[v] != math.MaxUint32:
				p.Distance[v] = T(x.Distance32[v])
			}
		}
	})
	if !p.ordered {
		p.Distance[source] = 0
	}
	return p, nil
}

// medianWeight is that of a sample of arcs.
func medianWeight(g *graph.Graph) float64 {
	const samples = 1 << 12
	var list []int32
	for w, i := g.Out().Weights.Int, 0; i < len(w); i += max(len(w)/samples, 1) {
		list = append(list, w[i])
	}
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return float64(list[len(list)/2])
}
