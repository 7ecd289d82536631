package scc

import (
	"math"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

const (
	// Samples that say whether a graph is near or thin are a share of its vertices, within
	// bounds: to look at all of a small one takes as long as to go about it.
	sampleRows     = 1 << 10 // each is a cache miss or two
	leastRows      = 1 << 4
	rowShare       = 1 << 6
	sampleVertices = 1 << 12
	leastVertices  = 1 << 6
	vertexShare    = 1 << 4
	sampleArcs     = 16 // for each of those vertices
	sampleDegrees  = 1 << 15
	thinLevels     = 24 // in which sampleVertices are found
	quickLevels    = 6
	// Vertices are near by whose numbers differ by no more than nearBy and a share of
	// all. Most arcs lead near by where of farShare one may lead far.
	nearBy    = 1 << 13
	nearShare = 16
	farShare  = 4
	// One worker is faster than phases on up to fewArcs arcs, if those are few to a
	// vertex and searches do not spread at once: then most of the phases is to go over
	// vertices; and on twice as many, if they lead near by: then it waits little for
	// memory. Graphs of less than leastArcs, unless they are thin, take as little time in
	// either way, and who looks at how one is done sees the phases.
	fewArcs      = 1 << 21
	leastArcs    = 1 << 18
	sparseDegree = 8
)

// choose tells how the graph is to be gone about.
func (s *SCC) choose(g *graph.Graph) led {
	out := g.Out()
	switch s.way {
	case byPhases:
		return led{}
	case byDistricts:
		return led{Rule: isNear}
	}
	n, arcs := uint64(g.N()), out.Arcs()
	if arcs < leastArcs {
		return thin(out)
	}
	limit := min(fewArcs, sparseDegree*n)
	sparse := arcs <= limit
	divisible := arcs >= leastDistricts*districtArcs && n <= togetherMost
	if sparse && !divisible && !g.HasIn() {
		return led{isSparse, arcs, limit}
	}
	local, far := near(out)
	why := led{}
	if local {
		if why = thin(out); why.Rule == isThin && divisible {
			far.Rule = isNear
			return far
		}
	}
	switch {
	case sparse && !local && g.HasIn():
		return led{mayBeSparse, arcs, limit}
	case sparse:
		return led{isSparse, arcs, limit}
	case local && arcs <= 2*fewArcs:
		far.Rule = isSmall
		return far
	case local:
		return why
	}
	return thin(out)
}

// near tells whether most arcs lead to vertices near by in number, by a sample of rows.
func near(out graph.CSR) (is bool, why led) {
	n := out.N()
	within := uint32(min(nearBy, n/nearShare))
	rows := min(sampleRows, max(n/rowShare, leastRows))
	var far, all uint64
	for u := 0; u < n; u += max(n/rows, 1) {
		for _, v := range out.Neighbors(uint32(u)) {
			if all++; max(v, uint32(u))-min(v, uint32(u)) > within {
				far++
			}
		}
	}
	return far <= all/farShare, led{Have: far, Limit: all / farShare}
}

// wellJoined is the vertex with the most out-arcs of a sample.
func wellJoined(out graph.CSR) (u uint32) {
	n := out.N()
	for v := 0; v < n; v += max(n/sampleDegrees, 1) {
		if out.Degree(uint32(v)) > out.Degree(u) {
			u = uint32(v)
		}
	}
	return u
}

// quick tells whether a search from the pivot spreads at once, as in social networks and
// random graphs: then a graph of few arcs is gone about in phases nonetheless. In crawls
// of the web it does not, and the pivot's component is small.
func quick(out graph.CSR, pivot uint32, marks []mark) (is bool, why led) {
	levels, enough := spread(out, pivot, marks, sampleVertices)
	return enough && levels <= quickLevels, led{notQuick, uint64(levels), quickLevels}
}

// thin tells whether a search from a vertex with many out-arcs finds vertices slowly. In a
// plane the vertices found grow as the square of the levels, so the levels allowed do as
// the square root of the vertices asked for. A small random graph of an arc or so for each
// vertex counts as thin, too.
func thin(out graph.CSR) led {
	vertices := min(sampleVertices, max(out.N()/vertexShare, leastVertices))
	most := uint64(thinLevels * math.Sqrt(float64(vertices)/sampleVertices))
	levels, enough := spread(out, wellJoined(out), nil, vertices)
	switch {
	case !enough:
		return led{Rule: smallReach, Have: uint64(levels)}
	case uint64(levels) > most:
		return led{isThin, uint64(levels), most}
	}
	return led{notThin, uint64(levels), most}
}

// spread searches from u, level by level, until it has found so many vertices or read
// sampleArcs for each, among those that are open, if there are marks. It tells how many
// levels were done by then, and whether there were as many.
func spread(out graph.CSR, u uint32, marks []mark, vertices int) (levels int, enough bool) {
	seen := bitmap.New(out.N())
	defer func() { mem.Give(seen) }()
	seen.Set(u)
	level, arcs, found := []uint32{u}, 0, 1
	for ; len(level) > 0; levels++ {
		var next []uint32
		for _, u := range level {
			for _, v := range out.Neighbors(u) {
				if arcs++; arcs > sampleArcs*vertices || found >= vertices {
					return levels, true
				}
				if !seen.Has(v) && (marks == nil || marks[v] == open) {
					seen.Set(v)
					found++
					next = append(next, v)
				}
			}
		}
		level = next
	}
	return levels, false
}
