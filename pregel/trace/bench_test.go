package trace_test

import (
	"bufio"
	"errors"
	"io"
	"math/rand/v2"
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
		{"delta/path50000", "path", map[string]string{"n": "50000"}, &sssp.SSSP{Source: "0", Method: sssp.DeltaStepping}},
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
		b.Run(c.name, func(b *testing.B) { compare(b, g, c.a, pregel.BSP) })
	}
	b.Run("bfs/necklace50000", func(b *testing.B) { compare(b, necklace(b, 50_000), &bfs.BFS{Source: "0"}, pregel.BSP) })
}

// necklace is a graph in layers of 1 to 6 vertices by chance, each vertex next to one or
// two of the layer before: no short superstep is as the one before.
func necklace(b *testing.B, layers int) *graph.Graph {
	r := rand.New(rand.NewPCG(1, 2))
	list, before, n := graph.ArcList{}, []uint32{0}, uint32(1)
	for range layers {
		layer := make([]uint32, 1+r.IntN(6))
		for i := range layer {
			layer[i] = n
			for range 1 + r.IntN(2) {
				list.List = append(list.List, graph.Arc{U: before[r.IntN(len(before))], V: n})
			}
			n++
		}
		before = layer
	}
	g, err := graph.FromArcs(int(n), list, graph.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return g
}

func compare(b *testing.B, g *graph.Graph, a pregel.Algorithm, schedule pregel.Schedule) {
	var ratios []float64
	least := [2]time.Duration{1 << 62, 1 << 62}
	e := cpu.New(cpu.Options{Schedule: schedule})
	f, err := os.Create(filepath.Join(b.TempDir(), "t.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	timed(b, g, a, e, nil)
	steps := 0
	for b.Loop() {
		var took [2]time.Duration
		for i := range took {
			k, to := (i+len(ratios))%2, f
			if k == 0 {
				to = nil
			} else if err := empty(f); err != nil {
				b.Fatal(err)
			}
			took[k], steps = timed(b, g, a, e, to)
		}
		ratios = append(ratios, float64(took[1])/float64(took[0]))
		for i := range least {
			least[i] = min(least[i], took[i])
		}
	}
	slices.Sort(ratios)
	b.ReportMetric(100*(ratios[len(ratios)/2]-1), "%longer")
	b.ReportMetric(100*(float64(least[1])/float64(least[0])-1), "%longer-at-least")
	b.ReportMetric(float64(least[1]-least[0])/1e3, "µs-longer-at-least")
	b.ReportMetric(float64(least[0])/float64(steps), "ns/superstep")
	b.ReportMetric(float64(steps), "supersteps")
}

func empty(f *os.File) error {
	_, err := f.Seek(0, io.SeekStart)
	return errors.Join(err, f.Truncate(0))
}

func timed(b *testing.B, g *graph.Graph, a pregel.Algorithm, e *cpu.Engine, f *os.File) (time.Duration, int) {
	j := &pregel.Job{Graph: g, Engine: e, Batch: 64} // as `pregel run` has it
	begin := time.Now()
	var r *trace.Recorder
	var w *bufio.Writer
	if f != nil {
		w = bufio.NewWriterSize(f, 1<<14)
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
