package check

import (
	"math"
	"slices"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// edgeRun interprets an edge program or a collector.
type edgeRun struct {
	base
	edge    *pregel.EdgeParts
	to      [][]link // arcs along which each vertex sends
	waits   []bool
	done    []bool   // settled
	current uint64   // priority
	sent    manyArcs // of this superstep, when audited
}

// A link is an arc as a message travels it; late ones are heard after others.
type link struct {
	to   uint32
	w    float64
	late bool
}

func newEdgeRun(b base) *edgeRun {
	return &edgeRun{base: b, edge: b.parts.Edge, to: links(b.task.Graph(), b.parts.Edge.Along), waits: make([]bool, b.n), done: make([]bool, b.n)}
}

// links lists the arcs along which each vertex sends. Sending both ways, what comes
// from out-neighbours is heard first.
func links(g *graph.Graph, along pregel.Along) [][]link {
	list := make([][]link, g.N())
	out, both := g.Out(), along == pregel.BothEdges && g.Directed()
	for u := range uint32(g.N()) {
		for i := out.Offsets.At(u); i < out.Offsets.At(u+1); i++ {
			v, w := out.Targets[i], out.Weights.At(i)
			if both || along == pregel.InEdges && g.Directed() {
				list[v] = append(list[v], link{to: u, w: w})
			}
			if both || along != pregel.InEdges || !g.Directed() {
				list[u] = append(list[u], link{to: v, w: w, late: both})
			}
		}
	}
	return list
}

func (r *edgeRun) init() {
	r.begin()
	for v := range r.n {
		r.wake(v, r.awake[v])
	}
	r.release()
	r.end(-1)
}

// next counts the vertices awake.
func (r *edgeRun) next() (n uint64) {
	for _, awake := range r.awake {
		if awake {
			n++
		}
	}
	return n
}

// An envelope is a message with its way.
type envelope struct {
	from uint32
	link
	message any
}

// deliver makes of the offers to v what becomes of them on their way.
func (r *edgeRun) deliver(v uint32, s int, list []envelope, offers []any) (heard []envelope) {
	r.e.at = v
	for _, m := range list {
		var ok bool
		m.message, ok = r.edge.Send(offers[m.from], m.from, v, m.w)
		r.sendAgain(offers[m.from], m, v, s, ok)
		r.compareMany(offers[m.from], m, v, ok)
		if ok {
			heard = append(heard, m)
		}
	}
	r.sends += uint64(len(list))
	return heard
}

func (r *edgeRun) step(s int) {
	if r.e.chaotic && r.edge.Relaxes {
		r.round(s)
		return
	}
	inbox := make([][]envelope, r.n)
	r.sends = 0
	offers := make([]any, r.n)
	turn := r.e.order(int(r.n))
	for _, u := range turn {
		if r.awake[u] {
			offers[u] = r.emit(u, s)
		}
	}
	for u, awake := range r.awake {
		for _, l := range r.to[u] {
			if awake {
				inbox[l.to] = append(inbox[l.to], envelope{uint32(u), l, nil})
			}
		}
	}
	for v := range r.n {
		inbox[v] = r.deliver(v, s, inbox[v], offers)
	}
	r.endMany(s)
	was := r.awake
	r.awake = make([]bool, r.n)
	type outcome struct {
		v     uint32
		value any
		awake bool
	}
	var list []outcome
	for _, v := range turn {
		if len(inbox[v]) == 0 && !(r.edge.Silent && was[v]) || r.done[v] {
			continue
		}
		value, awake := r.apply(v, s, r.ordered(inbox[v]))
		list = append(list, outcome{v, value, awake})
	}
	for _, o := range list {
		r.parts.Set(o.v, o.value)
		r.wake(o.v, o.awake)
	}
	r.release()
	r.end(s)
}

// ordered are the messages as a vertex hears them: in the order of their sources,
// or in any if that is the manner and the combiner says that it does not mind.
func (r *edgeRun) ordered(list []envelope) []any {
	slices.SortStableFunc(list, func(a, b envelope) int {
		switch {
		case a.late == b.late:
			return 0
		case a.late:
			return 1
		}
		return -1
	})
	messages := make([]any, len(list))
	for i, m := range list {
		messages[i] = m.message
	}
	if c := r.edge.Combine; r.edge.Apply != nil && c.Func != nil && r.e.shuffled() && !r.e.inOrder {
		if r.e.seed == 1 {
			slices.Reverse(messages)
		} else {
			r.e.rand.Shuffle(len(messages), func(i, j int) { messages[i], messages[j] = messages[j], messages[i] })
		}
	}
	return messages
}

func (r *edgeRun) emit(u uint32, s int) any {
	if r.edge.Sources {
		return r.edge.Combine.Identity // Send does not look at it
	}
	r.e.at = u
	at, value := r.parts.At(u, int32(s), 0), r.parts.Get(u)
	offer := r.edge.Emit(at, value)
	r.heard(call{what: "Emit", at: at, value: value, got: result{value: offer}, run: func(slot int) result {
		return result{value: r.edge.Emit(r.parts.At(u, int32(s), slot), value)}
	}})
	return offer
}

// apply combines messages and applies them.
func (r *edgeRun) apply(v uint32, s int, messages []any) (any, bool) {
	r.e.at = v
	at, value := r.parts.At(v, int32(s), 0), r.parts.Get(v)
	if r.edge.Apply == nil {
		next, awake := r.edge.ApplyAll(at, value, messages)
		r.heard(call{what: "ApplyAll", at: at, value: value, messages: messages, got: result{value: next, awake: awake}, run: func(slot int) result {
			x, awake := r.edge.ApplyAll(r.parts.At(v, int32(s), slot), value, messages)
			return result{value: x, awake: awake}
		}})
		return next, awake
	}
	sum := r.combine(messages)
	next, awake := r.edge.Apply(at, value, sum, len(messages) > 0)
	r.heard(call{what: "Apply", at: at, value: value, messages: []any{sum}, got: result{value: next, awake: awake}, run: func(slot int) result {
		x, awake := r.edge.Apply(r.parts.At(v, int32(s), slot), value, sum, len(messages) > 0)
		return result{value: x, awake: awake}
	}})
	if r.e.audit {
		r.sample(messages)
		r.auditApply(at, value, sum, len(messages) > 0, result{value: next, awake: awake})
	}
	return next, awake
}

func (r *edgeRun) combine(messages []any) any {
	c := r.edge.Combine
	sum := c.Identity
	for i, m := range messages {
		switch {
		case c.Func != nil:
			sum = c.Func(sum, m)
		case i == 0:
			sum = m
		}
	}
	return sum
}

// wake keeps whether v is awake, or waits until it is due.
func (r *edgeRun) wake(v uint32, awake bool) {
	r.e.at = v
	r.awake[v] = false
	if r.edge.Settled != nil {
		r.done[v] = r.edge.Settled(r.parts.Get(v))
	}
	if !awake {
		return
	}
	if p := r.edge.Priority; p != nil && !r.e.eager && p(r.parts.Get(v)) > r.current {
		r.waits[v] = true
		return
	}
	r.awake[v], r.waits[v] = true, false
}

// release raises the priority when nothing below it is left.
func (r *edgeRun) release() {
	p := r.edge.Priority
	if p == nil || r.next() > 0 || !slices.Contains(r.waits, true) {
		return
	}
	r.current = math.MaxUint64
	for v, waits := range r.waits {
		if waits {
			r.current = min(r.current, p(r.parts.Get(uint32(v))))
		}
	}
	for v, waits := range r.waits {
		if waits && p(r.parts.Get(uint32(v))) <= r.current {
			r.awake[v], r.waits[v] = true, false
		}
	}
}

// round is a superstep in which every message is applied when it is sent, and
// some of them twice.
func (r *edgeRun) round(s int) {
	for _, u := range r.e.order(int(r.n)) {
		if !r.awake[u] {
			continue
		}
		r.wake(u, false)
		for _, l := range r.to[u] {
			m, ok := r.edge.Send(r.emit(u, s), u, l.to, l.w)
			for range 1 + r.e.rand.IntN(2) {
				if ok {
					r.e.at = l.to
					value, awake := r.apply(l.to, s, []any{m})
					r.parts.Set(l.to, value)
					r.wake(l.to, awake || r.awake[l.to])
				}
			}
		}
	}
	r.release()
	r.end(s)
}
