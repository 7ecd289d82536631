package frontiers

import "gopregel/pregel"

// within finds the vertices within so many hops of the source, and their hops.
type within struct {
	source, hops uint32
}

// unreached is greater than every number of hops.
const unreached = pregel.NoCount

// Name is what records call it.
func (within) Name() string { return "within" }

// Spec: the least number that is offered counts.
func (within) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32]()}
}

// Init: the source is awake.
func (p within) Init(v pregel.Vertex[uint32]) (value uint32, awake bool) {
	if v.ID == p.source {
		return 0, true
	}
	return unreached, false
}

// Emit is what a vertex that is awake offers its neighbours.
func (p within) Emit(v pregel.Vertex[uint32]) uint32 { return v.Value + 1 }

// Apply takes the least offer, and says whether the vertex is awake in the next
// superstep: whether it is on the frontier.
//
// EXERCISE within: as it stands all who ever heard anything are on the frontier, and
// nobody minds p.hops.
//   - On the frontier belong those who were reached in this superstep, and who may go
//     on from there.
//   - A vertex that is done can say so: write the method
//     func (within) Settled(value uint32) bool
//     and whoever pulls leaves it out.
func (p within) Apply(v pregel.Vertex[uint32], offer uint32, got bool) (value uint32, awake bool) {
	return min(v.Value, offer), got
}
