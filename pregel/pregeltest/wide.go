package pregeltest

import (
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// Widened is a graph with offsets of eight bytes, as one of 2^32 arcs has, or one that is
// mapped. In-arcs are there if they were. A renumbered graph stays as it is, as nobody would know
// that it was.
func Widened(g *graph.Graph) *graph.Graph {
	if g.Reordered() {
		return g
	}
	p := graph.Parts{Directed: g.Directed(), IDs: g.IDs(), Out: widened(g.Out())}
	if g.Directed() && g.HasIn() {
		in := widened(g.In())
		p.In = &in
	}
	h, err := graph.New(p)
	if err != nil {
		panic(err) // the shapes are those of a graph
	}
	return h
}

func widened(c graph.CSR) graph.CSR {
	c.Offsets = mem.WideOffsets(c.Offsets.All())
	return c
}
