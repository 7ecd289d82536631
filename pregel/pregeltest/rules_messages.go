package pregeltest

import (
	"fmt"
	"sync/atomic"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// shift moves every value one arc on in each superstep: a value read too late
// has moved two.
type shift struct{}

func (shift) Spec() pregel.Spec[int64] {
	return pregel.Spec[int64]{Combine: pregel.Max[int64](), Silent: true}
}
func (shift) Init(v pregel.Vertex[int64]) (int64, bool) { return int64(v.ID) + 1, true }
func (shift) Emit(v pregel.Vertex[int64]) int64         { return v.Value }
func (shift) Apply(_ pregel.Vertex[int64], message int64, got bool) (int64, bool) {
	return message * int64(truth(got)), true
}

// vertexShift is shift as a vertex program.
type vertexShift struct{}

func (vertexShift) Init(v pregel.Vertex[int64]) (int64, bool) { return int64(v.ID) + 1, true }
func (vertexShift) Compute(c *pregel.Context[int64, int64], messages []int64) {
	if c.Superstep > 0 {
		c.Value = 0
		for _, m := range messages {
			c.Value = max(c.Value, m)
		}
	}
	c.SendAll(c.Value)
}

// shifted is what values from 1 on become on a path after k moves towards its
// end, or towards its start.
func shifted(n, k int, up bool) []int64 {
	values := make([]int64, n)
	for v := range values {
		from := v + k
		if up {
			from = v - k
		}
		if from >= 0 && from < n {
			values[v] = int64(from) + 1
		}
	}
	return values
}

func paths(n int) map[bool]*graph.Graph {
	up, down := arcList{n: n}, arcList{n: n}
	for v := range n - 1 {
		up.add(v, v+1)
		down.add(v+1, v)
	}
	f := form{directed: true}
	return map[bool]*graph.Graph{true: up.build(f, nil), false: down.build(f, nil)}
}

func edgeMessagesNextStep(s *suite) {
	s.each(func(e *env) {
		for up, g := range paths(200) {
			for _, k := range []int{1, 2, 7} {
				r := runEdge(e, g, shift{}, pregel.WithMaxSupersteps(k))
				if text := differs(r.Values, shifted(200, k, up)); text != "" {
					e.Errorf("values moved %d times along a path, ascending %v: %s", k, up, text)
				}
			}
		}
	})
}

func vertexMessagesNextStep(s *suite) {
	s.each(func(e *env) {
		for up, g := range paths(200) {
			for _, k := range []int{1, 2, 7} {
				r := runVertex(e, g, vertexShift{}, pregel.WithMaxSupersteps(k+1))
				if text := differs(r.Values, shifted(200, k, up)); text != "" {
					e.Errorf("values moved %d times along a path, ascending %v: %s", k, up, text)
				}
			}
		}
	})
}

// everyPrefix ends runs after 0, 1, 2, … supersteps.
func everyPrefix(s *suite) {
	r := newRand(s.seed)
	g := randomArcs(r, 1500, 4000).random(form{true, graph.Int32}, r)
	m := machine[int64]{salt: s.seed, asleep: 14, quiet: 4, steps: 9,
		spec: pregel.Spec[int64]{Combine: pregel.Sum[int64](), Edge: pregel.PlusWeight[int64]()}}
	var prefixes []Outcome[uint64]
	for limit := range 11 {
		prefixes = append(prefixes, Reference(g, m, nil, limit+1))
	}
	s.each(func(e *env) {
		for i, want := range prefixes {
			compare(e, g, m, want, pregel.WithMaxSupersteps(i+1))
		}
	})
}

// A spy is a machine that keeps a record of the calls it gets.
type spy struct {
	machine[int64]
	inits   []atomic.Int32 // by vertex
	applies []atomic.Int32 // by superstep and vertex
	emits   []atomic.Int32
}

const spySteps = 6

func newSpy(n int, m machine[int64]) *spy {
	m.steps = spySteps - 1
	return &spy{m, make([]atomic.Int32, n), make([]atomic.Int32, n*spySteps), make([]atomic.Int32, n*spySteps)}
}

func (p *spy) at(v pregel.Place) int { return len(p.inits)*int(v.Superstep) + int(v.ID) }

func (p *spy) Init(v pregel.Vertex[uint64]) (uint64, bool) {
	p.inits[v.ID].Add(1)
	return p.machine.Init(v)
}

func (p *spy) Emit(v pregel.Vertex[uint64]) int64 {
	p.emits[p.at(v.Place)].Store(1) // it may be asked for one arc and another
	return p.machine.Emit(v)
}

func (p *spy) Apply(v pregel.Vertex[uint64], message int64, got bool) (uint64, bool) {
	p.applies[p.at(v.Place)].Add(1)
	return p.machine.Apply(v, message, got)
}

// compareCalls tells where two spies have seen different calls.
func (p *spy) compareCalls(want *spy) string {
	n := len(p.inits)
	for _, c := range []struct {
		name      string
		got, want []atomic.Int32
	}{{"Init", p.inits, want.inits}, {"Apply", p.applies, want.applies}, {"Emit", p.emits, want.emits}} {
		for i := range c.got {
			if got, want := c.got[i].Load(), c.want[i].Load(); got != want {
				return fmt.Sprintf("%s of vertex %d in superstep %d: %d calls, want %d", c.name, i%n, i/n, got, want)
			}
		}
	}
	return ""
}

// settlingSpy is a spy some of whose vertices take no more messages.
type settlingSpy struct{ *spy }

func (settlingSpy) Settled(value uint64) bool { return settling[int64]{}.Settled(value) }

// watched compares not only the results of machines but which calls are made.
func watched(s *suite, f form, machines ...machine[int64]) {
	type watch struct {
		m    machine[int64]
		want [2]*spy
	}
	r := newRand(s.seed)
	g := randomArcs(r, 1100, 2500).random(f, r)
	var watches []watch
	for _, m := range machines {
		w := watch{m, [2]*spy{newSpy(g.N(), m), newSpy(g.N(), m)}}
		Reference(g, w.want[0], nil, 0)
		Reference(g, settlingSpy{w.want[1]}, nil, 0)
		watches = append(watches, w)
	}
	s.each(func(e *env) {
		for _, w := range watches {
			got := [2]*spy{newSpy(g.N(), w.m), newSpy(g.N(), w.m)}
			runEdge(e, g, got[0])
			runEdge(e, g, settlingSpy{got[1]})
			for i, name := range []string{"", "settling "} {
				if text := got[i].compareCalls(w.want[i]); text != "" {
					e.Errorf("%s%v: %s", name, w.m, text)
				}
			}
		}
	})
}

func sumMachine(salt, asleep, quiet uint64, silent bool) machine[int64] {
	return machine[int64]{salt: salt, asleep: asleep, quiet: quiet,
		spec: pregel.Spec[int64]{Combine: pregel.Sum[int64](), Silent: silent}}
}

func initSaysWhoIsAwake(s *suite) {
	nobody := sumMachine(s.seed, 16, 0, false)
	r := newRand(s.seed)
	g := randomArcs(r, 500, 900).random(form{}, r)
	want := Reference(g, nobody, nil, 0)
	if want.Supersteps != 0 || want.Reason != pregel.Halted {
		s.Fatalf("the reference ran %d supersteps with nobody awake", want.Supersteps)
	}
	s.Run("nobody", func(t *testing.T) { s.with(t).try([]trial{against(g, nobody)}) })
	for _, asleep := range []uint64{15, 8, 0} {
		s.Run(fmt.Sprintf("%d of 16 asleep", asleep), func(t *testing.T) {
			watched(s.with(t), form{directed: true}, sumMachine(s.seed, asleep, 0, false))
		})
	}
}

func silentVertices(s *suite) {
	watched(s, form{directed: true}, sumMachine(s.seed, 0, 0, true), sumMachine(s.seed, 8, 4, true), sumMachine(s.seed, 15, 9, true))
}
