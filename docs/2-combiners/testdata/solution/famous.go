package combiners

import (
	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// famous gives every vertex the most famous vertex that can reach it, itself
// included: the one with the most neighbours, the least of them if several have as
// many.
type famous struct{}

// fame is a vertex and how many neighbours it has.
type fame struct {
	Degree, Who uint32
}

// better is the more famous of two.
func better(a, b fame) fame {
	if b.Degree > a.Degree || b.Degree == a.Degree && b.Who < a.Who {
		return b
	}
	return a
}

// Name is what records call it.
func (famous) Name() string { return "famous" }

// Spec says how two messages to the same vertex become one.
func (famous) Spec() pregel.Spec[fame] {
	return pregel.Spec[fame]{Combine: pregel.Combine("better", fame{Who: graph.None}, better)}
}

// Init: everybody has heard of itself.
func (famous) Init(v pregel.Vertex[fame]) (value fame, awake bool) {
	return fame{Degree: v.OutDegree, Who: v.ID}, true
}

// Emit is what a vertex tells its neighbours.
func (famous) Emit(v pregel.Vertex[fame]) fame { return v.Value }

// Apply: who hears of somebody more famous tells it.
func (famous) Apply(v pregel.Vertex[fame], heard fame, _ bool) (value fame, awake bool) {
	best := better(v.Value, heard)
	return best, best != v.Value
}
