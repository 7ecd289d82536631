package command

import (
	"gopregel/pregel/graph"
)

// count fills in degrees, isolated vertices and duplicates, in one pass over
// the arcs.
func (info *graphInfo) count(g *graph.Graph) {
	out := g.Out()
	in := make([]uint64, g.N())
	for u := range uint32(g.N()) {
		last, repeats := graph.None, uint64(0)
		for _, v := range out.Neighbors(u) {
			in[v]++
			if v == last && (g.Directed() || u <= v) {
				repeats++
			}
			last = v
		}
		info.Duplicates += repeats
	}
	for v := range uint32(g.N()) {
		if out.Degree(v) == 0 && in[v] == 0 {
			info.Isolated++
		}
	}
	info.OutDegree = describeDegrees(g, out.Degree)
	if g.Directed() {
		d := describeDegrees(g, func(v uint32) uint64 { return in[v] })
		info.InDegree = &d
	}
}

// describeDegrees finds the least vertex of greatest degree.
func describeDegrees(g *graph.Graph, degree func(v uint32) uint64) degreeInfo {
	if g.N() == 0 {
		return degreeInfo{}
	}
	d := degreeInfo{Min: degree(0), Mean: float64(g.Arcs()) / float64(g.N())}
	most := uint32(0)
	for v := range uint32(g.N()) {
		d.Min = min(d.Min, degree(v))
		if degree(v) > degree(most) {
			most = v
		}
	}
	d.Max, d.MaxVertex = degree(most), g.IDs().Text(most)
	return d
}

func describeWeights(w graph.Weights) weightsInfo {
	info := weightsInfo{Kind: w.Kind().String()}
	n := uint64(len(w.Int) + len(w.Float))
	if n == 0 {
		return info
	}
	lo, hi := w.At(0), w.At(0)
	for i := range n {
		lo, hi = min(lo, w.At(i)), max(hi, w.At(i))
	}
	info.Min, info.Max = &lo, &hi
	return info
}

func describeIDs(ids graph.IDs) idsInfo {
	info := idsInfo{Kind: "range"}
	switch {
	case ids.Names() != nil:
		info.Kind = "strings"
	case ids.Numbers() != nil:
		info.Kind = "numbers"
	}
	if n := ids.Len(); n > 0 {
		info.First, info.Last = ids.Text(0), ids.Text(uint32(n-1))
	}
	return info
}
