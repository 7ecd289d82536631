package pregel_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
)

// Restore takes what Prepare has made, and nothing else.
func TestRestore(t *testing.T) {
	t.Parallel()
	path := func(n uint32) *graph.Graph {
		var list graph.ArcList
		for v := range n - 1 {
			list.List = append(list.List, graph.Arc{U: v, V: v + 1})
		}
		g, err := graph.FromArcs(int(n), list, graph.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	g := path(5)
	made, err := pregel.Prepare(t.Context(), g, "degree", 1)
	if err != nil {
		t.Fatal(err)
	}
	again, err := pregel.Restore(g, made.Graph)
	if err != nil {
		t.Fatal(err)
	}
	if again.User() != g || again.Graph != made.Graph || !slices.Equal(again.Graph.IDs().Order(), []uint32{1, 2, 3, 0, 4}) {
		t.Errorf("%+v", again)
	}
	for name, wrong := range map[string][2]*graph.Graph{
		"of another graph": {path(6), made.Graph}, "not renumbered": {g, g}, "renumbered twice": {made.Graph, made.Graph},
	} {
		if _, err := pregel.Restore(wrong[0], wrong[1]); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// mending asks in Run whether Renumbered will have the answer.
type mending struct {
	mended       bool
	order, place []uint32
	fails        error // of Run
	asked        bool  // for Renumbered
}

func (m *mending) Run(_ context.Context, j *pregel.Job) (*pregel.Answer, error) {
	m.mended = j.Mended()
	m.order, m.place = j.Order()
	return &pregel.Answer{}, m.fails
}

func (m *mending) Renumbered(context.Context, *pregel.Job, *pregel.Answer) error {
	m.asked = true
	return errMend
}

var errMend = errors.New("not mended")

// A job is on a prepared graph while Run of that runs, and not in its next run.
func TestMended(t *testing.T) {
	t.Parallel()
	var m mending
	g := randomGraph(t, rand.New(rand.NewPCG(rand.Uint64(), 1)), 90, 400, true)
	p, err := pregel.Prepare(t.Context(), g, "degree", 1)
	if err != nil {
		t.Fatal(err)
	}
	j := &pregel.Job{Engine: cpu.New(cpu.Options{Workers: 1})}
	if _, err := p.Run(t.Context(), &m, j); !errors.Is(err, errMend) || !m.mended || len(m.order) != g.N() || len(m.place) != g.N() {
		t.Errorf("%v, %+v", err, m)
	}
	for v, u := range m.order {
		if m.place[u] != uint32(v) {
			t.Errorf("vertex %d is %d of the user's, which is %d", v, u, m.place[u])
		}
	}
	j.Graph = g
	if _, err := m.Run(t.Context(), j); err != nil || m.mended || m.order != nil || m.place != nil {
		t.Errorf("the next run: %v, %+v", err, m)
	}
}

// What a run that has failed returns beside its error has no columns to mend.
func TestFailedIsNotMended(t *testing.T) {
	t.Parallel()
	p, err := pregel.Prepare(t.Context(), randomGraphs(t, 1)[3], "degree", 1)
	if err != nil {
		t.Fatal(err)
	}
	m := mending{fails: errors.New("failed")}
	answer, err := p.Run(t.Context(), &m, &pregel.Job{Engine: cpu.New(cpu.Options{Workers: 1})})
	if answer == nil || err != m.fails || m.asked {
		t.Errorf("%v, %v, %+v", answer, err, m)
	}
}
