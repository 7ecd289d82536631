package bfs_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/bfs"
	"gopregel/programs/internal/trial"
	"gopregel/runtime/cpu"
)

// Parents alone are those of a queue on a graph as it is, for any number of workers and whichever
// way messages go; so are the least on a prepared one. Any parents of a prepared graph are a step
// nearer, the same with depths and without, and for any number of workers.
func TestTreeAgainstQueue(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	for i, g := range someGraphs(r) {
		source := r.Uint32N(uint32(g.N()))
		from := pregel.ID(g.IDs().Text(source))
		depth, parent := reference(g, source)
		reached := strings.Fields(summary(depth))[1]
		alone := &bfs.BFS{Source: from, Depths: new(false)}
		onlyParents(t, fmt.Sprintf("graph %d", i), trial.Everywhere(t, g, alone), parent, reached)
		onlyParents(t, fmt.Sprintf("graph %d, watched", i), trial.Everywhere(t, g, watched{alone}), parent, reached)
		for _, order := range pregel.Orders {
			what := fmt.Sprintf("graph %d, by %s", i, order)
			p, err := pregel.Prepare(t.Context(), g, order, 2)
			if err != nil {
				t.Fatal(err)
			}
			on := func(a pregel.Algorithm) *pregel.Answer {
				answer, err := p.Run(t.Context(), a, &pregel.Job{Engine: cpu.New(cpu.Options{Workers: 1 + r.IntN(3)})})
				if err != nil {
					t.Fatal(err)
				}
				return answer
			}
			onlyParents(t, what, on(alone), parent, reached)
			both := &bfs.BFS{Source: from, Any: true}
			answer := on(both)
			if !slices.Equal(answer.Table.Columns[0].Counts, depth) || fmt.Sprint(answer.Summary) != summary(depth) {
				t.Fatalf("%s: depths beside any parents differ, or %v is not %s", what, answer.Summary, summary(depth))
			}
			nearer(t, what, g, source, depth, answer.Table.Columns[1].Vertices)
			tree := &bfs.BFS{Source: from, Any: true, Depths: new(false)}
			onlyParents(t, what, on(tree), answer.Table.Columns[1].Vertices, reached)
			refutesParents(t, r, g, tree, answer.Table.Columns[1].Vertices, depth)
		}
	}
}

// watched is a search whose states are looked at: they are the same on all engines then.
type watched struct{ *bfs.BFS }

func (w watched) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	j.Barrier = func(state func() (pregel.State, error)) error {
		s, err := state()
		if _, ok := s.Values.([]uint32); err == nil && !ok {
			err = fmt.Errorf("values of type %T, want parents alone", s.Values)
		}
		return err
	}
	return w.BFS.Run(ctx, j)
}

func onlyParents(t *testing.T, what string, answer *pregel.Answer, parent []uint32, reached string) {
	t.Helper()
	c := answer.Table.Columns
	if len(c) != 1 || c[0].Name != "parent" || !slices.Equal(c[0].Vertices, parent) {
		t.Fatalf("%s: parents alone differ", what)
	}
	if got := fmt.Sprint(answer.Summary); got != "[{reached "+strings.Trim(reached, "}]")+"}]" {
		t.Fatalf("%s: %s, want %s reached", what, got, reached)
	}
}

// nearer holds that parents are in-neighbours a step nearer, by looking for the arc.
func nearer(t *testing.T, what string, g *graph.Graph, source uint32, depth, parent []uint32) {
	t.Helper()
	for v, u := range parent {
		switch {
		case uint32(v) == source || depth[v] == graph.None:
			if u != graph.None {
				t.Fatalf("%s: vertex %d has parent %d, want none", what, v, u)
			}
		case u == graph.None || depth[u]+1 != depth[v] || !slices.Contains(g.Out().Neighbors(u), uint32(v)):
			t.Fatalf("%s: %d is no parent of %d, at depth %d", what, u, v, depth[v])
		}
	}
}

// refutesParents has a tree refused in which a vertex has a parent that is not a step nearer, none,
// or one in a circle.
func refutesParents(t *testing.T, r *rand.Rand, g *graph.Graph, a *bfs.BFS, parent, depth []uint32) {
	t.Helper()
	certify := func(parent []uint32) error {
		return a.Certify(t.Context(), g, &pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "parent", Vertices: parent}}})
	}
	if err := certify(parent); err != nil {
		t.Fatal(err)
	}
	v := r.Uint32N(uint32(g.N()))
	for _, u := range []uint32{v, graph.None, uint32(g.N()), r.Uint32N(uint32(g.N()))} {
		wrong := slices.Clone(parent)
		wrong[v] = u
		right := u == parent[v] || depth[v] != graph.None && depth[v] > 0 && u < uint32(g.N()) && depth[u] != graph.None && depth[u]+1 == depth[v] && slices.Contains(g.Out().Neighbors(u), v)
		if err := certify(wrong); (err == nil) != right {
			t.Fatalf("vertex %d of depth %d with parent %d in place of %d: %v", v, depth[v], u, parent[v], err)
		}
	}
}

// Parameters that leave nothing to be found, or ask for parents of a search without, are refused.
func TestParameters(t *testing.T) {
	g := path(3)
	for want, a := range map[string]*bfs.BFS{
		"any_parent: found true, allowed where parents is true": {Source: "0", Parents: new(false), Any: true},
		"depths: found false, allowed where parents is true":    {Source: "0", Parents: new(false), Depths: new(false)},
	} {
		if _, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})}); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
