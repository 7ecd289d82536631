package graphgen

import (
	"sort"

	"gopregel/pregel/graph"
)

// SSCA#2: cliques in a row, whose vertices are linked to others at distances
// that are powers of two, the rarer the farther.
//
//   - Cliques: sizes uniform in 1..2^⌊scale/3⌋, until 2^scale vertices are used.
//   - Between v and v+d, for d = 1, 2, 4, … when they are of different cliques:
//     an arc in each direction with probability 1/2, 1/4, 1/8, …
//   - Directed, each pair in a clique has both arcs, or with probability 0.2
//     only one, in a random direction. Undirected, directions are forgotten: a
//     pair has one edge if it has an arc.
//   - Ids are permuted.
//
// We differ from the benchmark's generator in that there are no parallel edges
// (it draws up to three), that distances do not wrap round the last vertex,
// and that weights are those every generator has. So the graph is simple.
//
// Cost: O(1) an edge and O(scale) a vertex; memory O(2^scale / clique size).
//
// D. Bader, K. Madduri: Design and implementation of the HPCS graph analysis
// benchmark on symmetric multiprocessors, HiPC 2005 (versions 1 and 2 of the
// benchmark; the last ones use R-MAT).
type ssca2 struct {
	directed         bool
	starts           []uint32 // of the cliques, then the number of vertices
	pairs, distances stream
	labels           *permutation
}

const oneWay = 858993459 // 0.2 · 2^32

func openSSCA2(s Spec, directed bool) (graph.IDs, generator, error) {
	n := uint64(1) << s.Scale
	g := &ssca2{
		directed:  directed,
		pairs:     newStream(s.Seed, forPairs),
		distances: newStream(s.Seed, forDistances),
		labels:    newPermutation(s.Seed, s.Scale),
	}
	sizes := newStream(s.Seed, forCliques)
	for start := uint64(0); start < n; {
		g.starts = append(g.starts, uint32(start))
		start += 1 + sizes.below(uint64(len(g.starts)), 1<<(s.Scale/3))
	}
	g.starts = append(g.starts, uint32(n))
	return graph.RangeIDs(0, int(n)), g, nil
}

func (g *ssca2) n() uint32 { return g.starts[len(g.starts)-1] }

func (g *ssca2) units() uint64 { return uint64(g.n()) }

func (g *ssca2) grain() int {
	size := int(g.n()) / (len(g.starts) - 1)
	return max(1, blockEdges/(size+2))
}

func (g *ssca2) fill(b *block, lo, hi uint64) {
	clique := sort.Search(len(g.starts), func(i int) bool { return uint64(g.starts[i]) > lo }) - 1
	for v := uint32(lo); v < uint32(hi); v++ {
		if v == g.starts[clique+1] {
			clique++
		}
		end := g.starts[clique+1]
		g.inside(b, v, end)
		g.outside(b, v, end)
	}
}

// inside adds the pairs of v and the later vertices of its clique.
func (g *ssca2) inside(b *block, v, end uint32) {
	x := g.labels.of(v)
	for w := v + 1; w < end; w++ {
		forth, back := true, false
		if g.directed {
			r := g.pairs.at(uint64(v)<<32 | uint64(w))
			both := uint32(r) >= oneWay
			forth, back = both || r>>63 == 0, both || r>>63 == 1
		}
		g.add(b, x, g.labels.of(w), forth, back)
	}
}

// outside adds the pairs of v and later vertices of other cliques.
func (g *ssca2) outside(b *block, v, end uint32) {
	x := g.labels.of(v)
	for k := uint(0); k < 32; k++ {
		w := uint64(v) + 1<<k
		if w >= uint64(g.n()) {
			return
		}
		if uint32(w) < end {
			continue
		}
		r := g.distances.at(uint64(v)<<32 | uint64(k))
		forth, back := uint32(r)>>(31-k) == 0, uint32(r>>32)>>(31-k) == 0
		if !g.directed {
			forth, back = forth || back, false
		}
		g.add(b, x, g.labels.of(uint32(w)), forth, back)
	}
}

func (g *ssca2) add(b *block, u, v uint32, forth, back bool) {
	if forth {
		b.add(u, v)
	}
	if back {
		b.add(v, u)
	}
}
