package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/job"
	"gopregel/cmd/pregel/output"
	"gopregel/cmd/pregel/plan"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/checkpoint"
)

// A run is one execution of a job.
type run struct {
	app    *app
	path   string // of the job
	job    *job.Job
	engine *choice
	check  pregel.Certifier // nil: not asked for
	resume bool
	bars   *progress

	graph    *graph.Graph
	keeper   *keeper          // of the prepared graph; nil: the graph is taken as it is
	prepared *pregel.Prepared // likewise
	answer   *pregel.Answer
	traceErr error  // why there is no trace, though one is asked for
	awake    uint64 // vertices, after the last superstep
	report   report

	checkpoints *checkpoint.Store // nil: none are kept
}

type runFlags struct {
	set                 []string
	output              string
	json, verify, quiet bool
	resume              bool
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run JOB",
		Short: "Runs the program of a job file on its graph",
		Long: `Runs the program of a job file on its graph, writes the answer to output.path
and shows a summary. JOB "-" is standard input. See "pregel schema" for the keys
of a job file, "pregel programs NAME" for the parameters of a program.

With checkpoint.dir the state of the run is written there every so often, for
--resume to go on from when the run was ended before its time: killed,
interrupted (it then writes a last one), failed, or stopped at max_supersteps. The
answer is the same as without; nothing but max_supersteps, workers, direction and
output of the job may change meanwhile. A run that has come to its end, and has
written its answer, takes its checkpoints away. Without --resume the folder must
have none.

The rows shown are those with the greatest numbers in the first column (ranks,
distances), the first rows where that column names vertices (components).

With --json standard output has one object and nothing else. Its keys: program;
graph {name, vertices, edges, directed, weights}; prepare {order,
cache (hit, written or none), file, note, as_is (the program ran on the graph as
it is, where it takes less time)}; engine {device, gpu (its name),
workers, direction, determinism, schedule, why (device: auto took this one)}; params; stop
{reason, supersteps, metric {name, value, tolerance}}, reason being halted,
converged, max-supersteps, time-limit or cancelled; checkpoint {dir, resumed {file,
supersteps, pieces (of the phase under way)}, written, newest {file, supersteps,
pieces}, problems}; times_seconds {load, prepare (with the load
when cache is hit), cache (what keeping a prepared graph took), compute, write, verify};
gpu_seconds {upload, compute, download}; edges_per_second (edges of the
graph by the time to compute); arcs_per_second (along which was sent or read, in
all supersteps); peak_bytes; summary, of the program; rows; top, a list of rows;
output, the file; trace, likewise; verified. What was not done is null.`,
		Example: `  pregel run pagerank.yaml
  pregel run pagerank.yaml --set params.damping=0.9 --output ranks.parquet
  pregel run bfs.yaml --json --verify
  pregel run long.yaml --set checkpoint.dir=state --set checkpoint.every=5m
  pregel run long.yaml --set checkpoint.dir=state --resume`,
		Args:              arguments(1, 1),
		ValidArgsFunction: jobFiles,
		RunE:              func(c *cobra.Command, args []string) error { return a.run(c.Context(), args[0], f) },
	}
	setFlags(c, &f.set, &f.output)
	c.Flags().BoolVar(&f.json, "json", false, "show the summary as one JSON object")
	c.Flags().BoolVar(&f.verify, "verify", false, "check the answer by its certificate")
	c.Flags().BoolVar(&f.resume, "resume", false, "go on from the newest checkpoint in checkpoint.dir; begin at the start if there is none")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "show neither progress nor summary")
	return c
}

// setFlags adds the flags that change a job.
func setFlags(c *cobra.Command, set *[]string, out *string) {
	c.Flags().StringArrayVar(set, "set", nil, "set a `key=value` of the job, such as params.damping=0.9; an empty value takes the key away. A path is relative to the current folder")
	c.Flags().StringVarP(out, "output", "o", "", "the `file` for the answer, in place of output.path")
	_ = c.MarkFlagFilename("output", output.Formats()...)
}

func jobFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

func (a *app) run(ctx context.Context, path string, f runFlags) error {
	j, err := job.Read(path, a.in, job.Options{Programs: a.programs, Set: f.set, Output: f.output})
	if err != nil {
		return input(err)
	}
	r := &run{app: a, path: path, job: j, resume: f.resume, bars: newProgress(a.err, a.terminal && !f.quiet)}
	defer r.bars.close()
	defer func() { r.engine.close() }()
	if err := r.prepare(f.verify); err != nil {
		return err
	}
	err = r.execute(ctx)
	err = errors.Join(err, r.traceErr)
	r.bars.close()
	if r.answer == nil {
		return err
	}
	r.finish()
	switch {
	case f.json:
		err = errors.Join(err, r.report.writeJSON(a.out))
	case !f.quiet:
		err = errors.Join(err, r.report.writeText(a.out))
	}
	return err
}

