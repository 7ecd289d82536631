package check_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync/atomic"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// parts is an edge program made of functions, so that each can be replaced by one
// that breaks a law.
type parts[V, M any] struct {
	spec  pregel.Spec[M]
	init  func(v pregel.Vertex[V]) (V, bool)
	emit  func(v pregel.Vertex[V]) M
	apply func(v pregel.Vertex[V], m M, got bool) (V, bool)
	setup func(s *pregel.Setup) error
	last  func(s *pregel.Step)
}

func (parts[V, M]) Name() string                        { return "parts" }
func (p parts[V, M]) Spec() pregel.Spec[M]              { return p.spec }
func (p parts[V, M]) Init(v pregel.Vertex[V]) (V, bool) { return p.init(v) }
func (p parts[V, M]) Emit(v pregel.Vertex[V]) M         { return p.emit(v) }
func (p parts[V, M]) Apply(v pregel.Vertex[V], m M, got bool) (V, bool) {
	return p.apply(v, m, got)
}
func (p parts[V, M]) Setup(s *pregel.Setup) error {
	if p.setup == nil {
		return nil
	}
	return p.setup(s)
}
func (p parts[V, M]) Barrier(s *pregel.Step) {
	if p.last != nil {
		p.last(s)
	}
}

// least passes the least vertex on, and keeps all laws.
func least() parts[uint32, uint32] {
	return parts[uint32, uint32]{
		spec: pregel.Spec[uint32]{Combine: pregel.Min[uint32]()},
		init: func(v pregel.Vertex[uint32]) (uint32, bool) { return v.ID, true },
		emit: func(v pregel.Vertex[uint32]) uint32 { return v.Value },
		apply: func(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
			return min(v.Value, m), m < v.Value
		},
	}
}

// once sends one message along every arc and keeps what was combined.
func once[M any](c pregel.Monoid[M], message func(v pregel.Place) M) parts[M, M] {
	return parts[M, M]{
		spec:  pregel.Spec[M]{Combine: c},
		init:  func(v pregel.Vertex[M]) (M, bool) { return message(v.Place), true },
		emit:  func(v pregel.Vertex[M]) M { return v.Value },
		apply: func(_ pregel.Vertex[M], m M, _ bool) (M, bool) { return m, false },
	}
}

// settles and waits say more of a program.
type settles struct {
	parts[uint32, uint32]
	settled func(x uint32) bool
}

func (p settles) Settled(x uint32) bool { return p.settled(x) }

type waits struct {
	parts[uint32, uint32]
	priority func(x uint32) uint64
}

func (p waits) Priority(x uint32) uint64 { return p.priority(x) }

type relaxes struct{ parts[uint32, uint32] }

func (relaxes) Relaxes() bool { return true }

// edge runs an edge program that fresh makes.
func edge[V, M any](fresh func() pregel.EdgeProgram[V, M]) func(ctx context.Context, j *pregel.Job) ([]V, error) {
	return func(ctx context.Context, j *pregel.Job) ([]V, error) {
		r, err := pregel.RunEdge(ctx, j, fresh())
		return r.Values, err
	}
}

// Programs that break laws. Each is made anew for each run.

func panics() pregel.EdgeProgram[uint32, uint32] {
	p := least()
	p.apply = func(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
		if m == 3 {
			panic("three")
		}
		return min(v.Value, m), m < v.Value
	}
	return p
}

func endless() pregel.EdgeProgram[uint32, uint32] {
	p := least()
	p.apply = func(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) { return min(v.Value, m), true }
	return p
}

func refuses() pregel.EdgeProgram[uint32, uint32] {
	p := least()
	p.setup = func(*pregel.Setup) error { return errors.New("not today") }
	return p
}

func counts() pregel.EdgeProgram[uint32, uint32] {
	var calls atomic.Uint32
	p := least()
	p.emit = func(pregel.Vertex[uint32]) uint32 { return calls.Add(1) }
	return p
}

// scribbles uses one place for all vertices: seen only when they run together.
func scribbles() pregel.EdgeProgram[uint32, uint32] {
	var scratch atomic.Uint32
	p := least()
	p.emit = func(v pregel.Vertex[uint32]) uint32 {
		scratch.Store(v.Value)
		for range 20 {
			runtime.Gosched()
		}
		return scratch.Load()
	}
	return p
}

