package pregeltest

import (
	"slices"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// relay passes a token along a path and counts how often each vertex computes.
type relay struct{ stay int } // vertex 0 votes to halt in this superstep

func (relay) Init(v pregel.Vertex[[2]int]) ([2]int, bool) { return [2]int{-1, 0}, v.ID == 0 }

func (p relay) Compute(c *pregel.Context[[2]int, int64], messages []int64) {
	if c.Value[0] < 0 {
		c.Value[0] = int(c.Superstep)
		c.SendAll(1)
	}
	c.Value[1]++
	if c.ID != 0 || int(c.Superstep) >= p.stay {
		c.VoteToHalt()
	}
}

// sleepAndWake has a token wake each vertex of a path once, in its turn.
func sleepAndWake(s *suite) {
	const n = 300
	path := paths(n)[true]
	s.each(func(e *env) {
		for _, stay := range []int{0, 5} {
			r := runVertex(e, path, relay{stay})
			for v, x := range r.Values {
				times := 1
				if v == 0 {
					times += stay
				}
				if x != [2]int{v, times} {
					e.Fatalf("vertex %d of a path: first computed in superstep %d, %d times; want %d, %d", v, x[0], x[1], v, times)
				}
			}
			if r.Stop.Supersteps != n {
				e.Errorf("a token over %d vertices: %v", n, r.Stop)
			}
		}
	})
}

// wanderer is a vertex program whose every decision is a hash of what it has
// seen, in order: who gets a message, how many, and whether it sleeps.
type wanderer struct {
	salt  uint64
	n     uint32
	share uint64 // of 16 vertices awake at first
	steps int32
}

func (p wanderer) Init(v pregel.Vertex[uint64]) (uint64, bool) {
	h := graph.SplitMix64(p.salt ^ uint64(v.ID))
	return h, h%16 < p.share
}

// step is what a vertex does: its new value, its messages, its vote.
func (p wanderer) step(superstep int32, value uint64, messages []uint64, neighbors []uint32) (next uint64, out []letter, halt bool) {
	next = value
	for _, m := range messages {
		next = graph.SplitMix64(next ^ m)
	}
	if superstep >= p.steps {
		return next, nil, true
	}
	for i := range next % 4 {
		out = append(out, letter{uint32(graph.SplitMix64(next+i) % uint64(p.n)), next + i})
	}
	if next>>8%3 == 0 {
		for _, v := range neighbors {
			out = append(out, letter{v, next})
		}
	}
	return next, out, next>>16%2 == 0
}

type letter struct {
	to      uint32
	message uint64
}

func (p wanderer) Compute(c *pregel.Context[uint64, uint64], messages []uint64) {
	next, out, halt := p.step(c.Superstep, c.Value, messages, c.Neighbors())
	c.Value = next
	for _, l := range out {
		c.Send(l.to, l.message)
	}
	if halt {
		c.VoteToHalt()
	}
}

// walk interprets wanderer: one vertex after the other, a list of messages each.
func (p wanderer) walk(g *graph.Graph) (values []uint64, supersteps int) {
	n := g.N()
	values = make([]uint64, n)
	awake, inbox := make([]bool, n), make([][]uint64, n)
	for v := range n {
		values[v], awake[v] = p.Init(pregel.Vertex[uint64]{Place: pregel.Place{ID: uint32(v)}})
	}
	for s := int32(0); ; s++ {
		next, busy := make([][]uint64, n), false
		for v := range n {
			if !awake[v] && len(inbox[v]) == 0 {
				continue
			}
			busy = true
			value, out, halt := p.step(s, values[v], inbox[v], g.Out().Neighbors(uint32(v)))
			values[v], awake[v] = value, !halt
			for _, l := range out {
				next[l.to] = append(next[l.to], l.message)
			}
		}
		if !busy {
			return values, int(s)
		}
		inbox = next
	}
}

func randomVertexPrograms(s *suite) {
	r := newRand(s.seed)
	type trial struct {
		p          wanderer
		g          *graph.Graph
		values     []uint64
		supersteps int
	}
	var trials []trial
	for _, n := range []int{1, 2, 63, 64, 65, 129, 3000} {
		for _, share := range []uint64{1, 16} { // few messages are sorted, many counted
			g := randomArcs(r, n, 2*n).random(form{directed: true}, r)
			p := wanderer{r.Uint64(), uint32(n), share, 4}
			values, supersteps := p.walk(g)
			trials = append(trials, trial{p, g, values, supersteps})
		}
	}
	s.each(func(e *env) {
		for _, t := range trials {
			r := runVertex(e, t.g, t.p)
			if text := differs(r.Values, t.values); text != "" || r.Stop.Supersteps != t.supersteps {
				e.Errorf("n %d: %s; %v, want %d supersteps", t.g.N(), text, r.Stop, t.supersteps)
			}
		}
	})
}

// gossip sends two messages of some vertices to vertex 5, which keeps them all.
type gossip struct{ every uint32 }

func (gossip) Init(pregel.Vertex[[]int64]) ([]int64, bool) { return nil, true }

func (p gossip) Compute(c *pregel.Context[[]int64, int64], messages []int64) {
	if c.Superstep == 0 && c.ID%p.every == 0 {
		c.Send(5, 2*int64(c.ID))
		c.Send(5, 2*int64(c.ID)+1)
	}
	c.Value = append(c.Value, messages...) // the slice itself is reused
	c.VoteToHalt()
}

func messagesInOrder(s *suite) {
	const n = 5000
	g := paths(n)[true]
	s.each(func(e *env) {
		for _, every := range []uint32{1, 1000} { // counted, and sorted
			got := runVertex(e, g, gossip{every}).Values[5]
			var want []int64
			for v := int64(0); v < n; v += int64(every) {
				want = append(want, 2*v, 2*v+1)
			}
			if !slices.Equal(got, want) {
				e.Errorf("every %d: messages to one vertex are not in order of their senders: %d of them, want %d", every, len(got), len(want))
			}
		}
	})
}

// adder sums floats of all sizes, whose sum depends on the order.
type adder struct{ n uint32 }

func (adder) Combine() pregel.Monoid[float64] { return pregel.Sum[float64]() }

func (adder) Init(pregel.Vertex[float64]) (float64, bool) { return 0, true }

func (p adder) term(v uint32) float64 { return 1 / float64(1+graph.SplitMix64(uint64(v))%100000) }

func (p adder) Compute(c *pregel.Context[float64, float64], messages []float64) {
	if c.Superstep == 0 {
		c.Send(c.ID%7, p.term(c.ID))
	}
	if len(messages) > 1 {
		panic("several messages in spite of the combiner")
	}
	for _, m := range messages {
		c.Value += m
	}
	c.VoteToHalt()
}

func vertexCombiners(s *suite) {
	const n = 4000
	g := paths(n)[true]
	p := adder{n}
	want := make([]float64, n)
	for v := range uint32(n) {
		if v < 7 {
			want[v] = p.term(v)
		} else {
			want[v%7] += p.term(v)
		}
	}
	s.each(func(e *env) {
		if text := differs(runVertex(e, g, p).Values, want); text != "" {
			e.Errorf("sums in order of the senders: %s", text)
		}
	})
}

// doubling doubles the column it is given.
type doubling struct{}

func (doubling) Init(v pregel.Vertex[int64]) (int64, bool) { return 2 * v.Value, false }

func (doubling) Compute(*pregel.Context[int64, int64], []int64) {}

// sharedColumns has phases work in one column.
func sharedColumns(s *suite) {
	g := paths(200)[true]
	s.each(func(e *env) {
		column := make([]int64, 200)
		for v := range column {
			column[v] = int64(v)
		}
		job := e.job(g)
		for range 2 {
			r, err := pregel.RunVertex(e.Context(), job, doubling{}, pregel.WithValues(column))
			if err != nil || &r.Values[0] != &column[0] {
				e.Fatalf("run in a given column: %v, or the column was copied", err)
			}
		}
		if column[199] != 4*199 {
			e.Errorf("doubled twice, 199 became %d", column[199])
		}
		if _, err := pregel.RunVertex(e.Context(), job, doubling{}, pregel.WithValues(column[:10])); err == nil {
			e.Errorf("a column of 10 values for 200 vertices was accepted")
		}
		if _, err := pregel.RunVertex(e.Context(), job, doubling{}, pregel.WithValues(make([]int32, 200))); err == nil {
			e.Errorf("a column of int32 for values of int64 was accepted")
		}
		if _, err := pregel.RunEdge(e.Context(), job, shift{}, pregel.WithValues(column[:10])); err == nil {
			e.Errorf("a column of 10 values for 200 vertices was accepted by an edge program")
		}
	})
}

// phasesAreSupersteps counts plain loops as supersteps of their job, and records
// the arcs they say they have read.
func phasesAreSupersteps(s *suite) {
	const n = 10000
	g := paths(n)[true]
	s.each(func(e *env) {
		job := e.job(g)
		job.MaxSupersteps = 2
		var names []string
		var arcs []uint64
		job.Observe = func(r pregel.StepRecord) { names, arcs = append(names, r.Program), append(arcs, r.Arcs) }
		visits := make([]int, n)
		for i := range uint64(2) {
			stop, err := job.Phase(e.Context(), "visit", func(lo, hi uint32, w *pregel.Worker) {
				w.Arcs += (2 - i) * uint64(hi-lo)
				if lo%pregel.BlockSize != 0 {
					panic("a range does not begin with a block")
				}
				for v := lo; v < hi; v++ {
					visits[v]++
				}
			})
			if err != nil || stop.Reason != pregel.Halted {
				e.Fatalf("phase: %v", stop)
			}
		}
		if slices.Min(visits) != 2 || slices.Max(visits) != 2 {
			e.Errorf("two phases visit some vertices %d times and others %d times", slices.Min(visits), slices.Max(visits))
		}
		if job.Supersteps() != 2 || !slices.Equal(names, []string{"visit", "visit"}) {
			e.Errorf("two phases are %d supersteps, observed as %v", job.Supersteps(), names)
		}
		if !slices.Equal(arcs, []uint64{2 * n, n}) {
			e.Errorf("phases that read two arcs a vertex, then one, in a graph of %d vertices: %d in the records", n, arcs)
		}
		stop, err := job.Phase(e.Context(), "visit", func(uint32, uint32, *pregel.Worker) { panic("beyond the limit") })
		if err != nil || stop.Reason != pregel.MaxSupersteps {
			e.Errorf("a third phase under a limit of two supersteps: %v", stop)
		}
	})
}
