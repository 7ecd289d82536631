package cuda

import (
	"slices"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// Tiles pay where few arcs leave theirs, and few vertices have more neighbours
// than rows have room for: those of a sample tell.
const (
	tileSamples = 64
	mostLeaving = 4       // 1 in so many arcs
	mostBeyond  = 8       // 1 in so many vertices
	mostArcs    = 1 << 10 // of a vertex, which one thread looks at
)

// InTiles tells whether programs that may be relaxed are to be run tile by tile
// (Session.Relax): the graph was prepared, its vertices stand with their
// neighbours, few a vertex, and the engine is held to nothing else.
func (e *Engine) InTiles(g *graph.Graph) bool {
	if e.Strict || e.Direction != pregel.Auto || e.Schedule == pregel.BSP || !g.Reordered() || g.N() <= e.tile {
		return false
	}
	if d := e.graph; d != nil && d.Host == g && d.slim || slices.Contains(e.leftOut, arcsByTile) {
		return false
	}
	if e.sampled != g {
		e.sampled, e.inTiles = g, e.tilesPay(g)
	}
	return e.inTiles
}

// tilesPay looks at some tiles and, where they pay, at the degrees of all vertices.
func (e *Engine) tilesPay(g *graph.Graph) bool {
	tiles := g.N() / e.tile
	var sum sample
	for n := range min(tiles, tileSamples) {
		sum.add(g.Out(), uint32(n*tiles/min(tiles, tileSamples)), uint32(e.tile))
	}
	return sum.pays() && greatest(g.Out()) <= mostArcs && (!g.Directed() || greatest(g.In()) <= mostArcs)
}

// greatest is the greatest degree.
func greatest(c graph.CSR) uint64 {
	most := uint64(0)
	for v := range uint32(c.N()) {
		most = max(most, c.Degree(v))
	}
	return most
}

// InTiles is that of the engine, for the session's graph.
func (s *Session) InTiles() bool { return s.engine.InTiles(s.graph.Host) }

// A sample counts what tiles have.
type sample struct{ vertices, beyond, arcs, leaving int }

func (s *sample) add(c graph.CSR, tile, size uint32) {
	for v := tile * size; v < (tile+1)*size; v++ {
		list := c.Neighbors(v)
		stay := 0
		for _, u := range list {
			if u/size == tile {
				stay++
			}
		}
		s.vertices++
		s.arcs += len(list)
		s.leaving += len(list) - stay
		if stay > tileRow {
			s.beyond++
		}
	}
}

func (s *sample) pays() bool {
	return s.arcs > 0 && s.leaving*mostLeaving <= s.arcs && s.beyond*mostBeyond <= s.vertices
}