// ahead keeps values beside those of the model, and reads its neighbours' of the
// same superstep. It ends with the right answer, too soon.
func ahead() pregel.EdgeProgram[uint32, uint32] {
	var g *graph.Graph
	var beside []atomic.Uint32
	p := least()
	p.setup = func(s *pregel.Setup) error {
		g, beside = s.Graph, make([]atomic.Uint32, s.Graph.N())
		for v := range beside {
			beside[v].Store(uint32(v))
		}
		return nil
	}
	p.apply = func(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
		x := min(v.Value, m)
		for _, u := range g.In().Neighbors(v.ID) {
			x = min(x, beside[u].Load())
		}
		beside[v.ID].Store(x)
		return x, x < v.Value
	}
	return p
}

// lawlessThenLast breaks two laws, one of them by a combiner that has no part in the
// answer.
func lawlessThenLast(ctx context.Context, j *pregel.Job) ([]uint32, error) {
	lawless := func() pregel.EdgeProgram[uint32, uint32] { return once(distance(), id) }
	if _, err := edge(lawless)(ctx, j); err != nil {
		return nil, err
	}
	return lastWriter(ctx, j)
}

func distance() pregel.Monoid[uint32] {
	return pregel.Combine("distance", 0, func(a, b uint32) uint32 { return max(a, b) - min(a, b) })
}

// lastWriter has every vertex write its id to its neighbours, who keep the last.
func lastWriter(ctx context.Context, j *pregel.Job) ([]uint32, error) {
	values := make([]atomic.Uint32, j.Graph.N())
	_, err := j.Phase(ctx, "nothing", func(lo, hi uint32, w *pregel.Worker) {})
	if err != nil {
		return nil, err
	}
	_, err = j.Phase(ctx, "write", func(lo, hi uint32, w *pregel.Worker) {
		for v := lo; v < hi; v++ {
			for _, u := range j.Graph.Out().Neighbors(v) {
				values[u].Store(v)
			}
		}
	})
	list := make([]uint32, len(values))
	for v := range values {
		list[v] = values[v].Load()
	}
	return list, err
}

func settlesEarly() pregel.EdgeProgram[uint32, uint32] {
	return settles{least(), func(x uint32) bool { return x < 5 }}
}

// firstWins keeps the message that comes first, in an order of priorities.
func firstWins() pregel.EdgeProgram[uint32, uint32] {
	p := least()
	p.init = func(v pregel.Vertex[uint32]) (uint32, bool) { return v.ID%4 + 1, v.ID < 3 }
	p.apply = func(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
		if v.Value > 4 {
			return v.Value, false
		}
		return 5 + m*7%11, true
	}
	return waits{p, func(x uint32) uint64 { return uint64(x % 4) }}
}

// hops counts supersteps, and says that it may be relaxed.
func hops() pregel.EdgeProgram[uint32, uint32] {
	p := least()
	p.init = func(v pregel.Vertex[uint32]) (uint32, bool) {
		if v.ID == 0 {
			return 0, true
		}
		return math.MaxUint32, false
	}
	p.apply = func(v pregel.Vertex[uint32], _ uint32, _ bool) (uint32, bool) {
		return min(v.Value, uint32(v.Superstep)+1), v.Value == math.MaxUint32
	}
	return relaxes{p}
}

// deaf says that it minds only that a message came: apply, and what it is of.
type deaf struct{ parts[uint32, uint32] }

func (deaf) Twin() pregel.Twin { return pregel.Twin{Name: "deaf.cu", Signals: true} }

// depths keeps that promise.
func depths() pregel.EdgeProgram[uint32, uint32] {
	p := least()
	p.init = func(v pregel.Vertex[uint32]) (uint32, bool) {
		if v.ID == 0 {
			return 0, true
		}
		return math.MaxUint32, false
	}
	p.apply = func(v pregel.Vertex[uint32], _ uint32, _ bool) (uint32, bool) {
		return min(v.Value, uint32(v.Superstep)+1), v.Value == math.MaxUint32
	}
	return deaf{p}
}

// renews says that it makes values anew.
type renews struct{ parts[uint32, uint32] }

func (renews) Twin() pregel.Twin { return pregel.Twin{Name: "renews.cu", Anew: true} }

// renewed keeps that promise, but for some values before.
func renewed(but func(x uint32) bool) func() pregel.EdgeProgram[uint32, uint32] {
	return func() pregel.EdgeProgram[uint32, uint32] {
		p := once(pregel.Max[uint32](), func(v pregel.Place) uint32 { return v.ID + 1 })
		p.apply = func(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
			return m, but(v.Value)
		}
		return renews{p}
	}
}

