// Package census counts components, communities and the like by the labels that vertices have: how
// many there are, and how many vertices have the most frequent one. A label is the number of a vertex.
package census

import (
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// Samples are the vertices that MostSeen looks at.
const Samples = 1024

// piece is how many labels a goroutine counts at a time.
const piece = 1 << 14

// Of counts the components that a run has found, or, where it was stopped, its labels.
func Of(r pregel.Result[uint32], workers int) (components, largest int) {
	if r.Stop.Reason != pregel.Halted {
		return Labels(r.Values)
	}
	return Components(r.Values, workers)
}

// Components counts where the vertex that a component is named after is in it, and all have a label.
//
// Method: one pass, by several goroutines, counts vertices with their own label, and those with the label
// that a sample shows. That one is the largest if no other can be larger: k others share what is left, and
// have one vertex each at the least, so none has more than what is left but for k-1. Else Labels counts.
// Cost: O(n).
func Components(component []uint32, workers int) (components, largest int) {
	if len(component) == 0 {
		return 0, 0
	}
	most, _ := MostSeen(len(component), func(v uint32) uint32 { return component[v] })
	type tally struct {
		roots, members int
		_              [64]byte
	}
	tallies := make([]tally, workers)
	parallel.Range(workers, len(component), piece, func(w, lo, hi int) {
		roots, members := 0, 0
		for i, c := range component[lo:hi] {
			if c == uint32(lo+i) {
				roots++
			}
			if c == most {
				members++
			}
		}
		tallies[w].roots += roots
		tallies[w].members += members
	})
	members := 0
	for _, t := range tallies {
		components += t.roots
		members += t.members
	}
	if left, others := len(component)-members, components-1; members >= left-(others-1) {
		return components, members
	}
	return Labels(component)
}

// Labels counts any labels, but for those that are graph.None. Neighbours by number often have one
// label: they are counted together. Cost: O(n), and four bytes a vertex.
func Labels(label []uint32) (labels, largest int) {
	size := mem.Make[uint32](len(label))
	defer mem.Give(size)
	for lo := 0; lo < len(label); {
		hi, c := lo+1, label[lo]
		for hi < len(label) && label[hi] == c {
			hi++
		}
		if c != graph.None {
			if size[c] == 0 {
				labels++
			}
			size[c] += uint32(hi - lo)
			largest = max(largest, int(size[c]))
		}
		lo = hi
	}
	return labels, largest
}

// MostSeen returns the label most frequent in a sample spread over n vertices, and how often it was seen;
// graph.None of no vertices.
func MostSeen(n int, label func(v uint32) uint32) (most uint32, seen uint64) {
	most = graph.None
	if n == 0 {
		return most, 0
	}
	var votes [2 * Samples]struct{ label, times uint32 } // by the hash of the label, or behind it
	for i := range uint64(Samples) {
		c := label(uint32(graph.SplitMix64(i) % uint64(n)))
		k := graph.SplitMix64(uint64(c)) % uint64(len(votes))
		for votes[k].times > 0 && votes[k].label != c {
			k = (k + 1) % uint64(len(votes))
		}
		votes[k].label = c
		if votes[k].times++; uint64(votes[k].times) > seen {
			most, seen = c, uint64(votes[k].times)
		}
	}
	return most, seen
}