// prepare finds what would fail after a long computation.
func (r *run) prepare(verify bool) error {
	var err error
	if r.engine, err = r.app.newEngine(r.job); err != nil {
		return err
	}
	if check, ok := r.job.Algorithm.(pregel.Certifier); verify && ok {
		r.check = check
	} else if verify {
		return input(fmt.Errorf("--verify: the program %s has no certificate", r.job.Program))
	}
	if err := r.checkCheckpoints(); err != nil {
		return err
	}
	return errors.Join(r.target("output.path", r.job.OutputPath(), "the answer"), r.target("trace.path", r.job.TracePath(), "the trace"))
}

// target checks that a file can be written, and is not the graph's.
func (r *run) target(key, path, what string) error {
	if path == "" {
		return nil
	}
	if sameFile(path, r.job.GraphPath()) {
		return input(r.job.Errorf(key, "%s is the graph's file: %s would replace it", path, what))
	}
	if key != "output.path" && filepath.Clean(path) == filepath.Clean(r.job.OutputPath()) {
		return input(r.job.Errorf(key, "%s is output.path, too: allowed are two files", path))
	}
	if err := writable(path); err != nil {
		return input(r.job.Errorf(key, "%w", err))
	}
	return nil
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// execute loads, computes, writes and verifies. Without an error, and with one
// that comes after the computation, there is an answer.
func (r *run) execute(ctx context.Context) (err error) {
	defer r.keepSmall()()
	if err := r.open(ctx); err != nil {
		return err
	}
	if err := r.job.CheckVertices(r.graph.IDs()); err != nil {
		return input(err)
	}
	if err := r.renumber(ctx); err != nil {
		return err
	}
	if err := r.compute(ctx); err != nil {
		return err
	}
	if r.answer.Stop.Reason == pregel.Cancelled {
		return &exit{exitInterrupted, fmt.Errorf("interrupted after %s; no answer is written%s", plural(r.answer.Stop.Supersteps, "superstep"), r.goOn())}
	}
	if err := r.write(ctx); err != nil {
		return err
	}
	if err := r.limited(); err != nil {
		return err
	}
	if err := r.finished(); err != nil {
		return err
	}
	return errors.Join(r.verify(ctx), r.stalled())
}

// open reads or generates the graph. Where a former run has kept its prepared
// form, that is all that is read.
func (r *run) open(ctx context.Context) error {
	if r.keeper = newKeeper(r.job); r.keeper != nil {
		r.report.Prepare = r.keeper.prepareReport
		r.prepared = r.keeper.restore(ctx)
	}
	if r.prepared == nil {
		return r.load(ctx)
	}
	r.graph = r.prepared.User()
	r.report.Times.Prepare = seconds(r.prepared.Took)
	return fit(r.job, r.engine, plan.OfGraph(r.graph))
}

func (r *run) load(ctx context.Context) (err error) {
	ways := false
	if plan.Cheap(&r.job.Graph) || r.job.Limits.Bytes() > 0 {
		// What is wrong with the file, loading says better.
		if s, err := plan.Measure(ctx, r.job); err == nil {
			if err := r.fit(s); err != nil {
				return err
			}
			ways = s.Ways
		}
	}
	r.keeper.bind(ctx)
	start := time.Now()
	if r.graph, err = load(ctx, r.job, r.bars); err != nil {
		return err
	}
	r.report.Times.Load = since(start)
	s := plan.OfGraph(r.graph)
	s.Ways = ways
	return r.fit(s)
}

// fit counts a prepared graph that is still to be made.
func (r *run) fit(s plan.Size) error {
	s.Prepared = r.keeper != nil
	return fit(r.job, r.engine, s)
}

// renumber makes the prepared graph, if one is asked for and not there.
func (r *run) renumber(ctx context.Context) (err error) {
	if r.keeper == nil || r.prepared != nil {
		return nil
	}
	if r.prepared, err = pregel.Prepare(ctx, r.graph, r.keeper.Order, r.job.Engine.Workers); err != nil {
		return err
	}
	r.report.Times.Prepare = seconds(r.prepared.Took)
	r.report.Times.Cache = r.keeper.keep(ctx, r.prepared, r.bars)
	return ctx.Err()
}

// batch supersteps are done between looks at an interrupt, where they are a GPU's, or
// short.
const batch = 64

func (r *run) compute(ctx context.Context) error {
	observe, done := r.bars.supersteps(ctx, r.job.Supersteps())
	defer done()
	j := &pregel.Job{Graph: r.graph, Engine: r.engine.Engine, MaxSupersteps: r.job.Supersteps(), Bounds: r.bounds(), Unmeasured: r.bars == nil, Observe: func(s pregel.StepRecord) {
		r.report.arcs += s.Arcs
		r.awake = s.Next
		observe(s)
	}}
	on := r.graph
	if r.prepared != nil {
		on = r.prepared.For(r.job.Algorithm, r.engine.Engine)
		r.report.Prepare.AsIs = on == r.graph
	}
	if err := r.openCheckpoints(on); err != nil {
		return err
	}
	if j.Checkpoints = r.checkpointer(); j.Checkpoints == nil || r.engine.device != nil {
		j.Batch = batch
	}
	t, err := r.trace(j)
	if err != nil {
		return err
	}
	start := time.Now()
	answer, err := r.algorithm(ctx, j)
	r.report.Times.Compute = since(start)
	if r.traceErr = t.close(answer, r.graph.IDs(), err); r.traceErr == nil && t != nil {
		r.report.Trace = new(r.job.TracePath())
	}
	switch {
	case err == nil && answer == nil:
		return fmt.Errorf("the program %s has returned no answer", r.job.Program)
	case err == nil:
		r.answer = answer
		return r.numbers()
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return err
	}
	return failure(err)
}

func (r *run) algorithm(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	if r.prepared != nil {
		return r.prepared.Run(ctx, r.job.Algorithm, j)
	}
	return r.job.Algorithm.Run(ctx, j)
}

func (r *run) write(ctx context.Context) error {
	path := r.job.OutputPath()
	if path == "" {
		return nil
	}
	start := time.Now()
	err := output.Write(ctx, path, r.job.Output.Format, r.graph.IDs(), &r.answer.Table)
	switch {
	case err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled):
		return &exit{exitInterrupted, errors.New("interrupted while the answer was being written; nothing is left of it")}
	case err != nil:
		return err
	}
	r.report.Times.Write = since(start)
	r.report.Output = &path
	return nil
}

