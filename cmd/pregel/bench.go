package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/bench"
	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/runtime/cpu"
)

// A timing is one call of bench.
type timing struct {
	app           *app
	graph         job.Graph
	options       bench.Options
	workers       int
	direction     string
	json, gobench bool
}

func (a *app) benchCommand() *cobra.Command {
	d := &timing{app: a}
	c := &cobra.Command{
		Use:   "bench GRAPH | bench KIND",
		Short: "Times the algorithms on a graph",
		Long: `Times the algorithms on a graph file, or on a generated graph of a kind. The graph
is resident and its in-arcs made; each algorithm runs once to warm up and then
--runs times, from different sources where it has one. What is timed is the
whole algorithm with the columns of its answer, without loading and writing.

TEPS are the edges at vertices the answer reached, each undirected edge once, per
second: the harmonic mean over the runs. PageRank is timed per iteration.
Generated graphs are without loops and duplicates and have weights 1 to 255,
unless flags say otherwise.`,
		Example: `  pregel bench kronecker --scale 20 --verify
  pregel bench graph.pgr --programs bfs,pagerank --runs 64`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			bars := newProgress(a.err, a.terminal)
			defer bars.close()
			g, err := readFile(c.Context(), args[0], readOptions(&d.graph, d.workers), bars)
			if err != nil {
				return err
			}
			bars.close()
			return d.run(c.Context(), args[0], g)
		},
	}
	addFields(c, d.graph.Fields())
	d.addFlags(c)
	for _, k := range graphgen.Kinds() {
		c.AddCommand(a.benchKind(k))
	}
	return c
}

func (a *app) benchKind(k graphgen.Kind) *cobra.Command {
	d := &timing{app: a, graph: job.Graph{Weights: "splitmix64", SelfLoops: "drop", Duplicates: "drop"}}
	fields := job.GeneratorParams(k)
	c := &cobra.Command{
		Use:   k.Name,
		Short: "Times them on: " + k.Doc,
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			params := given(c, fields)
			spec, err := graphgen.Parse(k.Name, params)
			if err != nil {
				return input(flagError(err))
			}
			g, err := graphgen.Generate(c.Context(), spec, generateOptions(&d.graph, d.workers))
			if err != nil {
				return input(flagError(err))
			}
			return d.run(c.Context(), spec.String(), g)
		},
	}
	addFields(c, fields)
	addFields(c, pickFields(d.graph.Fields(), "directed", "weights", "self_loops", "duplicates"))
	d.addFlags(c)
	return c
}

func (d *timing) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringSliceVar(&d.options.Programs, "programs", nil, "the algorithms, by name; all without it")
	f.IntVar(&d.options.Runs, "runs", 16, "timed runs of each")
	f.Uint64Var(&d.options.Seed, "source-seed", 1, "which sources are chosen")
	f.BoolVar(&d.options.Verify, "verify", false, "certify the answer of every run")
	f.BoolVar(&d.json, "json", false, "print a JSON object")
	f.BoolVar(&d.gobench, "go", false, "print the format of Go benchmarks, for benchstat")
	f.IntVarP(&d.workers, "workers", "j", 0, "threads; 0: one for each processor")
	f.StringVar(&d.direction, "direction", "auto", "how messages travel: auto, push or pull")
}

// check finds what is wrong with the flags.
func (d *timing) check() (pregel.Direction, error) {
	directions := []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull}
	i := slices.IndexFunc(directions, func(p pregel.Direction) bool { return p.String() == d.direction })
	if i < 0 {
		return 0, input(fmt.Errorf("--direction: found %s, allowed: auto, push, pull", d.direction))
	}
	if d.options.Runs < 1 {
		return 0, input(fmt.Errorf("--runs: found %d, allowed: a whole number, at least 1", d.options.Runs))
	}
	var known []string
	for _, p := range d.app.programs {
		known = append(known, p.Name)
	}
	for _, name := range d.options.Programs {
		if !slices.Contains(known, name) {
			return 0, input(fmt.Errorf("--programs: found %s, allowed: %s", name, strings.Join(known, ", ")))
		}
	}
	return directions[i], nil
}

// A benchReport is what bench prints as JSON.
type benchReport struct {
	Graph    string      `json:"graph"`
	Vertices int         `json:"vertices"`
	Edges    uint64      `json:"edges"`
	Directed bool        `json:"directed"`
	Workers  int         `json:"workers"`
	Go       string      `json:"go"`
	Rows     []bench.Row `json:"programs"`
}

func (d *timing) run(ctx context.Context, name string, g *graph.Graph) error {
	direction, err := d.check()
	if err != nil {
		return err
	}
	engine := cpu.New(cpu.Options{Workers: d.workers, Direction: direction})
	rows, err := bench.Run(ctx, g, engine, d.app.programs, d.options)
	if err != nil {
		return err
	}
	report := benchReport{name, g.N(), g.Edges(), g.Directed(), engine.Workers, runtime.Version(), rows}
	switch {
	case d.json:
		return writeJSON(d.app.out, report)
	case d.gobench:
		return bench.PrintGo(d.app.out, strings.ReplaceAll(name, " ", "_"), rows)
	}
	return report.write(d.app.out)
}

func (r benchReport) write(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %s, %s; %s\n", r.Graph, plural(r.Vertices, "vertex"), plural(r.Edges, "edge"), plural(r.Workers, "worker"))
	if err != nil {
		return err
	}
	return bench.Print(w, r.Rows)
}
