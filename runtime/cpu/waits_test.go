package cpu_test

import (
	"fmt"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// hopper is a program whose priorities go up and down, so that vertices wait, do so no
// more, and wait again. A value is what a vertex has heard, mixed, above how often.
type hopper struct{ of, times uint64 }

func (p hopper) Spec() pregel.Spec[uint64] {
	return pregel.Spec[uint64]{Combine: pregel.Sum[uint64](), Edge: pregel.Copy[uint64](), Along: pregel.BothEdges}
}
func (p hopper) Init(v pregel.Vertex[uint64]) (uint64, bool) { return uint64(v.ID) << 8, v.ID%97 == 0 }
func (p hopper) Emit(v pregel.Vertex[uint64]) uint64         { return v.Value + 1 }
func (p hopper) Priority(x uint64) uint64                    { return x >> 8 * 0x9e3779b97f4a7c15 >> 32 % p.of }

func (p hopper) Apply(v pregel.Vertex[uint64], message uint64, got bool) (uint64, bool) {
	heard := v.Value & 255
	if !got || heard == p.times {
		return v.Value, false
	}
	return (v.Value>>8*31+message)<<8 | (heard + 1), true
}

// Whether those that wait for a priority are listed or looked for among all changes
// nothing: after each superstep values, priority, and who is awake and who waits are the
// same.
func TestListedWaits(t *testing.T) {
	r := newSeed(t)
	workers, trials := []int{1, 2, 3}, 24
	if race.On {
		workers, trials = []int{2, 3}, 6
	}
	for trial := range trials {
		n := 2 + r.IntN(600)
		list := make([]graph.Arc, n)
		for i := range list {
			u := r.Uint32N(uint32(n))
			list[i] = graph.Arc{U: u, V: (u + 1 + r.Uint32N(1+uint32(n)/40)) % uint32(n)}
		}
		g, err := graph.FromArcs(n, graph.ArcList{List: list}, graph.Options{Directed: r.IntN(3) == 0})
		if err != nil {
			t.Fatal(err)
		}
		o := cpu.Options{Workers: workers[r.IntN(len(workers))], Direction: []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull}[r.IntN(3)]}
		p := hopper{of: []uint64{2, 30, 1000}[r.IntN(3)], times: 1 + r.Uint64N(7)}
		want := waitStates(t, g, p, o, 1)
		for _, most := range []int{3, n / 8, 8 * n} {
			got := waitStates(t, g, p, o, max(most, 2))
			for i := range max(len(got), len(want)) {
				if i >= len(got) || i >= len(want) || got[i] != want[i] {
					t.Fatalf("trial %d, %d vertices, %+v, %+v: %d states, %d where up to %d are listed; the first other is %d",
						trial, n, o, p, len(want), len(got), most, i)
				}
			}
		}
	}
}

// waitStates are the states of a run, as text.
func waitStates(t *testing.T, g *graph.Graph, p hopper, o cpu.Options, most int) (states []string) {
	t.Helper()
	e := cpu.New(o)
	e.ListWaits(most)
	j := &pregel.Job{Graph: g, Engine: e, Barrier: func(state func() (pregel.State, error)) error {
		s, err := state()
		states = append(states, fmt.Sprintln(s.Values, s.Priority, s.Awake, s.Waiting))
		return err
	}}
	if _, err := pregel.RunEdge(t.Context(), j, p); err != nil {
		t.Fatal(err)
	}
	return states
}
