package command

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/bench"
	"gopregel/cmd/pregel/energy"
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
	app                *app
	graph              job.Graph
	options            bench.Options
	workers            int
	gpu                int
	device             string
	direction          string
	schedule           string
	certify, energy    bool
	forms              bool
	preparedOrder      bool
	json, csv, gobench bool
}

func (a *app) benchCommand() *cobra.Command {
	d := &timing{app: a}
	c := &cobra.Command{
		Use:   "bench GRAPH | bench KIND | bench graph500",
		Short: "Times the algorithms on a graph",
		Long: `Times the algorithms on a graph file, or on a generated graph of a kind. The graph
is resident and its in-arcs made; each algorithm runs once to warm up and then
--runs times, from different sources where it has one. Garbage is collected before
each of these; where a run takes less than 10 ms, which that would slow down,
others, untimed, of a millisecond or more together come between. What is timed is the
whole algorithm with the columns of its answer, without loading and writing.

TEPS are the edges at vertices the answer reached, each undirected edge once, per
second: the harmonic mean over the runs. PageRank is timed per iteration.

MB moved is an estimate of what was read and written, from the records of the
supersteps: for each arc sent along, or read when pulled or by a phase, 4 bytes
for its target, 4 for its weight if the program reads weights, and the width of
the value at its other end; for each vertex awake (in a phase, every vertex) two
offsets where arcs are read (of 4 bytes each below 2^32 arcs, else of 8, as in a
.pgr file that is used in place), and its value read and written; the frontier as
a list (8 bytes a vertex) or a bitmap (2 bits); and the columns of the answer.
Programs whose supersteps count no arcs (wcc on a GPU) have none. Caches serve a
part of it, for lcc most: it may be above 100 %. "of bandwidth" is its share of
what the machine moves: on the CPU the triad a[i] = b[i] + x·c[i] streamed
through 384 MiB by the same number of workers, on a GPU a copy within its memory,
both measured in the same run. "peak" is the largest resident size of the process
during the runs of the program, up to the first whose answer is certified, the graph
included; those certified are the last.

With --device cuda the graph is resident on the GPU and times are the GPU's own,
between events around all launches of a run; the time of the whole algorithm,
copies included, stands beside them (wall). The bandwidth of a copy and rates of
random access to the GPU's memory are measured in the same run.

With --prepare programs are timed again on the graph in other orders, with what
making these takes; answers are in the order of the graph as it was, and on the
CPU the time to put them there is part of theirs. On a GPU it is, too, but for mst,
whose edges are put in order behind its clock, in wall alone, as the host does for all where
the GPU has no room, and with --prepared-order, by which the GPU's time is that of the program
alone; a line below the table names those. bfs that is to find the least parents mostly
runs on the graph as it is. --only-prepared leaves out the graph as it is.

With --forms, which --device cuda has, programs are timed again without each form of
the graph that they run on beside its order (lists sorted by weight, arcs in columns
of what a cache holds, first neighbours side by side, arcs by tile: pregel plan names
them), if they can, with what making it takes and its memory. Most are made of
prepared graphs alone.

With --device cuda --programs takes job files, too, whose program is a kernel of one's own:
its parameters are the job's, but for vertices, which are the sources of runs; graph, order
and schedule are those of bench. Its certificate is the answer of supersteps that push,
on the graph as it is: one that depends on how vertices are numbered does not hold where
that is another.

With --energy runs are repeated, back to back, for at least 3 seconds a program,
and what these use is counted: on a GPU by NVML, on a CPU by RAPL.

--go prints every timed run as a line of a Go benchmark, for benchstat.

Generated graphs are without loops and duplicates and have weights 1 to 255,
unless flags say otherwise.`,
		Example: `  pregel bench kronecker --scale 20 --verify
  pregel bench graph.pgr --programs bfs,pagerank --runs 64
  pregel bench kronecker --scale 22 --programs bfs,sssp,pagerank,wcc,mst --sources 16 --device cuda --certify
  pregel bench kronecker --scale 20 --programs bfs,bfs:parents=false
  pregel bench kronecker --scale 18 --programs bfs,wcc --prepare degree,locality
  pregel bench kronecker --scale 22 --device cuda --prepare degree --only-prepared --forms
  pregel bench kronecker --scale 22 --device cuda --prepare degree --schedule relaxed --programs programs/widest/widest.yaml
  pregel bench graph500 --scale 20`,
		Args: arguments(1, 1),
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
	c.AddCommand(append(a.peerCommands(), a.graph500Command())...)
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
	f.StringSliceVar(&d.options.Programs, "programs", nil, "the algorithms, by name, with parameters such as bfs:parents=false, and job files with a kernel; all without it")
	f.IntVar(&d.options.Runs, "runs", 16, "timed runs of each")
	f.IntVar(&d.options.Runs, "sources", 16, "the same as --runs")
	f.Uint64Var(&d.options.Seed, "source-seed", 1, "which sources are chosen")
	f.BoolVar(&d.certify, "verify", false, "certify the answer of every run")
	f.BoolVar(&d.certify, "certify", false, "the same as --verify")
	f.IntVar(&d.options.Certify, "certify-runs", 0, "certify the answers of so many runs of each, the last, where all would take long")
	f.StringSliceVar(&d.options.Orders, "prepare", nil, "time prepared graphs too: "+strings.Join(pregel.Orders, ", "))
	f.BoolVar(&d.options.OnlyPrepared, "only-prepared", false, "with --prepare: leave out the graph as it is")
	f.BoolVar(&d.preparedOrder, "prepared-order", false, "with --device cuda and --prepare: leave it to the host, in wall alone, to put answers into the graph's own order")
	f.BoolVar(&d.forms, "forms", false, "with --device cuda: time programs without each form of the graph, too")
	f.BoolVar(&d.energy, "energy", false, "measure energy, where it can be")
	f.BoolVar(&d.json, "json", false, "print a JSON object")
	f.BoolVar(&d.csv, "csv", false, "print CSV")
	f.BoolVar(&d.gobench, "go", false, "print the format of Go benchmarks, for benchstat")
	f.IntVarP(&d.workers, "workers", "j", 0, "threads; 0: one for each processor")
	f.StringVar(&d.options.Precision, "precision", pagerank.Float64, "of pagerank's numbers: float64 or float32")
	f.StringVar(&d.device, "device", "cpu", "what computes: cpu or cuda")
	f.IntVar(&d.gpu, "gpu", 0, "which GPU, by its number in pregel devices")
	f.StringVar(&d.direction, "direction", "auto", "how messages travel: auto, push or pull")
	f.StringVar(&d.schedule, "schedule", "auto", "when messages are delivered: auto, bsp or relaxed; programs that do not allow it are left out")
}

// check finds what is wrong with the flags.
func (d *timing) check() (pregel.Direction, error) {
	direction, err := checkEngine(d.device, d.direction)
	if err != nil {
		return 0, err
	}
	if err := oneOf("schedule", d.schedule, []string{"auto", "bsp", "relaxed"}); err != nil {
		return 0, err
	}
	for _, order := range d.options.Orders {
		if err := oneOf("prepare", order, pregel.Orders); err != nil {
			return 0, err
		}
	}
	if d.options.OnlyPrepared && len(d.options.Orders) == 0 {
		return 0, input(errors.New("--only-prepared: found no --prepare, expected one: nothing would be timed"))
	}
	if d.forms && d.device != "cuda" {
		return 0, input(fmt.Errorf("--forms: found --device %s, expected --device cuda: the CPU runs on the graph in its order alone", d.device))
	}
	if d.preparedOrder && (d.device != "cuda" || len(d.options.Orders) == 0) {
		return 0, input(errors.New("--prepared-order: expected --device cuda and --prepare with it: answers are in the graph's own order"))
	}
	if err := oneOf("precision", d.options.Precision, []string{pagerank.Float64, pagerank.Float32}); err != nil {
		return 0, err
	}
	if d.json && d.csv || d.json && d.gobench || d.csv && d.gobench {
		return 0, input(errors.New("--json, --csv and --go: found more than one, allowed: one"))
	}
	if d.options.Runs < 1 {
		return 0, input(fmt.Errorf("--runs: found %d, allowed: a whole number, at least 1", d.options.Runs))
	}
	if d.options.Certify < 0 {
		return 0, input(fmt.Errorf("--certify-runs: found %d, allowed: a whole number, 0 or more", d.options.Certify))
	}
	if d.certify {
		d.options.Certify = d.options.Runs
	}
	for _, name := range d.options.Programs {
		if _, err := d.app.variant(name); err != nil {
			return 0, err
		}
	}
	return direction, nil
}

// checkEngine finds what is wrong with --device and --direction.
func checkEngine(device, direction string) (pregel.Direction, error) {
	if err := oneOf("device", device, []string{"cpu", "cuda"}); err != nil {
		return 0, err
	}
	directions := []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull}
	i := slices.IndexFunc(directions, func(p pregel.Direction) bool { return p.String() == direction })
	if i < 0 {
		return 0, input(fmt.Errorf("--direction: found %s, allowed: auto, push, pull", direction))
	}
	return directions[i], nil
}

