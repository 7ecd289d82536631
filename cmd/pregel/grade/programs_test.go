package grade_test

import (
	"context"
	"slices"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// The programs of the exercises, with switches for what may be wrong about them.

// An own algorithm has the parameters of all exercises.
type own struct {
	Source pregel.ID `param:"source" doc:"the source"`
	Hops   int       `param:"hops" doc:"how far"`
	run    func(ctx context.Context, j *pregel.Job, source, hops uint32) (*pregel.Answer, error)
}

func (o *own) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	source := graph.None
	if o.Source != "" && j.Graph.N() > 0 {
		var err error
		if source, err = o.Source.Vertex(j.Graph); err != nil {
			return nil, err
		}
	}
	return o.run(ctx, j, source, uint32(o.Hops))
}

func table(stop pregel.Stop, err error, columns ...pregel.Column) (*pregel.Answer, error) {
	if err != nil {
		return nil, err
	}
	return &pregel.Answer{Stop: stop, Table: pregel.Table{PerVertex: true, Columns: columns}}, nil
}

// silent has no answer.
type silent struct{}

func (*silent) Run(context.Context, *pregel.Job) (*pregel.Answer, error) { return nil, nil }

// walk is the vertex program of hops.
type walk struct {
	awake, late, again, twice, isolated, panics, workers bool
	from, more                                           uint32
	source                                               uint32
	wait                                                 chan struct{}
}

func hops(w walk) func() pregel.Algorithm {
	return func() pregel.Algorithm {
		return &own{run: func(ctx context.Context, j *pregel.Job, source, _ uint32) (*pregel.Answer, error) {
			w := w
			w.source = source
			r, err := pregel.RunVertex(ctx, j, w)
			for v, h := range r.Values {
				if h == graph.None && w.isolated {
					r.Values[v] = 0
				}
				if w.workers && j.Engine.Pool().Workers() == 3 {
					r.Values[v]++
				}
			}
			return table(r.Stop, err, pregel.Column{Name: "hops", Counts: r.Values})
		}}
	}
}

func (w walk) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	if v.ID == w.source {
		return w.from, true
	}
	return graph.None, false
}

func (w walk) Compute(c *pregel.Context[uint32, uint32], messages []uint32) {
	if w.wait != nil {
		<-w.wait
	}
	switch {
	case c.Superstep == 0:
		if w.panics {
			_ = c.Neighbors()[0]
		}
		c.SendAll(w.from + 1 + w.more)
	case len(messages) > 0 && (c.Value == graph.None || w.again):
		c.Value = min(c.Value, slices.Min(messages))
		c.SendAll(c.Value + 1)
		if w.twice {
			c.SendAll(c.Value + 1)
		}
	case len(messages) == 0 && !w.awake: // it was late to sleep
		c.VoteToHalt()
		return
	}
	if !w.awake && !w.late {
		c.VoteToHalt()
	}
}

// watch is that of halfway.
type watch struct {
	walk
	never, late, more, forgets bool
	n                          int
	before                     uint64
	reached                    *pregel.Aggregator[uint64]
}

func half(w watch) func() pregel.Algorithm {
	return func() pregel.Algorithm {
		return &own{run: func(ctx context.Context, j *pregel.Job, source, _ uint32) (*pregel.Answer, error) {
			w := w
			w.source = source
			r, err := pregel.RunVertex(ctx, j, &w)
			return table(r.Stop, err, pregel.Column{Name: "hops", Counts: r.Values})
		}}
	}
}

func (w *watch) Setup(s *pregel.Setup) error {
	w.n, w.before = s.Graph.N(), 0
	w.reached = pregel.NewPersistentAggregator(s, pregel.Sum[uint64]())
	if w.forgets {
		w.reached = pregel.NewAggregator(s, pregel.Sum[uint64]())
	}
	return nil
}

func (w *watch) Compute(c *pregel.Context[uint32, uint32], messages []uint32) {
	before := c.Value
	w.walk.Compute(c, messages)
	if c.Superstep == 0 || c.Value != before {
		w.reached.Add(c.Place, 1)
	}
}

func (w *watch) Barrier(s *pregel.Step) {
	now := w.reached.Last()
	if w.late {
		w.before, now = now, w.before
	}
	if half := 2*now >= uint64(w.n); half && !w.never && (!w.more || 2*now > uint64(w.n)) {
		s.Halt()
	}
}

// fame is that of famous.
type fame struct{ first, zero, greatest, awake, once bool }

type known struct{ Degree, ID uint32 }

func famous(f fame) func() pregel.Algorithm {
	return func() pregel.Algorithm {
		return &own{run: func(ctx context.Context, j *pregel.Job, _, _ uint32) (*pregel.Answer, error) {
			r, err := pregel.RunEdge(ctx, j, f)
			who := make([]uint32, len(r.Values))
			for v, k := range r.Values {
				who[v] = k.ID
			}
			return table(r.Stop, err, pregel.Column{Name: "famous", Vertices: who})
		}}
	}
}

func (f fame) better(a, b known) known {
	tie := b.Degree == a.Degree && (b.ID < a.ID && !f.first && !f.greatest || f.greatest && b.ID > a.ID)
	if b.Degree > a.Degree || tie {
		return b
	}
	return a
}

