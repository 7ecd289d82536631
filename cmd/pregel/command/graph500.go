package command

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/energy"
	"gopregel/cmd/pregel/graph500"
	"gopregel/pregel"
	"gopregel/runtime/cpu"
)

// A graph500Call is one call of bench graph500.
type graph500Call struct {
	app               *app
	options           graph500.Options
	gpu               int
	device, direction string
	kernel, weights   string
	verbose, json     bool
}

func (a *app) graph500Command() *cobra.Command {
	d := &graph500Call{app: a}
	c := &cobra.Command{
		Use:   "graph500",
		Short: "Runs Graph500's kernels by its rules",
		Long: `Runs the Graph500 benchmark: kernels 2 (breadth-first search) and 3 (shortest
paths), by the rules of its specification.

The edges are generated into memory (graph_generation): Kronecker with A 0.57,
B 0.19, C 0.19, permuted ids, edges drawn independently, --edgefactor times
2^scale of them. The graph is made of them (kernel 1, construction_time): without
loops, with the lightest of parallel edges, on a GPU with the copy there, with
--prepare in another order. --roots distinct vertices with an edge other than a
loop are drawn. An untimed search from the first warms up; then each search is
timed, from the root alone to the column of parents (for kernel 3 of distances, too) in
the ids of the generated graph; any parent that is a step nearer will do. On a GPU the time is its own, between events
around all launches (median_device_time), and the whole time, with the copy of the
answer, is printed beside it (median_wall_time). With --prepare the answer is
brought back into the ids of the list by the GPU, and that is within its time; where the
host does it, as the GPU has no room for it, the whole time is what counts.

Every tree is validated against the list of edges, not the graph: 1 it has no
cycles; 2 its edges join vertices whose levels differ by one (whose distances
differ by its weight); 3 every edge joins vertices whose levels differ by at most
one (distances by at most its weight), or both are unreached; 4 it spans the
component of the root; 5 a vertex and its parent are joined by an edge. One that
fails ends the benchmark without a result, with exit code 4.

TEPS are the edges of the list within the root's component by the second. Loops
and duplicates count, as the specification has it; as the graph no longer has
them, they are counted on the list.

Weights are float32, uniform in [0, 1), each edge's own; --weights integers makes
them 1 to 255, which the rules do not allow.

The lines printed are those of the reference code, in its names and order
(num_mpi_processes is 1); those after the last validate line are not Graph500's.
Energy is that of all searches repeated, unvalidated and back to back, for at
least 3 seconds a kernel, with the copies of answers to the host: on a GPU by
NVML, on a CPU by RAPL. MTEPS/W are their edges, in millions, by the joule, as in
GreenGraph500.`,
		Example: `  pregel bench graph500 --scale 20
  pregel bench graph500 --scale 26 --device cuda --kernel bfs`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return d.run(c.Context()) },
	}
	f, o := c.Flags(), &d.options
	f.IntVar(&o.Scale, "scale", 0, "2^scale vertices")
	f.IntVar(&o.EdgeFactor, "edgefactor", 16, "edges for each vertex")
	f.IntVar(&o.Roots, "roots", 64, "how many roots are searched from")
	f.Uint64Var(&o.Seed, "seed", 1, "picks one of the graphs, with its roots")
	f.StringVar(&d.kernel, "kernel", "both", "what is run: bfs, sssp or both")
	f.StringVar(&d.weights, "weights", "uniform", "of the edges, for sssp: uniform or integers")
	f.StringVar(&o.Order, "prepare", "none", "the order of the graph: none, or as in job files")
	f.StringVar(&d.device, "device", "cpu", "what computes: cpu or cuda")
	f.IntVar(&d.gpu, "gpu", 0, "which GPU, by its number in pregel devices")
	f.StringVar(&d.direction, "direction", "auto", "how messages travel: auto, push or pull")
	f.IntVarP(&o.Workers, "workers", "j", 0, "threads; 0: one for each processor")
	f.BoolVarP(&d.verbose, "verbose", "v", false, "tell every search on standard error")
	f.BoolVar(&d.json, "json", false, "print a JSON object")
	return c
}

// check finds what is wrong with the flags.
func (d *graph500Call) check() (pregel.Direction, error) {
	o := &d.options
	if o.Scale == 0 {
		return 0, input(errors.New("--scale is missing: a whole number from 1 to 31"))
	}
	for _, x := range []struct {
		flag            string
		value, lo, most int
	}{{"scale", o.Scale, 1, 31}, {"edgefactor", o.EdgeFactor, 1, 1 << 20}, {"roots", o.Roots, 1, 1 << 20}} {
		if x.value < x.lo || x.value > x.most {
			return 0, input(fmt.Errorf("--%s: found %d, allowed: a whole number from %d to %d", x.flag, x.value, x.lo, x.most))
		}
	}
	for _, x := range []struct {
		flag, value string
		allowed     []string
	}{{"kernel", d.kernel, []string{"bfs", "sssp", "both"}}, {"weights", d.weights, []string{"uniform", "integers"}}, {"prepare", o.Order, append([]string{"none"}, pregel.Orders...)}} {
		if err := oneOf(x.flag, x.value, x.allowed); err != nil {
			return 0, err
		}
	}
	return checkEngine(d.device, d.direction)
}

// graph500Report is what it prints as JSON.
type graph500Report struct {
	*graph500.Result
	Engine   string `json:"engine"`
	Go       string `json:"go"`
	NoEnergy string `json:"no_energy,omitempty"` // why energy is null
}

func (d *graph500Call) run(ctx context.Context) error {
	direction, err := d.check()
	if err != nil {
		return err
	}
	e, err := openTimed(d.device, d.gpu, cpu.Options{Workers: d.options.Workers, Direction: direction})
	if err != nil {
		return err
	}
	defer e.close()
	report := graph500Report{Go: runtime.Version(), Engine: "cpu, " + plural(e.host.Workers, "worker")}
	o := d.options
	o.BFS, o.SSSP, o.Integers = d.kernel != "sssp", d.kernel != "bfs", d.weights == "integers"
	if o.Order == "none" {
		o.Order = ""
	}
	if e.device != nil {
		report.Engine, o.Clock = "cuda, "+e.device.Info().Name, deviceClock{e.device}
	}
	o.EnergyFor = energy.AtLeast
	o.MeterName, o.Meter, report.NoEnergy = e.meter()
	if d.verbose {
		o.Tell = func(format string, args ...any) { fmt.Fprintf(d.app.err, format+"\n", args...) }
	}
	if report.Result, err = graph500.Run(ctx, e.Engine, o); err != nil {
		return d.failed(err)
	}
	if d.json {
		return writeJSON(d.app.out, report)
	}
	if err := report.Print(d.app.out); err != nil {
		return err
	}
	return report.PrintMore(d.app.out, report.Engine, report.NoEnergy)
}

// failed gives an answer that is not valid its exit code.
func (d *graph500Call) failed(err error) error {
	var invalid *graph500.Invalid
	if !errors.As(err, &invalid) {
		return err
	}
	if !d.json {
		fmt.Fprintln(d.app.out, "No results printed for invalid run.")
	}
	return &exit{exitCertificate, err}
}
