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

// portion is what several messages are together.
type portion struct {
	Sum, Count uint64
}

// Spec says how two messages to the same vertex become one.
func (friends) Spec() pregel.Spec[portion] {
	return pregel.Spec[portion]{Combine: pregel.Combine("mean", portion{}, func(a, b portion) portion {
		return portion{a.Sum + b.Sum, a.Count + b.Count}
	})}
}

// Init: all are awake.
func (friends) Init(pregel.Vertex[float64]) (value float64, awake bool) { return math.Inf(1), true }

// Emit is what a vertex tells its neighbours.
func (friends) Emit(v pregel.Vertex[float64]) portion { return portion{uint64(v.OutDegree), 1} }

// Apply makes the value of the messages, combined. got is false if none came. No
// vertex is awake afterwards: one superstep is all it takes.
func (friends) Apply(v pregel.Vertex[float64], all portion, got bool) (value float64, awake bool) {
	if !got {
		return v.Value, false
	}
	return float64(all.Sum) / float64(all.Count), false
}
