package bench

import (
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/lcc"
	"gopregel/programs/mst"
	"gopregel/programs/sssp"
)

// traffic estimates the bytes that a run has read and written, from the records
// of its supersteps:
//
//	Σ over supersteps: arcs · (4 + weight + value) + awake · (offsets + 2·value) + frontier
//	+ the columns of the answer, once
//
// arcs are those the record counts (sent along, or read when pulled or by a
// plain phase): a target of 4 bytes, a weight of 4 where the program reads
// weights, and the value at the other end, as wide as the answer's first column.
// A vertex that is awake has two offsets of 8 bytes, in supersteps that read any
// arcs, and its value is read and written. A frontier is written and read: 8
// bytes a vertex that is awake as a list, two bits a vertex of the graph as a
// bitmap.
//
// In a plain phase (wcc, scc, mst, lcc) all vertices are awake, whatever it goes
// over. What it reads at the other end of an arc is about as wide as its answer:
// a root (wcc, mst), a vertex's place in the sum (lcc), but a mark of one byte
// where scc searches. The edges that mst sorts out in its rounds, copied to lists
// of its own, count as arcs with weights do, less than they take there; lcc's
// lists of a directed graph have beside each neighbour the number of arcs, like a
// weight.
//
// It is what a program of this kind has to touch, counted at its own size: not
// whole cache lines, nor what is copied or sorted between phases. Caches serve a
// part of it, so more of it than the memory's bandwidth is possible, above all
// for lcc, whose lists are short and read again and again.
type traffic struct {
	arcs, awake, offsets, frontier uint64
	vertices                       uint64
}

func (t *traffic) step(r pregel.StepRecord) {
	t.arcs += r.Arcs
	t.awake += r.Awake
	if r.Arcs > 0 {
		t.offsets += 16 * r.Awake
	}
	if r.List {
		t.frontier += 8 * r.Awake
	} else {
		t.frontier += t.vertices / 4
	}
}

// bytes returns the estimate, 0 when no superstep counted arcs.
func (t *traffic) bytes(g *graph.Graph, a pregel.Algorithm, table *pregel.Table, narrow bool) uint64 {
	if t.arcs == 0 || len(table.Columns) == 0 {
		return 0
	}
	value, answer := width(table.Columns[0]), uint64(0)
	if narrow {
		value = min(value, 4)
	}
	for _, c := range table.Columns {
		answer += uint64(c.Len()) * width(c)
	}
	return t.arcs*(4+weightWidth(g, a)+value) + t.awake*2*value + t.offsets + t.frontier + answer
}

// width is the size of a column's numbers.
func width(c pregel.Column) uint64 {
	if c.Vertices != nil || c.Counts != nil {
		return 4
	}
	return 8
}

// weightWidth is the size of the weight that the algorithm reads with an arc, or
// of what it keeps in that place.
func weightWidth(g *graph.Graph, a pregel.Algorithm) uint64 {
	switch a.(type) {
	case *sssp.SSSP, *mst.MST:
		if g.Weighted() != graph.Unweighted {
			return 4
		}
	case *lcc.LCC:
		if g.Directed() {
			return 4
		}
	}
	return 0
}