func (d *timing) run(ctx context.Context, name string, g *graph.Graph) error {
	direction, err := d.check()
	if err != nil {
		return err
	}
	e, err := openTimed(d.device, d.gpu, cpu.Options{Workers: d.workers, Direction: direction, Schedule: schedules[d.schedule]})
	if err != nil {
		return err
	}
	defer e.close()
	report := benchReport{Graph: name, Vertices: g.N(), Edges: g.Edges(), Directed: g.Directed(), Workers: e.host.Workers, Go: runtime.Version()}
	list, err := d.able()
	if err != nil {
		return err
	}
	if e.device != nil {
		if report.GPU, err = measureGPU(ctx, e.device); err != nil {
			return err
		}
		report.Bandwidth, report.BandwidthOf = report.GPU.Copy, "copy"
		if err := d.leaveOut(e.device); err != nil {
			return err
		}
	}
	d.options.Clock, d.options.Workers = e.clock, d.workers
	if d.energy {
		d.options.EnergyFor = energy.AtLeast
		d.options.MeterName, d.options.Meter, report.NoEnergy = e.meter()
	}
	report.Rows, err = bench.Run(ctx, g, e.Engine, list, d.options)
	if err != nil && len(report.Rows) == 0 {
		return err
	}
	report.NoForms = d.forms && !slices.ContainsFunc(report.Rows, func(r bench.Row) bool { return r.Without != nil })
	if e.device == nil { // after the runs, whose peak of memory it would hide
		report.Bandwidth, report.BandwidthOf = bench.Bandwidth(d.workers), "triad"
	}
	bench.Shares(report.Rows, report.Bandwidth)
	return errors.Join(err, d.print(report)) // what has been timed is not lost
}

