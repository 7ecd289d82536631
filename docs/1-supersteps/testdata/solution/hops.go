package supersteps

import "gopregel/pregel"

// hops finds how many arcs every vertex is from the source. A vertex's value is its
// number of hops, or unreached.
type hops struct {
	source uint32
}

// unreached is greater than every number of hops.
const unreached = pregel.NoCount

// Name is what records call it.
func (hops) Name() string { return "hops" }

// Init gives the first values. The source alone is awake in superstep 0.
func (p hops) Init(v pregel.Vertex[uint32]) (value uint32, awake bool) {
	if v.ID == p.source {
		return 0, true
	}
	return unreached, false
}

// Compute is called in each superstep for every vertex that is awake or has
// messages. It reads the messages that were sent in the superstep before.
//
//	c.Value           the vertex's own value: read it, change it
//	c.SendAll(m)      sends m to all neighbours, who read it in the next superstep
//	c.VoteToHalt()    sleeps until a message comes
func (p hops) Compute(c *pregel.Context[uint32, uint32], messages []uint32) {
	if c.Superstep == 0 {
		c.SendAll(1)
	} else if c.Value == unreached {
		c.Value = messages[0] // all say the same
		c.SendAll(c.Value + 1)
	}
	c.VoteToHalt()
}
