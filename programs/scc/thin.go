package scc

import "gopregel/pregel/graph"

const (
	sampleVertices = 1 << 12
	sampleArcs     = 1 << 16
	thinLevels     = 24
)

// thin tells whether a search from the vertex with the most out-arcs finds
// vertices slowly: level by level, so few that it takes more than thinLevels to
// find sampleVertices.
func thin(out graph.CSR) led {
	u, _ := out.MaxDegree()
	seen := map[uint32]bool{u: true}
	level, arcs := []uint32{u}, 0
	levels := 0
	for ; len(level) > 0; levels++ {
		var next []uint32
		for _, u := range level {
			for _, v := range out.Neighbors(u) {
				if arcs++; arcs > sampleArcs || len(seen) >= sampleVertices {
					if levels > thinLevels {
						return led{isThin, uint64(levels), thinLevels}
					}
					return led{notThin, uint64(levels), thinLevels}
				}
				if !seen[v] {
					seen[v] = true
					next = append(next, v)
				}
			}
		}
		level = next
	}
	return led{Rule: smallReach, Have: uint64(levels)}
}