// leaveOut sets which forms of graphs are left out of all runs, and whether each is in turn.
func (d *timing) leaveOut(e *cuda.Engine) error {
	maker := formMaker{Engine: e}
	if d.preparedOrder {
		maker.never = []string{cuda.OwnOrder}
	}
	if d.forms {
		d.options.Maker = maker
	}
	return maker.LeaveOut()
}

func (d *timing) print(report benchReport) error {
	name := strings.ReplaceAll(report.Graph, " ", "_")
	switch {
	case d.json:
		return writeJSON(d.app.out, report)
	case d.csv:
		return bench.PrintCSV(d.app.out, report.Graph, report.Rows)
	case d.gobench:
		return bench.PrintGo(d.app.out, name, report.Rows)
	}
	return report.write(d.app.out)
}

// oneOf finds whether a flag has one of the allowed values.
func oneOf(flag, value string, allowed []string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	return input(fmt.Errorf("--%s: found %s, allowed: %s", flag, value, strings.Join(allowed, ", ")))
}

func (d *timing) unable(p programs.Entry) string {
	a := p.New()
	relaxes, ok := a.(pregel.RelaxedAlgorithm)
	switch {
	case d.device != "cuda" && isJob(p.Name):
		return p.Name + " is a kernel, which runs on a GPU only: --device cuda"
	case d.device == "cuda" && !cuda.Supports(a):
		return p.Name + " has no form for the GPU"
	case d.device == "cuda":
		return job.NoDevice(d.schedule, p.Name, a)
	case d.schedule == pregel.Relaxed.String() && !(ok && relaxes.Relaxes(false)):
		return p.Name + " does not allow its messages to be delivered at once"
	}
	return ""
}
