package pregeltest

import (
	"math"
	"slices"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// An Outcome is what Reference has found.
type Outcome[V any] struct {
	Values     []V
	Reason     pregel.Reason // Halted, Converged, MaxSupersteps or Failed
	Err        error         // when Failed
	Supersteps int
	Emitted    []uint64 // how many vertices emitted, by superstep
	Applied    []uint64 // how many vertices ran Apply, by superstep
}

// Reference interprets an edge program: superstep after superstep it lists the
// messages of all awake vertices, arc by arc, then applies them, vertex by
// vertex. It knows no frontier lists, no directions, no combining on the way.
// start are the values that Init sees, nil for zeros; limit bounds the
// supersteps, 0 means no bound. Aggregated floats may differ from an engine's
// in their last bits: they are added in the order of the vertices.
func Reference[V, M any](g *graph.Graph, p pregel.EdgeProgram[V, M], start []V, limit int) Outcome[V] {
	return interpret[V, M](g, p, start, limit)
}

// ReferenceCollector interprets a collector, as Reference does.
func ReferenceCollector[V, M any](g *graph.Graph, p pregel.Collector[V, M], start []V, limit int) Outcome[V] {
	return interpret[V, M](g, p, start, limit)
}

// sender is what edge programs and collectors have in common.
type sender[V, M any] interface {
	Spec() pregel.Spec[M]
	Init(v pregel.Vertex[V]) (value V, awake bool)
	Emit(v pregel.Vertex[V]) M
}

func interpret[V, M any](g *graph.Graph, p sender[V, M], start []V, limit int) Outcome[V] {
	r := interpreter[V, M]{p: p, values: make([]V, g.N()), emits: make([]bool, g.N()), waits: make([]bool, g.N())}
	copy(r.values, start)
	barrier, err := pregel.Rehearse(g, p)
	if err != nil {
		return Outcome[V]{Values: r.values, Reason: pregel.Failed, Err: err}
	}
	r.spec = p.Spec()
	r.links = links(g, r.spec.Along)
	r.degree = make([]uint32, g.N())
	for _, l := range r.links {
		r.degree[l.from]++
	}
	r.init()
	verdict := barrier(-1)
	for s := 0; !r.over(verdict, s, limit); s++ {
		r.superstep(int32(s))
		verdict = barrier(s)
	}
	r.out.Values = r.values
	return r.out
}

// A link is an arc as messages see it.
type link struct {
	from, to uint32
	w        float64
}

// links lists the arcs of a graph in the order in which their messages are seen
// at each vertex: those of its out-neighbours first, each in order of senders.
//
//go:norace
func links(g *graph.Graph, along pregel.Along) []link {
	var list []link
	c := g.Out()
	each := func(f func(u, v uint32, w float64)) {
		for u := range uint32(g.N()) {
			for i := c.Offsets.At(u); i < c.Offsets.At(u+1); i++ {
				f(u, c.Targets[i], c.Weights.At(i))
			}
		}
	}
	if along != pregel.OutEdges && g.Directed() {
		each(func(u, v uint32, w float64) { list = append(list, link{v, u, w}) })
	}
	if along != pregel.InEdges || !g.Directed() {
		each(func(u, v uint32, w float64) { list = append(list, link{u, v, w}) })
	}
	return list
}

type interpreter[V, M any] struct {
	p       sender[V, M]
	spec    pregel.Spec[M]
	links   []link
	degree  []uint32 // links from each vertex
	values  []V
	emits   []bool // awake in this superstep
	waits   []bool // awake as soon as the current priority has risen
	current uint64 // priority
	out     Outcome[V]
}

// over is the order of reasons to end before superstep s.
//
//go:norace
func (r *interpreter[V, M]) over(v pregel.Verdict, s, limit int) bool {
	switch {
	case v.Err != nil:
		r.out.Reason, r.out.Err = pregel.Failed, v.Err
	case v.Converged:
		r.out.Reason = pregel.Converged
	case v.Halt || !slices.Contains(r.emits, true):
		r.out.Reason = pregel.Halted
	case limit > 0 && s >= limit:
		r.out.Reason = pregel.MaxSupersteps
	default:
		return false
	}
	return true
}

//go:norace
func (r *interpreter[V, M]) vertex(v uint32, superstep int32) pregel.Vertex[V] {
	return pregel.Vertex[V]{Place: pregel.Place{ID: v, OutDegree: r.degree[v], Superstep: superstep}, Value: r.values[v]}
}

//go:norace
func (r *interpreter[V, M]) init() {
	for v := range uint32(len(r.values)) {
		value, awake := r.p.Init(r.vertex(v, -1))
		r.set(v, value, awake)
	}
	r.release()
}

//go:norace
func (r *interpreter[V, M]) superstep(s int32) {
	inbox := r.send(s)
	settled := r.settled()
	emitted, applied := uint64(0), uint64(0)
	for v := range uint32(len(r.values)) {
		awake := r.emits[v]
		r.emits[v] = false
		if awake {
			emitted++
		}
		if settled[v] || len(inbox[v]) == 0 && !(r.spec.Silent && awake) {
			continue
		}
		applied++
		value, awake := r.apply(r.vertex(v, s), inbox[v])
		r.set(v, value, awake)
	}
	r.out.Supersteps++
	r.out.Emitted = append(r.out.Emitted, emitted)
	r.out.Applied = append(r.out.Applied, applied)
	r.release()
}

// send lists the messages to each vertex. Nothing but values is read, and they
// do not change before all is sent.
//
//go:norace
func (r *interpreter[V, M]) send(s int32) [][]M {
	inbox, offers := make([][]M, len(r.values)), make([]M, len(r.values))
	for v, awake := range r.emits {
		if awake && r.spec.Edge.Name != "source_id" {
			offers[v] = r.p.Emit(r.vertex(uint32(v), s))
		}
	}
	for _, l := range r.links {
		if !r.emits[l.from] {
			continue
		}
		if message, ok := r.along(offers[l.from], l); ok {
			inbox[l.to] = append(inbox[l.to], message)
		}
	}
	return inbox
}

// along applies the edge operation. An infinite offer stays infinite when a
// weight is added to it or multiplied with it.
//
//go:norace
func (r *interpreter[V, M]) along(offer M, l link) (M, bool) {
	if op := r.spec.Edge.Name; (op == "plus_weight" || op == "times_weight") && r.infinite(offer) {
		return offer, true
	}
	return r.spec.Edge.Send(offer, l.from, l.to, l.w)
}

// infinite tells whether an offer is the Largest that Min knows, or the Smallest
// that Max knows among numbers with a sign.
func (r *interpreter[V, M]) infinite(offer M) bool {
	c := r.spec.Combine
	var zero M
	return (c.Name == "min" || c.Name == "max" && any(c.Identity) != any(zero)) && any(offer) == any(c.Identity)
}

//go:norace
func (r *interpreter[V, M]) settled() []bool {
	list := make([]bool, len(r.values))
	if p, ok := r.p.(pregel.Settler[V]); ok {
		for v := range list {
			list[v] = p.Settled(r.values[v])
		}
	}
	return list
}

//go:norace
func (r *interpreter[V, M]) apply(v pregel.Vertex[V], messages []M) (V, bool) {
	if p, ok := r.p.(pregel.Collector[V, M]); ok {
		return p.ApplyAll(v, messages)
	}
	sum := r.spec.Combine.Identity
	for i, m := range messages {
		switch {
		case r.spec.Combine.Func != nil:
			sum = r.spec.Combine.Func(sum, m)
		case i == 0:
			sum = m
		}
	}
	return r.p.(pregel.EdgeProgram[V, M]).Apply(v, sum, len(messages) > 0)
}

// set keeps what the program has made of v. A vertex that waits goes on waiting
// until it is awake and due.
//
//go:norace
func (r *interpreter[V, M]) set(v uint32, value V, awake bool) {
	r.values[v] = value
	if !awake {
		return
	}
	if p, ok := r.p.(pregel.Prioritizer[V]); ok && p.Priority(value) > r.current {
		r.waits[v] = true
		return
	}
	r.emits[v], r.waits[v] = true, false
}

// release raises the current priority when nothing below it is left.
func (r *interpreter[V, M]) release() {
	p, ok := r.p.(pregel.Prioritizer[V])
	if !ok || slices.Contains(r.emits, true) || !slices.Contains(r.waits, true) {
		return
	}
	r.current = math.MaxUint64
	for v, waits := range r.waits {
		if waits {
			r.current = min(r.current, p.Priority(r.values[v]))
		}
	}
	for v, waits := range r.waits {
		if waits && p.Priority(r.values[v]) <= r.current {
			r.emits[v], r.waits[v] = true, false
		}
	}
}
