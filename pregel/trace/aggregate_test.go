package trace_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/trace"
	"gopregel/programs/pagerank"
	"gopregel/runtime/cpu"
)

// counts has aggregators in fields, in a struct of its own, behind an interface, and
// in none.
type counts struct {
	odd    reach
	inner  struct{ Most *pregel.Aggregator[uint32] }
	hidden interface{ Last() int64 }
}

func (p *counts) Setup(s *pregel.Setup) error {
	p.hidden = pregel.NewAggregator(s, pregel.Sum[int64]())
	pregel.NewAggregator(s, pregel.Min[int32]())
	p.inner.Most = pregel.NewAggregator(s, pregel.Max[uint32]())
	return nil
}

func (p *counts) Spec() pregel.Spec[uint32]                   { return p.odd.Spec() }
func (p *counts) Init(v pregel.Vertex[uint32]) (uint32, bool) { return p.odd.Init(v) }
func (p *counts) Emit(v pregel.Vertex[uint32]) uint32         { return v.Value }
func (p *counts) Apply(v pregel.Vertex[uint32], bits uint32, got bool) (uint32, bool) {
	p.inner.Most.Add(v.Place, v.ID)
	return p.odd.Apply(v, bits, got)
}

// counting runs two programs with aggregates, one after the other.
type counting struct{}

func (counting) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	if _, err := pregel.RunEdge(ctx, j, &counts{}); err != nil {
		return nil, err
	}
	return odd{}.Run(ctx, j)
}

// reread is the trace of a run, read from its text.
func reread(t *testing.T, g *graph.Graph, a pregel.Algorithm, values string) *trace.Run {
	t.Helper()
	var text bytes.Buffer
	w := trace.NewWriter(&text)
	if _, err := recordTo(t, w, &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})}, a, trace.Options{Values: values}); err != nil {
		t.Fatal(err)
	}
	run, err := trace.Read("", &text)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// chain is a path.
func chain(t *testing.T, n int) *graph.Graph {
	t.Helper()
	var e graph.Columns
	for v := range uint32(n - 1) {
		e.U, e.V = append(e.U, v), append(e.V, v+1)
	}
	g, err := graph.Build(t.Context(), graph.RangeIDs(0, n), e, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Aggregates are called as the fields that hold them, with values and without: of
// each superstep by the names of its own program.
func TestAggregatesHaveNames(t *testing.T) {
	t.Parallel()
	g := chain(t, 100)
	ranks := &pagerank.PageRank{Damping: 0.85, Iterations: 70, Precision: pagerank.Float64}
	for _, values := range []string{trace.None, trace.All} {
		for _, c := range []struct {
			algorithm pregel.Algorithm
			want      []string // for each program
		}{{ranks, []string{"sinks, change"}}, {counting{}, []string{"hidden, min, most", "sent"}}} {
			run := reread(t, g, c.algorithm, values)
			var got []string
			for _, p := range run.Programs {
				got = append(got, strings.Join(p.Aggregates, ", "))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("values %s: aggregates %q, want %q", values, got, c.want)
			}
			checkNames(t, run)
		}
	}
}

// checkNames holds that the words of each superstep have the names of its program.
func checkNames(t *testing.T, run *trace.Run) {
	t.Helper()
	if len(run.Steps) < 64 {
		t.Errorf("%d supersteps: no line of many", len(run.Steps))
	}
	for i := range run.Steps {
		s := &run.Steps[i].Superstep
		words := strings.Split(run.AggregateText(s), ", ")
		names := run.ProgramAt(i).Aggregates
		if len(s.Aggregates) == 0 || len(words) != len(names) {
			t.Fatalf("superstep %d of %s: %q, want %q", i, s.Program, words, names)
		}
		for k, name := range names {
			if want := name + " " + run.Text(nil, s.Aggregates[k]); words[k] != want {
				t.Fatalf("superstep %d of %s: %q, want %q", i, s.Program, words[k], want)
			}
		}
	}
}
