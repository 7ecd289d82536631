package supersteps

import "gopregel/pregel"

// halfway is hops that ends as soon as at least half of all vertices are reached. It
// is made of your hops: Init is the same, Compute also counts.
type halfway struct {
	hops
	n       int
	reached *pregel.Aggregator[uint64]
}

// Name is what records call it.
func (*halfway) Name() string { return "halfway" }

// Setup is called before Init. An aggregator adds up, over all vertices, a number
// that none of them could know.
func (p *halfway) Setup(s *pregel.Setup) error {
	p.n = s.Graph.N()
	p.reached = pregel.NewPersistentAggregator(s, pregel.Sum[uint64]())
	return nil
}

// Compute does what hops does, and counts the vertices that it reaches.
func (p *halfway) Compute(c *pregel.Context[uint32, uint32], messages []uint32) {
	before := c.Value
	p.hops.Compute(c, messages)
	if c.Value != before || c.ID == p.source && c.Superstep == 0 {
		p.reached.Add(c.Place, 1)
	}
}

// Barrier is called between two supersteps, when all vertices have computed.
//
//	s.Superstep        the superstep that has just ended; -1: Init
//	p.reached.Last()   what was added in it
//	s.Halt()           ends the run
func (p *halfway) Barrier(s *pregel.Step) {
	if 2*p.reached.Last() >= uint64(p.n) {
		s.Halt()
	}
}
