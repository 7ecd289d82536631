package graph

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/pregeltest/race"
)

// tileGraph makes a graph of n vertices whose numbers are shuffled.
func tileGraph(t *testing.T, r *rand.Rand, n int, directed bool, edges [][2]int) *Graph {
	t.Helper()
	name := r.Perm(n)
	var list ArcList
	for _, e := range edges {
		list.List = append(list.List, Arc{U: uint32(name[e[0]]), V: uint32(name[e[1]])})
	}
	g, err := FromArcs(n, list, Options{Directed: directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// gridEdges are those of a square grid, but for a share that is missing.
func gridEdges(r *rand.Rand, side int, missing float64) (edges [][2]int) {
	for v := range side * side {
		if (v+1)%side != 0 && r.Float64() >= missing {
			edges = append(edges, [2]int{v, v + 1})
		}
		if v+side < side*side && r.Float64() >= missing {
			edges = append(edges, [2]int{v, v + side})
		}
	}
	return edges
}

func starEdges(n int) (edges [][2]int) {
	for v := 1; v < n; v++ {
		edges = append(edges, [2]int{0, v})
	}
	return edges
}

// looseEdges are at random, a few at hubs, some double, some loops.
func looseEdges(r *rand.Rand, n, m int) (edges [][2]int) {
	for range m {
		u, v := r.IntN(n), r.IntN(n)
		switch r.IntN(9) {
		case 0:
			u = r.IntN(3)
		case 1:
			v = u
		case 2:
			edges = append(edges, [2]int{v, u})
		}
		edges = append(edges, [2]int{u, v})
	}
	return edges
}

// pieces counts the components of each tile's own, arcs taken as edges.
func pieces(g *Graph, order []uint32) []int {
	place := make([]int, len(order))
	for i, v := range order {
		place[v] = i
	}
	counts := make([]int, (len(order)+TileSize-1)/TileSize)
	met := make([]bool, len(order))
	for i, s := range order {
		if met[s] {
			continue
		}
		met[s] = true
		counts[i/TileSize]++
		queue := []uint32{s}
		for len(queue) > 0 {
			u := queue[0]
			queue = queue[1:]
			for _, list := range [][]uint32{g.Out().Neighbors(u), g.In().Neighbors(u)} {
				for _, v := range list {
					if !met[v] && place[v]/TileSize == i/TileSize {
						met[v] = true
						queue = append(queue, v)
					}
				}
			}
		}
	}
	return counts
}

// leaving returns the share of the arcs that leave their tile.
func leaving(g *Graph, order []uint32) float64 {
	place := make([]int, len(order))
	for i, v := range order {
		place[v] = i
	}
	leave := 0
	for u := range uint32(g.N()) {
		for _, v := range g.Out().Neighbors(u) {
			if place[u]/TileSize != place[v]/TileSize {
				leave++
			}
		}
	}
	return float64(leave) / float64(max(g.Arcs(), 1))
}

// checkTiles checks what holds for the tiles of every graph, and returns the
// order and how many vertices fill tiles.
func checkTiles(t *testing.T, what string, g *Graph) (order []uint32, full int) {
	t.Helper()
	tiles := newTiler(g, 2)
	end := tiles.back
	for s := tiles.seed(); s != None; s = tiles.seed() {
		tiles.region(s)
		tiles.place()
	}
	full = tiles.front
	if order = g.ByTiles(1); !slices.Equal(order, g.ByTiles(4)) {
		t.Fatalf("%s: 4 workers give another order", what)
	}
	if _, err := inverse(order, g.N()); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	for i, count := range pieces(g, order)[:full/TileSize] {
		if count != 1 {
			t.Errorf("%s: tile %d of %d full ones has %d pieces", what, i, full/TileSize, count)
		}
	}
	for i, v := range order {
		if isolated := g.Out().Degree(v)+g.In().Degree(v) == 0; isolated != (i >= end) {
			t.Fatalf("%s: place %d: isolated %v, but the isolated ones are from place %d on", what, i, isolated, end)
		}
	}
	return order, full
}

func TestByTiles(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	complete := [][2]int{}
	for u := range 1100 {
		for v := range u {
			complete = append(complete, [2]int{u, v})
		}
	}
	path := make([][2]int, 5*TileSize+99)
	for v := range path {
		path[v] = [2]int{v, v + 1}
	}
	for _, directed := range []bool{false, true} {
		for _, c := range []struct {
			what  string
			n     int
			edges [][2]int
			full  int // tiles that are filled
		}{
			{"empty", 0, nil, 0},
			{"one vertex", 1, nil, 0},
			{"a loop", 1, [][2]int{{0, 0}}, 0},
			{"isolated", 3000, nil, 0},
			{"star", 4000, starEdges(4000), 1},
			{"star and isolated", 4000, starEdges(1500), 1},
			{"complete", 1100, complete, 1},
			{"path", len(path) + 1, path, 5},
			{"a tile", TileSize, path[:TileSize-1], 1},
			{"a tile less one", TileSize - 1, path[:TileSize-2], 0},
			{"grid", 64 * 64, gridEdges(r, 64, 0), 4},
			{"two grids", 2 * 32 * 32, gridEdges(r, 32, 0), 1},
		} {
			if race.On && c.what == "complete" {
				continue
			}
			what := fmt.Sprintf("%s, directed %v", c.what, directed)
			if _, full := checkTiles(t, what, tileGraph(t, r, c.n, directed, c.edges)); full != c.full*TileSize {
				t.Errorf("%s: %d vertices in full regions, want %d tiles", what, full, c.full)
			}
		}
		for range 10 {
			n := 1 + r.IntN(6000)
			m := r.IntN(2 * n)
			checkTiles(t, fmt.Sprintf("%d random edges of %d vertices, directed %v", m, n, directed), tileGraph(t, r, n, directed, looseEdges(r, n, m)))
		}
	}
}

// Squares leave 2.74 % of a grid's arcs between tiles, and numbers at random
// nearly all. How good tiles are hangs on the graph, so it is a given one.
func TestByTilesQuality(t *testing.T) {
	t.Parallel()
	const side = 256
	for _, c := range []struct{ missing, most float64 }{{0, 0.0275}, {0.1, 0.045}} {
		for _, directed := range race.Some(false, true) {
			r := rand.New(rand.NewPCG(1, 2))
			g := tileGraph(t, r, side*side, directed, gridEdges(r, side, c.missing))
			order, full := checkTiles(t, "grid", g)
			got := leaving(g, order)
			t.Logf("%.1f missing, directed %v: %.4f leave", c.missing, directed, got)
			if got > c.most {
				t.Errorf("%.1f missing, directed %v: %.4f of the arcs leave their tile, want at most %.4f", c.missing, directed, got, c.most)
			}
			if full < side*side*95/100 {
				t.Errorf("%.1f missing, directed %v: %d of %d vertices in full tiles", c.missing, directed, full, side*side)
			}
			order = order[:0]
			for v := range uint32(side * side) {
				order = append(order, v)
			}
			if plain := leaving(g, order); plain < 0.9 {
				t.Errorf("%.4f leave without an order: the test shows nothing", plain)
			}
		}
	}
}

// A path is cut once between two tiles.
func TestByTilesPath(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	const tiles = 20
	path := make([][2]int, tiles*TileSize-1)
	for v := range path {
		path[v] = [2]int{v, v + 1}
	}
	g := tileGraph(t, r, len(path)+1, false, path)
	if cut := leaving(g, g.ByTiles(1)) * float64(len(path)); cut > tiles-0.5 {
		t.Errorf("cut %v times, want %d", cut, tiles-1)
	}
}

// Regions of a grid with many edges missing, as nets of streets have them, cut
// off parts, and absorb most of them: of given grids, as it hangs on the grid.
func TestByTilesPockets(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	const side = 128
	with, without := 0, 0
	for i := range 8 {
		g := tileGraph(t, r, side*side, false, gridEdges(r, side, 0.3))
		if i < 2 {
			checkTiles(t, "sparse grid", g)
		}
		small := leftovers(g, wholeComponent)
		with += leftovers(g, (*tiler).region) - small
		without += leftovers(g, (*tiler).grow) - small
	}
	t.Logf("%d leftover pieces, %d where nothing is absorbed", with, without)
	if with > without*3/5 {
		t.Errorf("%d leftover pieces, and %d where nothing is absorbed", with, without)
	}
}

// leftovers counts the regions that do not fill a tile.
func leftovers(g *Graph, grow func(tiles *tiler, start uint32)) (count int) {
	tiles := newTiler(g, 1)
	for s := tiles.seed(); s != None; s = tiles.seed() {
		if grow(tiles, s); tiles.size() < TileSize {
			count++
		}
		tiles.place()
	}
	return count
}

// wholeComponent grows a region beyond its size.
func wholeComponent(tiles *tiler, start uint32) {
	tiles.grow(start)
	for {
		v, _, ok := tiles.queue.pop()
		if !ok {
			return
		}
		if tiles.vertices[v].state == tileFree {
			tiles.take(v, tileGrown)
			tiles.grown = append(tiles.grown, v)
		}
	}
}

// Between two regions the counts are those of the free vertices.
func TestTilerCounts(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	times := 20
	if race.On { // there is one goroutine
		times = 1
	}
	for range times {
		n := 3000 + r.IntN(3000)
		var edges [][2]int
		for _, e := range looseEdges(r, n, n+r.IntN(n)) {
			if e[0] != e[1] {
				edges = append(edges, e)
			}
		}
		g := tileGraph(t, r, n, r.IntN(2) == 0, edges)
		tiles := newTiler(g, 1)
		for s := tiles.seed(); s != None; s = tiles.seed() {
			tiles.region(s)
			tiles.place()
			for v := range uint32(n) {
				if tiles.vertices[v].state == tileDone {
					continue
				}
				want := tileVertex{}
				free := 0
				for _, w := range tiles.neighbors(v) {
					if tiles.vertices[w].state == tileFree {
						free++
					}
				}
				if want.free = uint8(min(free, tileMany)); len(tiles.neighbors(v)) >= tileMany {
					want.free = tileMany
				}
				if got := tiles.vertices[v]; got != want {
					t.Fatalf("vertex %d: %+v, want %+v", v, got, want)
				}
			}
		}
	}
}
