package checkpoint_test

import (
	"context"
	"math/rand/v2"

	"gopregel/pregel"
)

// gossip is a vertex program with all that a checkpoint can hold: values, who is awake,
// messages under way, an aggregator, and the state of a random generator, on which what is
// sent hangs.
type gossip struct {
	rounds int
	random rand.PCG
	salt   uint64
	said   *pregel.Aggregator[uint64]
}

func (p *gossip) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	r, err := pregel.RunVertex(ctx, j, p)
	if err != nil {
		return nil, err
	}
	ints := make([]int64, len(r.Values))
	for i, x := range r.Values {
		ints[i] = int64(x)
	}
	return &pregel.Answer{Stop: r.Stop, Table: pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "heard", Ints: ints}}}}, nil
}

func (p *gossip) Setup(s *pregel.Setup) error {
	p.random, p.salt = *rand.NewPCG(1, 2), 0
	pregel.Keep(s, &p.random)
	pregel.Keep(s, &p.salt)
	p.said = pregel.NewAggregator(s, pregel.Sum[uint64]())
	return nil
}

func (p *gossip) Init(v pregel.Vertex[uint64]) (uint64, bool) { return uint64(v.ID), v.ID%3 == 0 }

func (p *gossip) Barrier(*pregel.Step) { p.salt = p.random.Uint64() }

func (p *gossip) Compute(c *pregel.Context[uint64, uint64], messages []uint64) {
	for _, m := range messages {
		c.Value = c.Value*31 + m
	}
	if c.Value += p.said.Last(); int(c.Superstep) >= p.rounds {
		c.VoteToHalt()
		return
	}
	if c.Value%4 == 0 {
		c.VoteToHalt()
	}
	if list := c.Neighbors(); len(list) > 0 {
		to := list[(c.Value^p.salt)%uint64(len(list))]
		c.Send(to, c.Value^p.salt)
		p.said.Add(c.Place, uint64(to))
	}
}
