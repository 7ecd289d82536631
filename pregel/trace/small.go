package trace

import (
	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// graphOf is the record of a graph.
func graphOf(g *graph.Graph) *Graph {
	rec := &Graph{IDs: make([]string, g.N()), Sources: []uint32{}, Targets: []uint32{}}
	weighted := g.Weighted() != graph.Unweighted
	if weighted {
		rec.Weights = []float64{}
	}
	for u := range rec.IDs {
		rec.IDs[u] = g.IDs().Text(uint32(u))
	}
	eachEdge(g, func(u, v uint32, at uint64) {
		rec.Sources, rec.Targets = append(rec.Sources, u), append(rec.Targets, v)
		if weighted {
			rec.Weights = append(rec.Weights, g.Out().Weights.At(at))
		}
	})
	return rec
}

// eachEdge calls f for each arc, of an undirected graph for one of each edge, and tells
// which it is.
func eachEdge(g *graph.Graph, f func(u, v uint32, at uint64)) {
	out := g.Out()
	for u := range uint32(g.N()) {
		for i, v := range out.Neighbors(u) {
			if g.Directed() || v >= u { // or it is listed with v
				f(u, v, out.Offsets.At(u)+uint64(i))
			}
		}
	}
}

// columnsOfTable names the columns of rowsOf.
func columnsOfTable(t *pregel.Table) (columns []string) {
	if t.PerVertex {
		columns = append(columns, "id")
	}
	for _, c := range t.Columns {
		columns = append(columns, c.Name)
	}
	return columns
}

// rowsOf writes a table with the ids of its graph.
func rowsOf(t *pregel.Table, ids graph.IDs) [][]any {
	rows := make([][]any, t.Rows())
	for i := range rows {
		var row []any
		if t.PerVertex {
			row = append(row, ids.Text(uint32(i)))
		}
		for _, c := range t.Columns {
			row = append(row, cell(c, i, ids))
		}
		rows[i] = row
	}
	return rows
}

func cell(c pregel.Column, i int, ids graph.IDs) any {
	switch {
	case c.Empty(i):
		return nil
	case c.Vertices != nil:
		return ids.Text(c.Vertices[i])
	case c.Counts != nil:
		return c.Counts[i]
	case c.Ints != nil:
		return c.Ints[i]
	}
	return Float(c.Floats[i])
}

// A crowd counts the messages to each vertex that still takes any.
type crowd struct {
	targets, sent, most uint64
}

// counts are messages to vertices: all 0 between two barriers.
type counts struct {
	got  []uint32
	list []uint32 // the vertices that got any
}

// crowd looks at the arcs of the vertices awake. Of a run on a device the state
// alone knows who has settled.
func (n *counts) crowd(t pregel.Sender, s pregel.State) *crowd {
	if len(n.got) < t.Graph().N() {
		n.got = make([]uint32, t.Graph().N())
	}
	c, settled := &crowd{}, s.Settled
	if settled == nil {
		settled = t.Settled()
	}
	for _, u := range s.Awake.AppendTo(nil) {
		for _, arcs := range t.Sending() {
			for _, v := range arcs.Neighbors(u) {
				if settled == nil || !settled.Has(v) {
					n.send(v)
				}
			}
		}
	}
	for _, v := range n.list {
		c.sent += uint64(n.got[v])
		c.most = max(c.most, uint64(n.got[v]))
		n.got[v] = 0
	}
	c.targets, n.list = uint64(len(n.list)), n.list[:0]
	return c
}

func (n *counts) send(v uint32) {
	if n.got[v] == 0 {
		n.list = append(n.list, v)
	}
	n.got[v]++
}

func (c *crowd) contention() *Contention {
	if c.targets == 0 {
		return nil
	}
	return &Contention{Most: c.most, Mean: float64(c.sent) / float64(c.targets)}
}
