package graphgen

import "gopregel/pregel/graph"

// uniform draws both ends of each edge uniformly and independently, with
// replacement: the model G(n, m) of Erdős and Rényi but for the loops and
// duplicates it may hold (which the job's self_loops and duplicates can drop).
//
// Cost: two random numbers an edge.
type uniform struct {
	n, edges uint64
	random   stream
}

func openUniform(s Spec, _ bool) (graph.IDs, generator, error) {
	n := s.N
	if n == 0 {
		n = 1 << s.Scale
	}
	g := uniform{n: uint64(n), edges: uint64(n) * uint64(s.EdgeFactor), random: newStream(s.Seed, forEdges)}
	return graph.RangeIDs(0, n), g, nil
}

func (g uniform) units() uint64 { return g.edges }
func (g uniform) grain() int    { return blockEdges }

func (g uniform) fill(b *block, lo, hi uint64) {
	for i := lo; i < hi; i++ {
		b.add(uint32(g.random.below(2*i, g.n)), uint32(g.random.below(2*i+1, g.n)))
	}
}
