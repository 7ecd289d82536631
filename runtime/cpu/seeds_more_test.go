package cpu_test

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/mem"
	"gopregel/runtime/cpu"
)

// A seed that is named twice is one.
func TestSeedsNamedTwice(t *testing.T) {
	g := made(t, graphgen.Spec{Kind: "kronecker", Scale: 10})
	want, reached := spread(g, []uint32{5, 9})
	for _, workers := range []int{1, 2} {
		for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
			seeds := []uint32{9, 5, 9, 9}
			j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers, Direction: d}), Observe: func(s pregel.StepRecord) {
				if s.Superstep == 0 && (s.Awake != 2 || s.Next != reached[0]) {
					t.Errorf("%v: %d awake, then %d, want 2 and %d", d, s.Awake, s.Next, reached[0])
				}
			}}
			at := fmt.Sprintf("%d workers, %v", workers, d)
			res, err := pregel.RunEdge(t.Context(), j, sets{seeding{ending{wave{seeds, graph.None}}}})
			if err != nil || !slices.Equal(res.Values, want) {
				t.Errorf("%s: error %v, or other values", at, err)
			}
			if !slices.Equal(seeds, []uint32{9, 5, 9, 9}) {
				t.Errorf("%s: the program's seeds are %d now", at, seeds)
			}
		}
	}
}

// refusing gives a state that does not fit.
type refusing struct{ state pregel.State }

func (r refusing) Resume(blank *pregel.State) (bool, error) {
	values := blank.Values
	*blank = r.state
	if blank.Values == nil {
		blank.Values = values
	}
	return true, nil
}
func (refusing) Due(pregel.Mark) bool                                 { return false }
func (refusing) Keep(pregel.Mark, func() (pregel.State, error)) error { return nil }

// A run whose state does not fit has zeros, whatever was in memory.
func TestSeedsThatCannotResume(t *testing.T) {
	g := square(t, 200)
	p := sets{seeding{ending{wave{[]uint32{7}, graph.None}}}}
	words := make([]uint64, (g.N()+63)/64)
	for name, s := range map[string]pregel.State{
		"no words of settled": {Awake: words},
		"values of a type":    {Awake: words, Settled: words, Values: []uint32{}},
		"too few values":      {Awake: words, Settled: words, Values: make([]hop, 3)},
		"no words of awake":   {Settled: words},
	} {
		e := cpu.New(cpu.Options{Workers: 2})
		before := mem.Make[hop](g.N())
		for v := range before {
			before[v] = hop{1, 1}
		}
		mem.Give(before)
		res, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e, Checkpoints: refusing{s}}, p)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if len(res.Values) != g.N() || slices.ContainsFunc(res.Values, func(x hop) bool { return x != hop{} }) {
			t.Errorf("%s: values are left of who was here before", name)
		}
	}
}

// closing is seeding, but whoever is nowhere takes no messages: seeds alone do.
type closing struct{ seeding }

func (closing) Settled(x hop) bool { return x == nowhere }
func (p closing) Apply(v pregel.Vertex[hop], from uint32, _ bool) (hop, bool) {
	return hop{v.Value.far + 1, from}, v.Value.far < 3
}

// Those who are no seeds may be settled from the start.
func TestSeedsAmongSettled(t *testing.T) {
	g := square(t, 30)
	p := closing{seeding{ending{wave{[]uint32{0, 1, 2, 64, 899}, graph.None}}}}
	plain := struct {
		pregel.EdgeProgram[hop, uint32]
		pregel.Settler[hop]
	}{p, p}
	run := func(p pregel.EdgeProgram[hop, uint32], workers int, d pregel.Direction) ([]hop, []pregel.StepRecord) {
		var steps []pregel.StepRecord
		j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers, Direction: d}), Observe: func(s pregel.StepRecord) {
			s.Time = 0
			steps = append(steps, s)
		}}
		res, err := pregel.RunEdge(t.Context(), j, p)
		if err != nil {
			t.Fatal(err)
		}
		return res.Values, steps
	}
	for _, workers := range []int{1, 3} {
		for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
			values, steps := run(p, workers, d)
			want, wantSteps := run(plain, workers, d)
			if !slices.Equal(values, want) {
				t.Errorf("%d workers, %v: other values than by Init", workers, d)
			}
			for i := range wantSteps {
				wantSteps[i].Program = steps[0].Program
			}
			if !reflect.DeepEqual(steps, wantSteps) || len(steps) < 3 {
				t.Errorf("%d workers, %v: supersteps %v, want %v", workers, d, steps, wantSteps)
			}
		}
	}
}

// restless is seeding, whose rest is another value.
type restless struct{ seeding }

func (restless) Seeds() (hop, []uint32) { return hop{9, graph.None}, nil }

// A column all bits of which are ones is that of who has such a rest, and of nobody else.
func TestSeedsInBlankColumns(t *testing.T) {
	percent := debug.SetGCPercent(-1) // it takes what lies spare
	t.Cleanup(func() { debug.SetGCPercent(percent) })
	g := square(t, 100)
	for _, blank := range []bool{true, false} {
		for name, p := range map[string]interface {
			pregel.EdgeProgram[hop, uint32]
			pregel.Seeder[hop]
		}{"ones": seeding{}, "other": restless{}} {
			mem.Drop()
			given := make([]hop, g.N())
			mem.Fill(given, nowhere)
			if blank {
				mem.GiveBlank(given)
			} else {
				mem.Fill(given, hop{3, 4})
				mem.Give(given)
			}
			res, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})}, p)
			if err != nil {
				t.Fatal(err)
			}
			if &res.Values[0] != &given[0] {
				t.Fatal("the column that was given is not taken")
			}
			rest, _ := p.Seeds()
			if slices.ContainsFunc(res.Values, func(x hop) bool { return x != rest }) {
				t.Errorf("%s, blank %v: not all vertices have the value of the rest", name, blank)
			}
		}
	}
}
