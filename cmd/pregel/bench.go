package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/bench"
	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/programs"
	"gopregel/programs/pagerank"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// A timing is one call of bench.
type timing struct {
	app           *app
	graph         job.Graph
	options       bench.Options
	workers       int
	gpu           int
	device        string
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

With --device cuda the graph is resident on the GPU and times are the GPU's own,
between events around all launches of a run; the time of the whole algorithm,
copies included, stands beside them (wall). The bandwidth of a copy and rates of
random access to the GPU's memory are measured in the same run.

Generated graphs are without loops and duplicates and have weights 1 to 255,
unless flags say otherwise.`,
		Example: `  pregel bench kronecker --scale 20 --verify
  pregel bench graph.pgr --programs bfs,pagerank --runs 64
  pregel bench kronecker --scale 22 --programs bfs,sssp,pagerank,wcc,mst --sources 16 --device cuda --certify`,
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
	f.IntVar(&d.options.Runs, "sources", 16, "the same as --runs")
	f.Uint64Var(&d.options.Seed, "source-seed", 1, "which sources are chosen")
	f.BoolVar(&d.options.Verify, "verify", false, "certify the answer of every run")
	f.BoolVar(&d.options.Verify, "certify", false, "the same as --verify")
	f.BoolVar(&d.json, "json", false, "print a JSON object")
	f.BoolVar(&d.gobench, "go", false, "print the format of Go benchmarks, for benchstat")
	f.IntVarP(&d.workers, "workers", "j", 0, "threads; 0: one for each processor")
	f.StringVar(&d.options.Precision, "precision", pagerank.Float64, "of pagerank's numbers: float64 or float32")
	f.StringVar(&d.device, "device", "cpu", "what computes: cpu or cuda")
	f.IntVar(&d.gpu, "gpu", 0, "which GPU, by its number in pregel devices")
	f.StringVar(&d.direction, "direction", "auto", "how messages travel: auto, push or pull")
}

// check finds what is wrong with the flags.
func (d *timing) check() (pregel.Direction, error) {
	if d.device != "cpu" && d.device != "cuda" {
		return 0, input(fmt.Errorf("--device: found %s, allowed: cpu, cuda", d.device))
	}
	directions := []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull}
	i := slices.IndexFunc(directions, func(p pregel.Direction) bool { return p.String() == d.direction })
	if i < 0 {
		return 0, input(fmt.Errorf("--direction: found %s, allowed: auto, push, pull", d.direction))
	}
	if p := d.options.Precision; p != pagerank.Float64 && p != pagerank.Float32 {
		return 0, input(fmt.Errorf("--precision: found %s, allowed: float64, float32", p))
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
	GPU      *benchGPU   `json:"gpu"` // null: the CPU
	Rows     []bench.Row `json:"programs"`
}

type benchGPU struct {
	Name   string      `json:"name"`
	Copy   float64     `json:"copy_bytes_per_second"`
	Random []benchRate `json:"random_access"`
}

type benchRate struct {
	Name      string  `json:"name"`
	PerSecond float64 `json:"per_second"`
}

func (d *timing) run(ctx context.Context, name string, g *graph.Graph) error {
	direction, err := d.check()
	if err != nil {
		return err
	}
	host := cpu.New(cpu.Options{Workers: d.workers, Direction: direction})
	report := benchReport{Graph: name, Vertices: g.N(), Edges: g.Edges(), Directed: g.Directed(), Workers: host.Workers, Go: runtime.Version()}
	engine, list := pregel.Engine(host), d.app.programs
	if d.device == "cuda" {
		if list, err = d.onDevice(); err != nil {
			return err
		}
		e, err := cuda.Open(cuda.Options{Device: d.gpu, Direction: direction, Host: host, Cache: kernelCache()})
		if err != nil {
			return input(fmt.Errorf("--device cuda: %w", err))
		}
		defer e.Close()
		if report.GPU, err = measureGPU(ctx, e); err != nil {
			return err
		}
		engine, d.options.Clock = e, deviceClock{e}
	}
	if report.Rows, err = bench.Run(ctx, g, engine, list, d.options); err != nil {
		return err
	}
	switch {
	case d.json:
		return writeJSON(d.app.out, report)
	case d.gobench:
		return bench.PrintGo(d.app.out, strings.ReplaceAll(name, " ", "_"), report.Rows)
	}
	return report.write(d.app.out)
}

// onDevice returns the programs that have a form for the GPU; one that is asked
// for must.
func (d *timing) onDevice() (list []programs.Entry, err error) {
	for _, p := range d.app.programs {
		if cuda.Supports(p.New()) {
			list = append(list, p)
		} else if slices.Contains(d.options.Programs, p.Name) {
			return nil, input(fmt.Errorf("--programs: the program %s has no form for the GPU", p.Name))
		}
	}
	return list, nil
}

// deviceClock is the clock of a GPU.
type deviceClock struct{ *cuda.Engine }

// Elapsed returns the GPU's time of the last task.
func (c deviceClock) Elapsed() time.Duration { return c.Timing().Device }

func measureGPU(ctx context.Context, e *cuda.Engine) (*benchGPU, error) {
	r := &benchGPU{Name: e.Info().Name}
	var err error
	if r.Copy, err = e.Bandwidth(ctx); err != nil {
		return nil, err
	}
	rates, err := e.RandomAccess(ctx)
	for _, rate := range rates {
		r.Random = append(r.Random, benchRate{rate.Name, rate.PerSecond})
	}
	return r, err
}

func (r benchReport) write(w io.Writer) error {
	on := plural(r.Workers, "worker")
	if r.GPU != nil {
		on = r.GPU.Name
	}
	_, err := fmt.Fprintf(w, "%s: %s, %s; %s\n", r.Graph, plural(r.Vertices, "vertex"), plural(r.Edges, "edge"), on)
	if err != nil {
		return err
	}
	if r.GPU != nil {
		fmt.Fprintf(w, "copy: %sB/s read and written\n", short(r.GPU.Copy))
		for _, rate := range r.GPU.Random {
			fmt.Fprintf(w, "%s: %s/s\n", rate.Name, strings.TrimSpace(short(rate.PerSecond)))
		}
	}
	return bench.Print(w, r.Rows)
}
