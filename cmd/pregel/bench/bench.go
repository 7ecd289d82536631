// Package bench times the built-in programs on one graph, as `pregel bench`
// prints them: the graph resident, its in-arcs made, one warm-up run, then one
// run for each of several sources. What is timed on the CPU is the algorithm's
// whole Run, the answer's columns included, without loading and writing; on a
// GPU the time between the first launch and the end of the last, with the whole
// Run (copies and columns included) beside it.
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
	// Precision is that of PageRank; "" is its default.
	Precision string
	Clock     Clock // of the engine's device; nil: the CPU
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
	// Wall is the median of the whole Run where the other times are the
	// device's; null: they are those of the whole Run.
	Wall *float64 `json:"wall_median_seconds"`
}

// A Clock is an engine that measures its own time of a run.
type Clock interface {
	// Elapsed returns the device's time of the last task.
	Elapsed() time.Duration
	// Runs returns how many tasks have run on the device.
	Runs() int
}

// iterations is what PageRank is timed over; times are per iteration.
const iterations = 20

// deviceBatch supersteps are done on a device without asking the host.
const deviceBatch = 1 << 12

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
	var m measured
	for i, source := range starts {
		a := p.New()
		setSource(a, source, o.Precision)
		runtime.GC() // what the run before has used can be used again
		answer, t, err := timeRun(ctx, g, e, a, o.Clock)
		if err != nil {
			return row, err
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
			t.seconds /= float64(pr.Iterations)
			t.wall /= float64(pr.Iterations)
		}
		row.Supersteps = answer.Stop.Supersteps
		m.add(t, edgesReached(g, answer))
	}
	m.into(&row, o.Clock != nil)
	return row, nil
}

// taken is what one run has taken.
type taken struct{ seconds, wall float64 }

// timeRun runs an algorithm, by the clock of the device if there is one.
func timeRun(ctx context.Context, g *graph.Graph, e pregel.Engine, a pregel.Algorithm, c Clock) (*pregel.Answer, taken, error) {
	before := 0
	if c != nil {
		before = c.Runs()
	}
	j := &pregel.Job{Graph: g, Engine: e}
	if c != nil {
		j.Batch = deviceBatch
	}
	start := time.Now()
	answer, err := a.Run(ctx, j)
	wall := time.Since(start).Seconds()
	t := taken{wall, wall}
	switch {
	case err != nil:
		return nil, t, err
	case answer.Stop.Reason == pregel.Cancelled:
		return nil, t, context.Cause(ctx)
	case c == nil:
		return answer, t, nil
	case c.Runs() != before+1:
		return nil, t, fmt.Errorf("%d tasks have run on the device, and only one can be timed", c.Runs()-before)
	}
	t.seconds = c.Elapsed().Seconds()
	return answer, t, nil
}

// measured are the times of the runs of one program.
type measured struct{ times, walls, perEdge []float64 }

func (m *measured) add(t taken, edges uint64) {
	m.times, m.walls = append(m.times, t.seconds), append(m.walls, t.wall)
	m.perEdge = append(m.perEdge, t.seconds/float64(max(edges, 1)))
}

func (m *measured) into(row *Row, device bool) {
	slices.Sort(m.times)
	slices.Sort(m.walls)
	row.Median, row.Min, row.Max = median(m.times), m.times[0], m.times[len(m.times)-1]
	row.TEPS = 1 / mean(m.perEdge)
	if device {
		wall := median(m.walls)
		row.Wall = &wall
	}
}

// setSource gives the algorithm its start, or its number of iterations.
func setSource(a pregel.Algorithm, source pregel.ID, precision string) {
	switch a := a.(type) {
	case *bfs.BFS:
		a.Source = source
	case *sssp.SSSP:
		a.Source = source
	case *pagerank.PageRank:
		a.Iterations = iterations
		a.Precision = cmp.Or(precision, a.Precision)
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
	device := slices.ContainsFunc(rows, func(r Row) bool { return r.Wall != nil })
	wall := ""
	if device {
		wall = "wall ms\t"
	}
	fmt.Fprintf(t, "program\tper\tmedian ms\tmin\tmax\t%sGTEPS\tsupersteps\tcertified\t\n", wall)
	for _, r := range rows {
		if device {
			wall = fmt.Sprintf("%.3f\t", *r.Wall*1e3)
		}
		digits := 2
		if device {
			digits = 3
		}
		fmt.Fprintf(t, "%s\t%s\t%.*f\t%.*f\t%.*f\t%s%.3f\t%d\t%v\t\n",
			r.Program, r.Unit, digits, r.Median*1e3, digits, r.Min*1e3, digits, r.Max*1e3, wall, r.TEPS/1e9, r.Supersteps, r.Certified)
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
