//go:build cuda

package cuda_test

import (
	"context"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graphgen"
	"gopregel/programs/bfs"
	"gopregel/programs/pagerank"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// recorder is an engine that keeps the forms of what it runs.
type recorder struct {
	pregel.Engine
	forms []pregel.Form
}

func (r *recorder) Run(ctx context.Context, t pregel.Task, l pregel.Limits) pregel.Stop {
	stop := r.Engine.Run(ctx, t, l)
	if f, ok := t.(pregel.Former); ok {
		if form, reason := f.Form(); reason == "" {
			r.forms = append(r.forms, form)
		}
	}
	return stop
}

// TestTwinsCompile compiles the twins of the built-in programs. It needs no
// device.
func TestTwinsCompile(t *testing.T) {
	spec, err := graphgen.Parse("path", map[string]string{"n": "5"})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []pregel.Algorithm{
		&bfs.BFS{Source: "0"}, &bfs.BFS{Source: "0", Parents: new(false)}, &bfs.BFS{Source: "0", Depths: new(false)}, &wcc.WCC{Method: wcc.Propagate},
		&pagerank.PageRank{Damping: 0.85, Iterations: 1, Precision: pagerank.Float32},
		&pagerank.PageRank{Damping: 0.85, Iterations: 1, Precision: pagerank.Float64},
	} {
		r := &recorder{Engine: cpu.New(cpu.Options{Workers: 1})}
		looks := func(func() (pregel.State, error)) error { return nil } // with states BFS of parents alone is one of its own on a CPU too
		if _, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: r, Barrier: looks}); err != nil {
			t.Fatal(err)
		}
		if len(r.forms) == 0 {
			t.Errorf("%T has no twin", a)
		}
		for _, f := range r.forms {
			cuda.CompileForm(t, f)
		}
	}
}
