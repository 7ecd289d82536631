package mst_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/internal/trial"
)

// prepared puts a graph in an order.
func prepared(t *testing.T, g *graph.Graph, order string) *graph.Graph {
	t.Helper()
	p, err := pregel.Prepare(t.Context(), g, order, 2)
	if err != nil {
		t.Fatal(err)
	}
	return p.Graph
}

// spread gives edges weights from a range as wide as it can be, or numbers that
// are not whole, so that an edge is more than one number of 63 bits.
func spread(t *testing.T, r *rand.Rand, g *graph.Graph, real bool) *graph.Graph {
	t.Helper()
	c := graph.Columns{}
	for u := range uint32(g.N()) {
		for _, v := range g.Out().Neighbors(u) {
			if !g.Directed() && v < u {
				continue
			}
			c.U, c.V = append(c.U, u), append(c.V, v)
			if real {
				c.Weights.Float = append(c.Weights.Float, float32(math.Round(r.NormFloat64()*10))/8)
			} else {
				c.Weights.Int = append(c.Weights.Int, int32(r.Uint32())>>r.IntN(30))
			}
		}
	}
	s, err := graph.Build(t.Context(), graph.RangeIDs(0, g.N()), c, graph.Options{Directed: g.Directed()})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Prepared graphs give the forest of the CPU and of the reference: lists are in
// order of weight where the graph is not directed.
func TestDevicePreparedShapes(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	for _, c := range trial.Graphs(r.Uint64()) {
		for _, order := range pregel.Orders {
			agreeWithReference(t, c.Name+" by "+order, prepared(t, c.Graph, order))
		}
		agreeWithReference(t, c.Name+" spread", prepared(t, spread(t, r, c.Graph, false), "degree"))
		agreeWithReference(t, c.Name+" of floats", prepared(t, spread(t, r, c.Graph, true), "degree"))
	}
}

// Shapes of all kinds, a hub of a million arcs among them.
func TestDevicePreparedAgainstReference(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	for _, c := range trial.Shapes(t, r, false) {
		agreeWithReference(t, c.Name+" by degree", prepared(t, c.Graph, "degree"))
		agreeWithReference(t, c.Name+" by locality, spread", prepared(t, spread(t, r, c.Graph, r.IntN(2) == 0), "locality"))
	}
}

// Random graphs with many ties, of few vertices and of many, of narrow offsets
// and of wide ones; the numbers of vertices and edges go to where lists are
// looked at by a warp, and by all.
func TestDevicePrepared(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	defer func() { e.Wide = false }()
	sizes := [][2]int{{2, 40}, {60, 30}, {300, 20_000}, {3000, 5000}, {3000, 40_000}}
	if testing.Short() {
		sizes = sizes[:4]
	}
	for _, size := range sizes {
		for _, weights := range []int{1 << 30, 255, 3, 1} {
			e.Wide = r.IntN(2) == 0
			agree(t, "random", prepared(t, trial.Random(r, size[0], size[1], weights, false), pregel.Orders[r.IntN(len(pregel.Orders))]))
		}
		agree(t, "directed", prepared(t, trial.Random(r, size[0], size[1], 10, true), "degree"))
		agree(t, "unweighted", prepared(t, trial.Random(r, size[0], size[1], 0, false), "degree"))
	}
}

// Clusters that single edges join: the hubs of all but one, which are outside of
// the giant, pass over very many arcs of their own cluster.
func TestDevicePreparedClusters(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	size := 9000
	if testing.Short() {
		size = 3000
	}
	for _, clusters := range []int{2, 5} {
		list := graph.ArcList{Weighted: true}
		for c := range clusters {
			base := uint32(c * size)
			for v := range uint32(size - 1) {
				list.List = append(list.List, graph.Arc{U: base, V: base + v + 1, W: r.Int32N(50)},
					graph.Arc{U: base, V: base, W: r.Int32N(50)}) // loops too
			}
			if c > 0 {
				list.List = append(list.List, graph.Arc{U: base, V: r.Uint32N(base), W: r.Int32N(60)})
			}
		}
		agreeWithReference(t, "clusters", prepared(t, trial.Build(clusters*size, list, false), "degree"))
	}
}

// Edges that are more than one number: their greater ends are found apart.
func TestDevicePreparedTies(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	const n = 40_000 // 16 bits, and 32 of the weight
	for _, real := range []bool{false, true} {
		g := trial.Random(r, n, 2*n, 0, false)
		if testing.Short() && real {
			break
		}
		agree(t, "spread", prepared(t, spread(t, r, g, real), pregel.Orders[r.IntN(len(pregel.Orders))]))
	}
}

// Chains as long as the graph, of weights that fall, rise, or are equal.
func TestDevicePreparedChains(t *testing.T) {
	trial.Device(t)
	n := uint32(20_000)
	if testing.Short() {
		n = 2000
	}
	for _, step := range []int32{1, -1, 0} {
		path := graph.ArcList{Weighted: true}
		for v := range n - 1 {
			path.List = append(path.List, graph.Arc{U: v, V: v + 1, W: step * int32(v)})
		}
		for _, order := range pregel.Orders {
			agree(t, "chain", prepared(t, trial.Build(int(n), path, false), order))
		}
	}
}
