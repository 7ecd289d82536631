package combiners

import (
	"math"

	"gopregel/pregel"
)

// friends gives every vertex the mean of its in-neighbours' numbers of neighbours:
// how many friends its friends have. Who has no in-neighbours keeps +Inf, an empty
// field of the answer.
type friends struct{}

// Name is what records call it.
func (friends) Name() string { return "friends" }

// EXERCISE friends: `go run ./docs check friends` says what is wrong with this
// combiner. A mean alone does not know of how many it is the mean: let a message be
// what a portion of a mean needs, a struct in place of float64.

// Spec says how two messages to the same vertex become one.
func (friends) Spec() pregel.Spec[float64] {
	return pregel.Spec[float64]{Combine: pregel.Combine("mean", 0, func(a, b float64) float64 { return (a + b) / 2 })}
}

// Init: all are awake.
func (friends) Init(pregel.Vertex[float64]) (value float64, awake bool) { return math.Inf(1), true }

// Emit is what a vertex tells its neighbours.
func (friends) Emit(v pregel.Vertex[float64]) float64 { return float64(v.OutDegree) }

// Apply makes the value of the messages, combined. got is false if none came. No
// vertex is awake afterwards: one superstep is all it takes.
func (friends) Apply(v pregel.Vertex[float64], mean float64, got bool) (value float64, awake bool) {
	if !got {
		return v.Value, false
	}
	return mean, false
}