func (r *run) verify(ctx context.Context) error {
	if r.check == nil {
		return nil
	}
	start := time.Now()
	err := r.check.Certify(ctx, r.graph, &r.answer.Table)
	if err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return err
	}
	r.report.Times.Verify = since(start)
	ok := err == nil
	r.report.Verified = &ok
	if err != nil {
		return &exit{exitCertificate, fmt.Errorf("certificate failed: %w", err)}
	}
	return nil
}

func since(start time.Time) *float64 { return seconds(time.Since(start)) }

func seconds(d time.Duration) *float64 {
	x := d.Seconds()
	return &x
}

// finish fills in the report what is known at the end.
func (r *run) finish() {
	p := &r.report
	p.Program, p.Params, p.paramsText = r.job.Program, r.job.Values(), r.job.ParamsText()
	if p.Graph.Name == "" {
		p.Graph = describeGraph(r.job.Name(), r.graph)
	}
	p.Engine = r.engine.report(r.job)
	p.Device = r.engine.times()
	p.Stop = stopReport{Reason: r.answer.Stop.Reason, Supersteps: r.answer.Stop.Supersteps, text: stopText(r.answer.Stop)}
	if m := r.answer.Stop.Metric; m.Name != "" {
		p.Stop.Metric = &metricReport{m.Name, number(m.Value), number(m.Tolerance)}
	}
	if s := p.Times.Compute; s != nil && *s > 0 {
		edges, arcs := float64(p.Graph.Edges) / *s, float64(p.arcs) / *s
		p.EdgesPerSecond = &edges
		if arcs > 0 {
			p.ArcsPerSecond = &arcs
		}
	}
	r.reportCheckpoints()
	p.wanted = r.job.OutputPath() != ""
	p.PeakBytes = mem.PeakResident()
	p.Summary = r.answer.Summary
	p.Rows = tableRows(&r.answer.Table, r.graph)
	p.top = topRows(r.graph, &r.answer.Table, r.job.Output.Top)
}
