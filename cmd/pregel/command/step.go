package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8/cwriter"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/pregel/trace"
)

// mostSteps is how many supersteps are held in memory to be stepped through.
const mostSteps = 10_000

func (a *app) stepCommand() *cobra.Command {
	var set []string
	ask := false
	c := &cobra.Command{
		Use:   "step JOB|TRACE",
		Short: "Walks through a run, superstep by superstep",
		Long: `Runs a job on the CPU and walks through it on the terminal: what each superstep
did, whose value it changed, and who is awake next. The graph must be small: 10 000
vertices and 100 000 arcs at most. A trace with values (a name that ends in .jsonl,
maybe .gz or .zst) is walked through as it is, wherever it was made.

Commands, each a line of standard input:
  n, or nothing   the next superstep
  b               back
  g N             go to superstep N; -1 is after Init
  v X             vertex X: its value, messages in and out
  why X           the messages that led to its value
  h               this list
  q               quit

With --ask each n asks first which vertices will be awake after the next superstep:
answer with their ids, "all", "none", or an empty line to pass. A score ends it.`,
		Example: `  pregel step bfs.yaml
  pregel step bfs.yaml --ask
  printf 'n\nv 34\nq\n' | pregel step bfs.yaml`,
		Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			r, err := a.stepped(c.Context(), args[0], set)
			if err != nil {
				return err
			}
			w := &walk{run: r, out: a.out, in: bufio.NewScanner(a.in), at: -1, prompt: a.in == os.Stdin && cwriter.IsTerminal(int(os.Stdin.Fd()))}
			if ask {
				w.quiz = &quiz{}
			}
			return w.loop()
		},
	}
	c.Flags().StringArrayVar(&set, "set", nil, "set a `key=value` of the job")
	c.Flags().BoolVar(&ask, "ask", false, "ask which vertices will be awake")
	return c
}

// stepped is the run to be walked through: of a trace, or of a job.
func (a *app) stepped(ctx context.Context, path string, set []string) (*trace.Run, error) {
	name := strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".zst")
	if !strings.HasSuffix(name, ".jsonl") {
		return a.traced(ctx, path, set)
	}
	r, err := readTrace(path)
	switch {
	case err != nil && !truncated(err):
		return nil, input(err)
	case err != nil:
		a.tell("%v; this is the run up to there", err)
	case len(set) > 0:
		return nil, input(errors.New("--set: a trace has no job to change"))
	}
	if r.Init == nil {
		return nil, input(fmt.Errorf("%s: the trace has no values: make it with trace.values all or changed", path))
	}
	return r, nil
}

// errEnough ends a run that is too long.
var errEnough = errors.New("enough")

// traced runs a job, with the trace in memory.
func (a *app) traced(ctx context.Context, path string, set []string) (*trace.Run, error) {
	j, err := job.Read(path, a.in, job.Options{Programs: a.programs, Set: set})
	switch {
	case err != nil:
		return nil, input(err)
	case path == job.Standard:
		return nil, input(errors.New("step: standard input is for commands, want the name of a job file"))
	case j.Kernel != nil:
		return nil, input(j.Errorf("program.kernel", "a kernel runs on a GPU only, and step runs jobs on the CPU: trace it with pregel run, and step through the trace"))
	case j.Engine.Schedule == pregel.Relaxed.String():
		return nil, input(j.Errorf("engine.schedule", "found relaxed, allowed: auto or bsp, as there are no supersteps to step through in place"))
	}
	j.Engine.Device, j.Engine.Schedule = "cpu", pregel.BSP.String()
	r := &run{app: a, path: path, job: j, engine: &choice{Engine: newCPU(j)}}
	if r.graph, err = load(ctx, j, nil); err != nil {
		return nil, err
	}
	if err := j.CheckVertices(r.graph.IDs()); err != nil {
		return nil, input(err)
	}
	if g := r.graph; !trace.Small(g) {
		return nil, input(fmt.Errorf("%s has %s and %s: step shows small graphs, of 10 000 vertices and 100 000 arcs at most; for this one trace a run, and look at it with pregel view",
			j.Name(), plural(g.N(), "vertex"), plural(g.Arcs(), "arc")))
	}
	return r.inMemory(ctx)
}

// inMemory runs the job.
func (r *run) inMemory(ctx context.Context) (*trace.Run, error) {
	memory := &trace.Run{}
	j := &pregel.Job{Graph: r.graph, Engine: r.engine.Engine, MaxSupersteps: r.job.Supersteps()}
	j.Barrier = func(func() (pregel.State, error)) error {
		if len(memory.Steps) >= mostSteps {
			return errEnough
		}
		return nil
	}
	recorder := trace.NewRecorder(memory, r.graph, r.header(), trace.Options{Values: trace.Changed, Messages: true})
	recorder.Watch(j)
	answer, err := r.job.Algorithm.Run(ctx, j)
	if err := recorder.Close(answer, r.graph.IDs(), err); err != nil {
		return nil, err
	}
	switch {
	case errors.Is(err, errEnough):
		r.app.tell("these are the first %s", plural(mostSteps, "superstep"))
	case err != nil && ctx.Err() == nil && len(memory.Steps) == 0:
		return nil, failure(err)
	case err != nil:
		r.app.tell("%v", err)
	}
	return memory, ctx.Err()
}