// listens says that it is deaf, and is to all but great messages.
func listens() pregel.EdgeProgram[uint32, uint32] {
	p := depths().(deaf)
	apply := p.apply
	p.apply = func(v pregel.Vertex[uint32], m uint32, got bool) (uint32, bool) {
		if m > 1<<20 {
			return v.Value, false
		}
		return apply(v, m, got)
	}
	return p
}

// silent says that it may be relaxed, and cannot.
func silent() pregel.EdgeProgram[uint32, uint32] {
	p := least()
	p.spec.Silent = true
	return relaxes{p}
}

// ratios divides by the sum of what it hears, which is 0 wherever anything is heard.
func ratios() pregel.EdgeProgram[float64, float64] {
	p := once(pregel.Sum[float64](), func(pregel.Place) float64 { return 0 })
	p.apply = func(_ pregel.Vertex[float64], m float64, _ bool) (float64, bool) { return m / m, false }
	return p
}

// explodes doubles without an end; Inf comes before the limit.
func explodes() pregel.EdgeProgram[float64, float64] {
	p := once(pregel.Max[float64](), func(pregel.Place) float64 { return 1 })
	p.apply = func(_ pregel.Vertex[float64], m float64, _ bool) (float64, bool) { return m * 1e100, m < 1e300 }
	return p
}

// ordered has an aggregator that keeps the last, and an answer that shows it.
func ordered() pregel.EdgeProgram[uint32, uint32] {
	var a *pregel.Aggregator[uint32]
	p := least()
	p.setup = func(s *pregel.Setup) error {
		a = pregel.NewAggregator(s, pregel.Combine("last", 0, func(x, y uint32) uint32 {
			if y == 0 {
				return x
			}
			return y
		}))
		return nil
	}
	p.apply = func(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
		a.Add(v.Place, v.ID+1)
		return min(v.Value, m), m < v.Value
	}
	return p
}

// Vertex programs.

type flood struct {
	beside *[]atomic.Uint32 // nil: it keeps the laws
	g      *graph.Graph
}

func (f *flood) Setup(s *pregel.Setup) error {
	f.g = s.Graph
	if f.beside != nil {
		*f.beside = make([]atomic.Uint32, s.Graph.N())
		for v := range *f.beside {
			(*f.beside)[v].Store(uint32(v))
		}
	}
	return nil
}
func (*flood) Name() string                                { return "flood" }
func (*flood) Init(v pregel.Vertex[uint32]) (uint32, bool) { return v.ID, true }
func (f *flood) Compute(c *pregel.Context[uint32, uint32], messages []uint32) {
	before := c.Value
	for _, m := range messages {
		c.Value = min(c.Value, m)
	}
	if f.beside != nil {
		for _, u := range f.g.In().Neighbors(c.ID) {
			c.Value = min(c.Value, (*f.beside)[u].Load())
		}
		(*f.beside)[c.ID].Store(c.Value)
	}
	if c.Superstep == 0 || c.Value < before {
		c.SendAll(c.Value)
	}
	c.VoteToHalt()
}

func floods(beside bool) func(ctx context.Context, j *pregel.Job) ([]uint32, error) {
	return func(ctx context.Context, j *pregel.Job) ([]uint32, error) {
		f := &flood{}
		if beside {
			f.beside = new([]atomic.Uint32)
		}
		r, err := pregel.RunVertex(ctx, j, f)
		return r.Values, err
	}
}

// gather is a collector that keeps the laws.
type gather struct{}

func (gather) Name() string                                { return "gather" }
func (gather) Spec() pregel.Spec[uint32]                   { return pregel.Spec[uint32]{Along: pregel.BothEdges} }
func (gather) Init(v pregel.Vertex[uint32]) (uint32, bool) { return v.ID + 1, true }
func (gather) Emit(v pregel.Vertex[uint32]) uint32         { return v.Value }
func (gather) ApplyAll(v pregel.Vertex[uint32], messages []uint32) (uint32, bool) {
	x := v.Value
	for _, m := range messages {
		x = x*31 + m
	}
	return x, v.Superstep < 3
}

// mean is a message of a mean: right with a count, wrong without.
type mean struct {
	Sum   float64
	Count uint32
}
