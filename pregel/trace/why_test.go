package trace_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/trace"
	"gopregel/programs/bfs"
	"gopregel/programs/pagerank"
	"gopregel/programs/scc"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
)

// follow goes back from a vertex to Init, along the messages that counted.
func follow(t *testing.T, r *trace.Run, v uint32) []*trace.Cause {
	t.Helper()
	c, err := r.Why(v, len(r.Steps)-1)
	list := []*trace.Cause{c}
	for err == nil && !c.Init {
		if len(c.Messages) == 0 {
			t.Fatalf("vertex %d got %s in superstep %d without a message", c.Vertex, c.Value, c.Superstep)
		}
		c, err = r.Next(c.Messages[0])
		list = append(list, c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The chain of a vertex is a path from the source, as long as its depth, and its
// weights add up to the distance.
func TestWhyIsAPath(t *testing.T) {
	t.Parallel()
	draw(t, 40, func(g *graph.Graph, id pregel.ID) {
		source, err := id.Vertex(g)
		if err != nil {
			t.Fatal(err)
		}
		hops := recorded(t, g, &bfs.BFS{Source: id}, cpu.Options{Workers: 2}, trace.Changed)
		paths := recorded(t, g, &sssp.SSSP{Source: id, Method: sssp.BellmanFord}, cpu.Options{Workers: 2}, trace.Changed)
		for v := range uint32(g.N()) {
			chain := follow(t, hops, v)
			checkPath(t, g, chain, v, source)
			if depth := hops.Stop.Answer[v][1]; depth != nil && fmt.Sprint(depth) != fmt.Sprint(len(chain)-1) {
				t.Errorf("vertex %d at depth %v has a chain of %d", v, depth, len(chain)-1)
			}
			chain = follow(t, paths, v)
			checkPath(t, g, chain, v, source)
			checkLength(t, g, chain)
		}
	})
}

// checkPath holds that there is an arc for each message.
func checkPath(t *testing.T, g *graph.Graph, chain []*trace.Cause, v, source uint32) {
	t.Helper()
	if last := chain[len(chain)-1].Vertex; chain[0].Vertex != v || len(chain) > 1 && last != source {
		t.Errorf("the chain of %d goes to %d, the source is %d", v, last, source)
	}
	for i, c := range chain[1:] {
		if !hasArc(g, c.Vertex, chain[i].Vertex) {
			t.Errorf("there is no arc from %d to %d", c.Vertex, chain[i].Vertex)
		}
	}
}

func hasArc(g *graph.Graph, u, v uint32) bool {
	for _, x := range g.Out().Neighbors(u) {
		if x == v {
			return true
		}
	}
	return false
}

// checkLength adds up the least weights of the arcs.
func checkLength(t *testing.T, g *graph.Graph, chain []*trace.Cause) {
	t.Helper()
	sum := 0.0
	for i, c := range chain[1:] {
		best := -1.0
		out := g.Out()
		for k, x := range out.Neighbors(c.Vertex) {
			if w := out.Weights.At(out.Offsets.At(c.Vertex) + uint64(k)); x == chain[i].Vertex && (best < 0 || w < best) {
				best = w
			}
		}
		sum += best
	}
	if x, ok := trace.Number(chain[0].Value); len(chain) > 1 && (!ok || x != sum) {
		t.Errorf("vertex %d has distance %s, its chain adds up to %v", chain[0].Vertex, chain[0].Value, sum)
	}
}

// All contributions to a sum are there, the greatest first.
func TestWhyOfSums(t *testing.T) {
	t.Parallel()
	g := randomGraph(t, rand.New(rand.NewPCG(5, 5)))
	run := recorded(t, g, &pagerank.PageRank{Damping: 0.85, Iterations: 4, Precision: pagerank.Float64}, cpu.Options{}, trace.All)
	for v := range uint32(g.N()) {
		c, err := run.Why(v, 3)
		if err != nil || c.Others != 0 || uint64(len(c.Messages)) != g.In().Degree(v) {
			t.Fatalf("%d of %d messages, %d others: %v", len(c.Messages), g.In().Degree(v), c.Others, err)
		}
		for i := range c.Messages[:max(len(c.Messages), 1)-1] {
			if number(c.Messages[i].Message) < number(c.Messages[i+1].Message) {
				t.Errorf("message %d of %d is less than the next", i, v)
			}
		}
	}
}

// Messages of vertex programs have their senders, and are read one superstep
// later.
func TestVertexProgram(t *testing.T) {
	t.Parallel()
	workers := 0
	draw(t, 3, func(g *graph.Graph, _ pregel.ID) {
		workers++
		run := recorded(t, g, ring{}, cpu.Options{Workers: workers}, trace.Changed)
		for s, step := range run.Steps {
			want := map[uint32]float64{}
			if s < 3 && len(step.Messages.To) != 2*int(step.Awake) {
				t.Errorf("superstep %d: %d messages of %d vertices", s, len(step.Messages.To), step.Awake)
			}
			for i, from := range step.Messages.From {
				to, x := step.Messages.To[i], number(step.Messages.Message[i])
				if !(to == from/2 && x == float64(from) || to == from && x == 1) {
					t.Errorf("superstep %d: %d sent %v to %d", s, from, x, to)
				}
				want[to] += x
			}
			if s+1 == len(run.Steps) {
				break
			}
			for v := range uint32(g.N()) {
				before, _, _ := run.At(s, v)
				after, _, _ := run.At(s+1, v)
				if number(after) != number(before)+want[v] {
					t.Errorf("superstep %d: vertex %d has %s, had %s, and got %v", s+1, v, after, before, want[v])
				}
			}
		}
		c, err := run.Why(0, 1)
		if err != nil || len(c.Messages) == 0 || c.Messages[0].Superstep != 0 {
			t.Errorf("the value of vertex 0 after superstep 1 is of %+v: %v", c, err)
		}
	})
}

// What a trace lacks is said in it.
func TestNotes(t *testing.T) {
	t.Parallel()
	g := randomGraph(t, rand.New(rand.NewPCG(7, 7)))
	phases, err := record(t, g, wcc.New(), cpu.Options{}, trace.All)
	if err != nil || len(phases.Notes) == 0 || !strings.Contains(phases.Notes[0].Text, "no state to show") {
		t.Errorf("phases: %v %+v", err, phases.Notes)
	}
	if _, err := phases.Why(0, 0); err == nil || !strings.Contains(err.Error(), "no state to show") {
		t.Errorf("why of a phase: %v", err)
	}
	broken, err := record(t, g, failing{}, cpu.Options{Workers: 1}, trace.All)
	if err == nil || broken.Stop.Reason != "failed" || !strings.Contains(broken.Stop.Error, "enough") || len(broken.Steps) != 1 {
		t.Errorf("a program that fails: %v, %+v", err, broken.Stop)
	}
	none := recorded(t, g, reach{}, cpu.Options{}, trace.None)
	if _, err := none.Why(0, 0); err == nil || !strings.Contains(err.Error(), "trace.values") {
		t.Errorf("why without values: %v", err)
	}
}

// Several programs of one run come one after the other, and each begins with its
// Init.
func TestSeveralPrograms(t *testing.T) {
	t.Parallel()
	programs := 0
	draw(t, 60, func(g *graph.Graph, _ pregel.ID) {
		run := recorded(t, g, scc.New(), cpu.Options{Schedule: pregel.BSP}, trace.Changed)
		programs = max(programs, len(run.Programs))
		for _, p := range run.Programs {
			if p.Superstep > len(run.Steps) {
				t.Errorf("a program begins at superstep %d of %d", p.Superstep, len(run.Steps))
			}
		}
	})
	t.Logf("up to %d programs", programs)
}

// Values belong to the program that has given them: those after the Init of a later one
// to that, though it has run in no superstep yet.
func TestValuesOfLaterProgram(t *testing.T) {
	t.Parallel()
	g := chain(t, 10)
	run := recorded(t, g, traversals{}, cpu.Options{Schedule: pregel.BSP}, trace.All)
	first, then := &run.Programs[0], &run.Programs[1]
	last := then.Superstep - 1
	for superstep, want := range map[int]*trace.Program{-1: first, 0: first, last - 1: first, last: then, last + 1: then, len(run.Steps) - 1: then} {
		if got := run.ProgramOf(superstep); got != want {
			t.Errorf("values of superstep %d are those of %+v, want %+v", superstep, got, want)
		}
	}
	c, err := run.Why(0, last)
	if err != nil || !c.Init || c.Program != then || run.Text(c.Program, c.Value) != "0" {
		t.Errorf("why 0 has its value: %+v, %v", c, err)
	}
}

// A superstep of a program that declares nothing has not what one before it declares.
func TestNothingDeclared(t *testing.T) {
	t.Parallel()
	run := reread(t, chain(t, 100), undeclared{}, trace.None)
	if len(run.Programs) != 1 || run.ProgramAt(0) != &run.Programs[0] {
		t.Fatalf("declared: %+v", run.Programs)
	}
	if last := len(run.Steps) - 1; run.ProgramAt(last) != nil {
		t.Errorf("superstep %d of %s is of %+v", last, run.Steps[last].Program, run.ProgramAt(last))
	}
}

// undeclared runs a program with aggregates, and one without.
type undeclared struct{}

func (undeclared) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	if _, err := pregel.RunEdge(ctx, j, &counts{}); err != nil {
		return nil, err
	}
	_, err := pregel.RunEdge(ctx, j, wave{})
	return &pregel.Answer{}, err
}
