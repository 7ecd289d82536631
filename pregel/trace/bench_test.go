package trace_test

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/trace"
	"gopregel/programs/bfs"
	"gopregel/programs/pagerank"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
)

// BenchmarkTraced takes turns with and without a trace that has no values, written
// to a file, and reports how much longer the run takes with one (the median of all
// pairs). Its edges are known, as they are where a run reports them.
func BenchmarkTraced(b *testing.B) {
	for _, c := range []struct {
		name, kind string
		params     map[string]string
		a          pregel.Algorithm
	}{
		{"bfs/kronecker17", "kronecker", map[string]string{"scale": "17"}, &bfs.BFS{Source: "0"}},
		{"bfs/grid1000", "grid", map[string]string{"rows": "1000", "cols": "1000"}, &bfs.BFS{Source: "0"}},
		{"bfs/grid4x50000", "grid", map[string]string{"rows": "4", "cols": "50000"}, &bfs.BFS{Source: "0"}},
		{"bfs/path100000", "path", map[string]string{"n": "100000"}, &bfs.BFS{Source: "0"}},
		{"bellman-ford/grid200", "grid", map[string]string{"rows": "200", "cols": "200"}, &sssp.SSSP{Source: "0", Method: sssp.BellmanFord}},
		{"propagate/grid200", "grid", map[string]string{"rows": "200", "cols": "200"}, &wcc.WCC{Method: wcc.Propagate}},
		{"pagerank/kronecker14", "kronecker", map[string]string{"scale": "14"}, pagerank.New()},
	} {
		spec, err := graphgen.Parse(c.kind, c.params)
		if err != nil {
			b.Fatal(err)
		}
		g, err := graphgen.Generate(b.Context(), spec, graphgen.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name, func(b *testing.B) { compare(b, g, c.a) })
	}
}

func compare(b *testing.B, g *graph.Graph, a pregel.Algorithm) {
	var ratios []float64
	e := cpu.New(cpu.Options{Schedule: pregel.BSP})
	timed(b, g, a, e, nil)
	path := filepath.Join(b.TempDir(), "t.jsonl")
	steps := 0
	for b.Loop() {
		var took [2]time.Duration
		for i := range took {
			var w *bufio.Writer
			traced := (i+len(ratios))%2 == 1
			if traced {
				f, err := os.Create(path)
				if err != nil {
					b.Fatal(err)
				}
				defer f.Close()
				w = bufio.NewWriterSize(f, 1<<16)
			}
			k := map[bool]int{false: 0, true: 1}[traced]
			took[k], steps = timed(b, g, a, e, w)
		}
		ratios = append(ratios, float64(took[1])/float64(took[0]))
	}
	slices.Sort(ratios)
	b.ReportMetric(100*(ratios[len(ratios)/2]-1), "%longer")
	b.ReportMetric(float64(steps), "supersteps")
}

func timed(b *testing.B, g *graph.Graph, a pregel.Algorithm, e *cpu.Engine, w *bufio.Writer) (time.Duration, int) {
	j := &pregel.Job{Graph: g, Engine: e, Batch: 64} // as `pregel run` has it
	begin := time.Now()
	var r *trace.Recorder
	if w != nil {
		r = trace.NewRecorder(trace.NewWriter(w), g, trace.Header{Graph: trace.GraphInfo{Edges: 1}}, trace.Options{Values: trace.None})
		r.Watch(j)
	}
	answer, err := a.Run(b.Context(), j)
	if err != nil {
		b.Fatal(err)
	}
	if r != nil {
		if err := r.Close(answer, g.IDs(), nil); err != nil {
			b.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(begin), j.Supersteps()
}
