// Package bench times the built-in programs on one graph, as `pregel bench`
// prints them: the graph resident, its in-arcs made, one warm-up run, then one
// run for each of several sources. What is timed is the algorithm's whole Run,
// the answer's columns included, without loading and writing.
package bench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs"
	"gopregel/programs/bfs"
	"gopregel/programs/pagerank"
	"gopregel/programs/sssp"
)

// Options say what is timed.
type Options struct {
	Programs []string // names; none: all
	Runs     int      // timed runs of each, from different sources where there is one
	Seed     uint64   // of the choice of sources
	Verify   bool     // certify the answer of every run
}

// A Row is the timing of one program.
type Row struct {
	Program    string  `json:"program"`
	Unit       string  `json:"unit"` // what one time is of: a run, or an iteration
	Runs       int     `json:"runs"`
	Median     float64 `json:"median_seconds"`
	Min        float64 `json:"min_seconds"`
	Max        float64 `json:"max_seconds"`
	TEPS       float64 `json:"teps"` // harmonic mean of edges reached, or of all edges, per second
	Supersteps int     `json:"supersteps"`
	Certified  bool    `json:"certified"`
}

// iterations is what PageRank is timed over; times are per iteration.
const iterations = 20

// Run times the programs in order of their names. Every source has an out-arc.
func Run(ctx context.Context, g *graph.Graph, e pregel.Engine, list []programs.Entry, o Options) ([]Row, error) {
	g.In()
	var rows []Row
	for _, p := range list {
		if len(o.Programs) > 0 && !slices.Contains(o.Programs, p.Name) {
			continue
		}
		row, err := timeProgram(ctx, g, e, p, o)
		if err != nil {
			return rows, fmt.Errorf("bench: %s: %w", p.Name, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// sources picks vertices with out-arcs, the same for a seed.
func sources(g *graph.Graph, n int, seed uint64) []pregel.ID {
	var list []pregel.ID
	for i := uint64(0); len(list) < n && i < 1000*uint64(n); i++ {
		v := uint32(graph.SplitMix64(seed<<32+i) % uint64(max(g.N(), 1)))
		if int(v) < g.N() && g.Out().Degree(v) > 0 {
			list = append(list, pregel.ID(g.IDs().Text(v)))
		}
	}
	return list
}

func timeProgram(ctx context.Context, g *graph.Graph, e pregel.Engine, p programs.Entry, o Options) (Row, error) {
	row := Row{Program: p.Name, Unit: "run", Runs: o.Runs, Certified: o.Verify}
	starts := sources(g, o.Runs+1, o.Seed)
	if len(starts) < o.Runs+1 {
		return row, fmt.Errorf("the graph has no vertices with out-arcs")
	}
	var times, perEdge []float64
	for i, source := range starts {
		a := p.New()
		setSource(a, source)
		runtime.GC() // what the run before has used can be used again
		start := time.Now()
		answer, err := a.Run(ctx, &pregel.Job{Graph: g, Engine: e})
		seconds := time.Since(start).Seconds()
		if err != nil {
			return row, err
		}
		if answer.Stop.Reason == pregel.Cancelled {
			return row, context.Cause(ctx)
		}
		if i == 0 {
			continue // warm-up
		}
		if c, ok := a.(pregel.Certifier); ok && o.Verify {
			if err := c.Certify(ctx, g, &answer.Table); err != nil {
				return row, err
			}
		}
		if pr, ok := a.(*pagerank.PageRank); ok {
			row.Unit = "iteration"
			seconds /= float64(pr.Iterations)
		}
		row.Supersteps = answer.Stop.Supersteps
		times = append(times, seconds)
		perEdge = append(perEdge, seconds/float64(max(edgesReached(g, answer), 1)))
	}
	slices.Sort(times)
	row.Median, row.Min, row.Max = median(times), times[0], times[len(times)-1]
	row.TEPS = 1 / mean(perEdge)
	return row, nil
}

// setSource gives the algorithm its start, or its number of iterations.
func setSource(a pregel.Algorithm, source pregel.ID) {
	switch a := a.(type) {
	case *bfs.BFS:
		a.Source = source
	case *sssp.SSSP:
		a.Source = source
	case *pagerank.PageRank:
		a.Iterations = iterations
	}
}

// edgesReached counts the edges at vertices that the answer reached, as
// Graph500 does: undirected edges once. Answers without a notion of reaching
// count all.
func edgesReached(g *graph.Graph, answer *pregel.Answer) uint64 {
	if !answer.Table.PerVertex || len(answer.Table.Columns) == 0 {
		return g.Edges()
	}
	c := answer.Table.Columns[0]
	var arcs uint64
	for v := range c.Len() {
		if !c.Empty(v) {
			arcs += g.Out().Degree(uint32(v))
		}
	}
	if !g.Directed() {
		arcs /= 2
	}
	return arcs
}

func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[n/2] + sorted[(n-1)/2]) / 2
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// Print writes the rows as a table.
func Print(w io.Writer, rows []Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "program\tper\tmedian ms\tmin\tmax\tGTEPS\tsupersteps\tcertified\t")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%s\t%.2f\t%.2f\t%.2f\t%.3f\t%d\t%v\t\n",
			r.Program, r.Unit, r.Median*1e3, r.Min*1e3, r.Max*1e3, r.TEPS/1e9, r.Supersteps, r.Certified)
	}
	return t.Flush()
}

// PrintGo writes the rows in the format of Go benchmarks, for benchstat. The
// name says the graph.
func PrintGo(w io.Writer, graphName string, rows []Row) error {
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Compare(a.Program, b.Program) })
	for _, r := range rows {
		ns := int64(math.Round(r.Median * 1e9))
		if _, err := fmt.Fprintf(w, "Benchmark/%s/%s %d %d ns/op\n", r.Program, graphName, r.Runs, ns); err != nil {
			return err
		}
	}
	return nil
}