func (f fame) Spec() pregel.Spec[known] {
	identity := known{ID: graph.None}
	if f.zero || f.greatest {
		identity = known{}
	}
	return pregel.Spec[known]{Combine: pregel.Combine("better", identity, f.better)}
}

func (f fame) Init(v pregel.Vertex[known]) (known, bool) { return known{v.OutDegree, v.ID}, true }
func (f fame) Emit(v pregel.Vertex[known]) known         { return v.Value }
func (f fame) Apply(v pregel.Vertex[known], k known, _ bool) (known, bool) {
	best := f.better(v.Value, k)
	return best, f.awake || best != v.Value && (!f.once || v.Superstep == 0)
}

// reach is that of within.
type reach struct {
	far, last, heard, wakes, open bool
	source, hops                  uint32
}

func within(p reach) func() pregel.Algorithm {
	return func() pregel.Algorithm {
		return &own{run: func(ctx context.Context, j *pregel.Job, source, hops uint32) (*pregel.Answer, error) {
			p := p
			p.source, p.hops = source, hops
			var r pregel.Result[uint32]
			var err error
			if p.open {
				r, err = pregel.RunEdge(ctx, j, p)
			} else {
				r, err = pregel.RunEdge(ctx, j, settledReach{p})
			}
			return table(r.Stop, err, pregel.Column{Name: "hops", Counts: r.Values})
		}}
	}
}

func (p reach) Spec() pregel.Spec[uint32] { return pregel.Spec[uint32]{Combine: pregel.Min[uint32]()} }

func (p reach) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	if v.ID == p.source {
		return 0, true
	}
	return graph.None, p.wakes
}

func (p reach) Emit(v pregel.Vertex[uint32]) uint32 {
	if v.Value == graph.None {
		return graph.None
	}
	return v.Value + 1
}

func (p reach) Apply(v pregel.Vertex[uint32], offer uint32, got bool) (uint32, bool) {
	switch {
	case !got || offer == graph.None:
		return v.Value, false
	case v.Value != graph.None:
		return v.Value, p.heard && v.Superstep < 2*int32(p.hops)
	case p.far && offer <= p.hops+1:
		return offer, true
	case offer > p.hops:
		return v.Value, false
	}
	return offer, p.last || p.far || offer < p.hops
}

type settledReach struct{ reach }

func (p settledReach) Settled(h uint32) bool { return h != graph.None && !p.heard }

// tree is that of parents.
type tree struct {
	source, settles, last bool
	from                  uint32
}

type place struct{ Depth, Parent uint32 }

func parents(p tree) func() pregel.Algorithm {
	return func() pregel.Algorithm {
		return &own{run: func(ctx context.Context, j *pregel.Job, source, _ uint32) (*pregel.Answer, error) {
			p := p
			p.from = source
			var r pregel.Result[place]
			var err error
			if p.settles {
				r, err = pregel.RunEdge(ctx, j, settledTree{p})
			} else {
				r, err = pregel.RunEdge(ctx, j, p)
			}
			depth, parent := make([]uint32, len(r.Values)), make([]uint32, len(r.Values))
			for v, x := range r.Values {
				depth[v], parent[v] = x.Depth, x.Parent
			}
			return table(r.Stop, err, pregel.Column{Name: "depth", Counts: depth}, pregel.Column{Name: "parent", Vertices: parent})
		}}
	}
}

func (p tree) Spec() pregel.Spec[uint32] {
	s := pregel.Spec[uint32]{Combine: pregel.Min[uint32]()}
	if p.last {
		s.Combine = pregel.Max[uint32]()
	}
	if p.source {
		s.Edge = pregel.SourceID[uint32]()
	}
	return s
}

func (p tree) Init(v pregel.Vertex[place]) (place, bool) {
	if v.ID == p.from {
		return place{0, graph.None}, true
	}
	return place{graph.None, graph.None}, false
}

func (p tree) Emit(v pregel.Vertex[place]) uint32 { return v.ID }

func (p tree) Apply(v pregel.Vertex[place], parent uint32, got bool) (place, bool) {
	if !got || v.Value.Depth != graph.None {
		return v.Value, false
	}
	return place{uint32(v.Superstep) + 1, parent}, true
}

type settledTree struct{ tree }

func (settledTree) Settled(x place) bool { return x.Depth != graph.None }

// lanes asks a rule for every vertex with arcs.
func lanes(rule func(degree uint32) uint32) func() pregel.Algorithm {
	return func() pregel.Algorithm {
		return &own{run: func(ctx context.Context, j *pregel.Job, _, _ uint32) (*pregel.Answer, error) {
			column := make([]uint32, j.Graph.N())
			stop, err := j.Phase(ctx, "lanes", func(lo, hi uint32, _ *pregel.Worker) {
				for v := lo; v < hi; v++ {
					if d := uint32(j.Graph.Out().Degree(v)); d > 0 {
						column[v] = rule(d)
					}
				}
			})
			return table(stop, err, pregel.Column{Name: "lanes", Counts: column})
		}}
	}
}
