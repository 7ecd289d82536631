package plan

import (
	"math"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/sssp"
)

// This file is what sssp keeps on the CPU, by messages and in place.

// pathsByMessages is sssp by messages.
func pathsByMessages(a *sssp.SSSP, s Size, pull bool) shape {
	t := shape{value: 8, offer: 8, box: 8, bitmaps: 4, answer: 4, in: true, known: true}
	if alone(a) {
		t.answer, t.in = 0, pull
	}
	switch falls := falls(s); {
	case a.Method == sssp.BellmanFord:
		t.own = 28 // the look for negative cycles
	case falls > 1:
		t.own = uint64(5 * falls) // lists of who has got a message, of many supersteps
	}
	return t
}

// inPlace tells whether sssp lowers distances in place on the CPU.
func inPlace(a *sssp.SSSP, e job.Engine) bool {
	if a.Method == sssp.BellmanFord {
		return false
	}
	free := e.Schedule == pregel.AutoSchedule.String() && e.Determinism != "strict" && e.Direction == "auto"
	return free || e.Schedule == pregel.Relaxed.String()
}

// pathsInPlace is sssp in place. Of distances alone the labels have 4 bytes, and lie in the
// distances of many vertices, beside those of few. With parents they have 8, and become the
// distances, or, where little is reached, stay beside them: lists are short then. own: the lists.
func pathsInPlace(a *sssp.SSSP, s Size) shape {
	t := shape{value: 8, own: 5, answer: 4, known: true}
	if falls := falls(s); falls > 1 {
		t.own = uint64(2.5 * falls)
	}
	switch {
	case !alone(a):
		t.in = !s.Ways
	case s.Vertices >= sssp.InPlaceFrom && !s.Prepared:
		t.answer = 0
	}
	return t
}

// alone tells whether no parents are wanted.
func alone(a *sssp.SSSP) bool { return a.Parents != nil && !*a.Parents }

// falls is a measure of how often a vertex gets a shorter distance, and is put on a list: in random
// graphs it grows by the logarithm of the mean degree; without weights it is 1. 0: there are so few
// arcs that vertices mostly lie far from each other. Lists are short then, and used again.
func falls(s Size) float64 {
	degree := float64(s.Arcs) / float64(max(s.Vertices, 1))
	switch {
	case degree < manyArcs:
		return 0
	case s.Weights == graph.Unweighted:
		return 1
	}
	return math.Log2(degree)
}

// manyArcs of a vertex are as many as grids and roads have not.
const manyArcs = 8
