package wcc

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/internal/census"
	"gopregel/runtime/cpu"
)

// what is kept of a run; checkpoints have its fields by their names, older ones, too.
type progress = struct {
	Step    int
	Largest uint32
}

// A memory keeps the last Commit of a run, or what a test has put there.
type memory struct {
	at   progress
	root []uint32
	has  bool
}

func (m *memory) Resume(s *pregel.State) (bool, error) {
	if m.has {
		*s.Parts[0].(*progress), *s.Parts[1].(*[]uint32) = m.at, slices.Clone(m.root)
		s.PartsRun, s.PartsBefore = m.at.Step, m.at.Step
	}
	return m.has, nil
}

func (m *memory) Due(pregel.Mark) bool { return true }

func (m *memory) Keep(_ pregel.Mark, state func() (pregel.State, error)) error {
	s, err := state()
	if err == nil && len(s.Parts) == 2 {
		m.at, m.root, m.has = *s.Parts[0].(*progress), slices.Clone(*s.Parts[1].(*[]uint32)), true
	}
	return err
}

// goesOn checks that a run which goes on from what is kept comes to the components, and
// counts them.
func goesOn(t *testing.T, g *graph.Graph, m *memory, want []uint32, what string) {
	t.Helper()
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2}), Checkpoints: m}
	steps := 3 - m.at.Step
	records := 0
	j.Observe = func(pregel.StepRecord) { records++ }
	r, known, err := New().(*WCC).components(t.Context(), j)
	if err != nil || !slices.Equal(r.Values, want) || records != steps {
		t.Fatalf("%s: error %v, components as wanted: %v, %d supersteps, want %d", what, err, slices.Equal(r.Values, want), records, steps)
	}
	if components, largest := census.Labels(want); known != (counted{components, largest}) {
		t.Fatalf("%s: %+v counted", what, known)
	}
}

// A run beside a hub that is stopped after any of its phases goes on from there; so does
// one that an older version has left, for which there was no hub, and one of which
// nothing was done but some writing.
func TestHubGoesOn(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	g := around(t, r, 5000, 1234)
	want := byLabels(t, g)
	for _, most := range []int{1, 2} {
		m := &memory{}
		stopsAfter(t, g, m, most)
		goesOn(t, g, m, want, "stopped")
	}
	old := &memory{at: progress{Step: 1, Largest: graph.None}, root: make([]uint32, g.N()), has: true}
	for v := range old.root {
		old.root[v] = uint32(v)
	}
	later := make([]uint32, g.N())
	hook(g.Out(), old.root, later, 0, uint32(g.N()))
	joinLater(old.root, later, 0, uint32(g.N()))
	goesOn(t, g, old, want, "after first arcs")
	thrown := &memory{at: progress{Largest: graph.None}, root: make([]uint32, g.N()), has: true}
	goesOn(t, g, thrown, want, "before the first phase")
}

// The same for graphs without a hub, where what was noted for the second phase is
// forgotten, and for what had been written before the first one was done.
func TestNoHubGoesOn(t *testing.T) {
	var list []graph.Arc
	for v := range uint32(4000) {
		for k := range uint32(5) {
			list = append(list, graph.Arc{U: v, V: v/1000*1000 + (v+k+1)%1000})
		}
	}
	g, err := graph.FromArcs(4100, graph.ArcList{List: list}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if h, _, _ := findHub(g.Out()); h != nil || g.Arcs() < dense*uint64(g.N()) {
		t.Fatalf("%d arcs, hub %v", g.Arcs(), h)
	}
	want := byLabels(t, g)
	for most := range 4 {
		m := &memory{at: progress{Largest: graph.None}, root: make([]uint32, g.N()), has: true}
		if most > 0 {
			stopsAfter(t, g, m, most)
		}
		j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2}), Checkpoints: m}
		if r, err := (&WCC{Method: Afforest}).Components(t.Context(), j); err != nil || !slices.Equal(r.Values, want) || j.Supersteps() != 4 {
			t.Fatalf("after %d phases: error %v, components as wanted: %v, %d supersteps", most, err, slices.Equal(r.Values, want), j.Supersteps())
		}
	}
}

// stopsAfter has a run keep what it has come to after so many phases.
func stopsAfter(t *testing.T, g *graph.Graph, m *memory, most int) {
	t.Helper()
	*m = memory{}
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2}), MaxSupersteps: most, Checkpoints: m}
	if r, err := (&WCC{Method: Afforest}).Components(t.Context(), j); err != nil || r.Stop.Reason != pregel.MaxSupersteps || m.at.Step != most {
		t.Fatalf("%v, error %v, %d phases are kept", r.Stop, err, m.at.Step)
	}
}
