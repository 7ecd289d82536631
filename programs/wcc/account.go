package wcc

import (
	"gopregel/pregel"
	"gopregel/runtime/cuda"
)

// This file says what the records of the phases have beside (pregel.Account).

const rootBytes = 4

// widths are those of a phase: a root at each vertex, and at the end of an arc.
var widths = pregel.Widths{Value: rootBytes, Message: rootBytes, Frontier: pregel.NoFrontier}

// Rules for records. A vertex, or an arc, can be drawn more than once.
const (
	thin     = "there are {have} arcs, fewer than {limit}, 8 for each vertex: no hub is looked for, and vertices are put under a neighbour, then joined to another"
	directed = "the graph is directed: no hub is looked for, and vertices are put under a neighbour, then joined to another"
	noCenter = "no vertex is seen that has one of {limit} vertices for a neighbour: vertices are put under a neighbour, then joined to another"
	noHub    = "{have} of {limit} draws of a vertex fell beside a hub, or on one with a neighbour among its first 16 that is, not more than half: vertices are put under a neighbour, then joined to another"
	toHub    = "{have} of {limit} draws of a vertex fell beside a hub, or on one with a neighbour among its first 16 that is: vertices are joined to it"
	skips    = "{have} of {limit} draws of a vertex fell into one component: vertices in it skip the rest of their out-arcs"
	readsAll = "the graph is directed, and its in-arcs are not made: all vertices look at the rest of their arcs"

	// On a device.
	secondArcs    = "no component was seen to hold most arcs after the first of each vertex: second arcs are looked at too"
	firstEnough   = "{have} of {limit} draws of an arc end in one component: the second arcs of vertices are left out"
	standByDegree = "the graph is prepared, and vertices stand by degree: first neighbours lead to vertex 0, and those that do not come there look at all arcs"
	restSkips     = "{have} of {limit} draws of an arc end in one component: vertices in it skip their arcs"
	restReads     = "the graph is directed, and in-arcs are not made on a device: all vertices look at all their arcs"
)

// deviceSamples are the arcs that a device looks at: SAMPLES in kernels/giant.cuh.
const deviceSamples = 1024

// trace has what the kernels of a traced run have counted, and why.
func (d *device) trace(s *cuda.Session, superstep int, c *cuda.Counts) (err error) {
	if !d.traced || d.n == 0 {
		return nil
	}
	if c.Arcs, c.Atomics, err = s.ReadTally(d.control, tallyBytes); err != nil {
		return err
	}
	var sample [2]uint32 // how many arcs, and whether they are enough
	if err := s.ReadUint32s(d.control, sampleBytes, sample[:]); err != nil {
		return err
	}
	why := &c.Account.Why
	switch why.Rule = ""; {
	case d.first == standByDegree:
		why.Rule = standByDegree
	case superstep == 0 && sample[1] != 0:
		*why = pregel.Choice{Rule: firstEnough, Have: uint64(sample[0]), Limit: deviceSamples}
	case superstep == 0 && d.arcs > 0:
		why.Rule = secondArcs
	case superstep == 2 && d.directed:
		why.Rule = restReads
	case superstep == 2 && d.arcs > 0:
		*why = pregel.Choice{Rule: restSkips, Have: uint64(sample[0]), Limit: deviceSamples}
	}
	return nil
}
