package pregel

import "gopregel/pregel/mem"

// Share is what a vertex has for each of the arcs along which it sends: its value times 1/OutDegree,
// and 0 where there are none. PageRank and other walks at random offer it.
func Share[V float32 | float64](v Vertex[V]) V { return v.Value * part[V](v.OutDegree) }

// Shares stores in offers what Share is of each vertex of a block: it is EmitBlock of a program whose
// Emit is Share, in vector instructions where there are any.
func Shares[V float32 | float64](b *Block[V], offers []V) {
	values := b.Values
	for i := mem.Shares(offers[:len(values)], values, b.offsets); i < len(values); i++ {
		offers[i] = values[i] * part[V](b.OutDegree(i))
	}
}

// part is what goes along each of d arcs.
func part[V float32 | float64](d uint32) V {
	if d == 0 {
		return 0
	}
	return 1 / V(d)
}
