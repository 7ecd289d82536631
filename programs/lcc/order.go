package lcc

import (
	"context"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/programs/internal/phase"
)

// count is the run of the algorithm on one graph. From order on, vertices are
// named by their ranks, but in thin and even graphs. The rest of a run depends on at and the columns alone (parts),
// and on what the workers have found since gather.
type count struct {
	*phase.Run
	at struct {
		Stage     int
		Thin      bool   // the graph is: see thin.go
		Even      bool   // it is, which counts if it is not thin: see even.go
		Repeated  uint32 // it is not after all
		Closed    uint32 // it has triangles
		Triangles pregel.PhaseProgress
	}
	job    *pregel.Job
	g      *graph.Graph
	n      int
	degree []uint32 // of vertices in the simple graph
	rank   []uint32 // of vertices
	vertex []uint32 // of ranks
	slots  []slot   // by worker

	lower     graph.CSR // neighbours of lower rank, ascending; those of higher rank are looked up (above)
	lowerRows rows      // their offsets
	total     []uint64  // t of each rank, as far as is gathered
	answer    []uint64  // t by vertex
}

// rows are offsets in the form of parts.
type rows struct {
	narrow []uint32
	wide   []uint64
}

func (r *rows) offsets() graph.Offsets {
	if len(r.wide) > 0 {
		return mem.WideOffsets(r.wide)
	}
	return mem.NarrowOffsets(r.narrow)
}

func (c *count) parts() []any {
	return []any{&c.at, &c.degree, &c.rank, &c.vertex, &c.total,
		&c.lowerRows.narrow, &c.lowerRows.wide, &c.lower.Targets, &c.lower.Weights.Int}
}

// slot is the room of one worker.
type slot struct {
	near  []uint32 // neighbours of a vertex
	arcs  []int32  // between it and them: 1 or 2
	pairs []uint64 // of a neighbour and these
	marks []uint8  // arcs between the current v and the vertices of lower rank
	total []uint64 // t of each rank, as far as this worker has found

	from, to [listsAhead]uint64 // where lists begin and end

	found, looked float64 // marked, of those looked at of late

	_ [64]byte
}

// neighbours returns the neighbours of v, and how many arcs join it to each.
func (s *slot) neighbours(g *graph.Graph, v uint32) ([]uint32, []int32) {
	s.near, s.arcs = s.near[:0], s.arcs[:0]
	if !g.Directed() {
		last := v
		for _, u := range g.Out().Neighbors(v) {
			if u != last && u != v {
				s.near, s.arcs = append(s.near, u), append(s.arcs, 2)
			}
			last = u
		}
		return s.near, s.arcs
	}
	out, in := g.Out().Neighbors(v), g.In().Neighbors(v)
	for len(out) > 0 || len(in) > 0 {
		u, arcs := graph.None, int32(0)
		if len(out) > 0 {
			u = out[0]
		}
		if len(in) > 0 {
			u = min(u, in[0])
		}
		if len(out) > 0 && out[0] == u {
			out, arcs = after(out, u), arcs+1
		}
		if len(in) > 0 && in[0] == u {
			in, arcs = after(in, u), arcs+1
		}
		if u != v {
			s.near, s.arcs = append(s.near, u), append(s.arcs, arcs)
		}
	}
	return s.near, s.arcs
}

// after returns the part of an ascending list that comes after u, its first.
func after(list []uint32, u uint32) []uint32 {
	for len(list) > 0 && list[0] == u {
		list = list[1:]
	}
	return list
}

// degrees counts the neighbours.
func (c *count) degrees() bool {
	c.degree = mem.Make[uint32](c.n)
	return c.Vertices("lcc degrees", overVertices(degreeBytes, 0), func(lo, hi uint32, w *pregel.Worker) {
		c.slots[w.Slot].degrees(c.g, c.degree[lo:hi], lo)
		w.Arcs += c.arcs(lo, hi)
	})
}

// order ranks the vertices by degree, most neighbours first, then by id.
func (c *count) order() bool {
	return c.Serial("lcc order", overVertices(degreeBytes+rankBytes, 0), func(context.Context, *pregel.Worker) {
		c.rank, c.vertex = mem.Make[uint32](c.n), mem.Make[uint32](c.n)
		most := uint32(0)
		for _, d := range c.degree {
			most = max(most, d)
		}
		starts := make([]uint32, most+2) // starts[d]: ranks of vertices with more than d neighbours
		for _, d := range c.degree {
			starts[d]++
		}
		sum := uint32(0)
		for d := int(most); d >= 0; d-- {
			sum, starts[d] = sum+starts[d], sum
		}
		for v, d := range c.degree {
			c.rank[v], c.vertex[starts[d]] = starts[d], uint32(v)
			starts[d]++
		}
	})
}

// arcs counts those that neighbours reads for the vertices from lo to hi.
func (c *count) arcs(lo, hi uint32) uint64 {
	out := c.g.Out()
	arcs := out.Offsets.Between(lo, hi)
	if c.g.Directed() {
		in := c.g.In()
		arcs += in.Offsets.Between(lo, hi)
	}
	return arcs
}
