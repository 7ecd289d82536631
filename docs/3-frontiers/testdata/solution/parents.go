package frontiers

import "gopregel/pregel"

// parents is a breadth-first search: how far every vertex is from the source, and
// from which neighbour it was reached, the least if there are several.
type parents struct {
	source uint32
}

// place is the value of a vertex: unreached, both.
type place struct {
	Depth, Parent uint32
}

// Name is what records call it.
func (parents) Name() string { return "parents" }

// Spec: of the neighbours that offer themselves the least counts.
func (parents) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.SourceID[uint32]()}
}

// Init: the source is awake.
func (p parents) Init(v pregel.Vertex[place]) (value place, awake bool) {
	if v.ID == p.source {
		return place{0, unreached}, true
	}
	return place{unreached, unreached}, false
}

// Emit: a vertex offers itself.
func (parents) Emit(v pregel.Vertex[place]) uint32 { return v.ID }

// Apply: who is reached for the first time has found its depth and its parent.
func (parents) Apply(v pregel.Vertex[place], parent uint32, got bool) (value place, awake bool) {
	if !got || v.Value.Depth != unreached {
		return v.Value, false
	}
	return place{uint32(v.Superstep) + 1, parent}, true
}

// Settled: depth and parent stay as they are.
func (parents) Settled(value place) bool { return value.Depth != unreached }
