package command

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/diff"
	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// A comparison is one call of diff.
type comparison struct {
	app     *app
	job     *job.Job
	set     []string
	engines []string
	ulps    uint64
	test    string
	json    bool

	question diff.Question
	configs  [2]job.Engine
}

func (a *app) diffCommand() *cobra.Command {
	d := &comparison{app: a}
	c := &cobra.Command{
		Use:   "diff JOB --engines A,B",
		Short: "Finds the first superstep and vertex at which two engines differ",
		Long: `Runs a job on two engines, superstep by superstep, and stops at the first
superstep and vertex at which their values differ. It shows both values, for
floats their distance in units in the last place (ULPs), and what came to the
vertex: its neighbours with their values, and the messages.

An engine is a device, with keys of engine in a job file: "cpu", "cuda",
"cpu:workers=1,direction=push", "cuda:gpu=1". What is not said is as in the job,
but for the schedule: on the CPU it is always bsp.

Algorithms whose supersteps are phases of their own (mst, scc, lcc, wcc; sssp on
different devices) are compared by their answers. Nothing is written but a test.

Exit code 0: the engines agree; 4: they differ.`,
		Example: `  pregel diff sssp.yaml --engines cpu,cuda
  pregel diff pagerank.yaml --engines cpu:direction=push,cpu:direction=pull --ulps 8
  pregel diff bfs.yaml --engines cpu,cuda --emit-test programs/bfs/difference_test.go`,
		Args:              arguments(1, 1),
		ValidArgsFunction: jobFiles,
		RunE: func(c *cobra.Command, args []string) (err error) {
			if d.job, err = job.Read(args[0], a.in, job.Options{Programs: a.programs, Set: d.set}); err != nil {
				return input(err)
			}
			return d.run(c.Context(), args[0])
		},
	}
	f := c.Flags()
	f.StringSliceVar(&d.engines, "engines", nil, "the two engines")
	f.Uint64Var(&d.ulps, "ulps", 0, "by so many units in the last place floats may differ")
	f.StringVar(&d.test, "emit-test", "", "write a Go test that shows the difference to this `file`")
	f.StringArrayVar(&d.set, "set", nil, "set a `key=value` of the job")
	f.BoolVar(&d.json, "json", false, "print a JSON object")
	return c
}

// engineTexts joins what the comma has parted: a piece with "=" and no device
// belongs to the engine before it.
func engineTexts(pieces []string) []string {
	var list []string
	for _, p := range pieces {
		name, _, _ := strings.Cut(p, ":")
		if len(list) > 0 && strings.Contains(name, "=") {
			list[len(list)-1] += "," + p
		} else {
			list = append(list, p)
		}
	}
	return list
}

// parseEngine reads the description of an engine, over what the job says.
func parseEngine(text string, e job.Engine) (job.Engine, error) {
	device, rest, _ := strings.Cut(text, ":")
	if device != "cpu" && device != "cuda" {
		return e, fmt.Errorf("--engines: found %q, allowed: cpu or cuda, with keys of engine as in cpu:workers=1,direction=push", text)
	}
	e.Device, e.Schedule = device, "bsp" // rounds in place have nothing to compare
	fields := slices.DeleteFunc(e.Fields(), func(f job.Field) bool { return f.Name == "device" || f.Name == "schedule" })
	for pair := range strings.SplitSeq(rest, ",") {
		if rest == "" {
			break
		}
		key, value, _ := strings.Cut(pair, "=")
		i := slices.IndexFunc(fields, func(f job.Field) bool { return f.Name == key })
		if i < 0 {
			return e, fmt.Errorf("--engines %s: found %s, allowed: gpu, workers, direction, determinism, each with = and a value", text, pair)
		}
		if err := fields[i].Set(value); err != nil {
			return e, fmt.Errorf("--engines %s: %s: %w", text, key, err)
		}
	}
	return e, nil
}

func (d *comparison) run(ctx context.Context, path string) error {
	names := engineTexts(d.engines)
	if len(names) != 2 {
		return input(fmt.Errorf("--engines: found %d, allowed: two, such as cpu,cuda", len(names)))
	}
	if d.test != "" && !strings.HasSuffix(d.test, "_test.go") {
		return input(fmt.Errorf("--emit-test: found %s, allowed: a name that ends in _test.go, as Go runs no others", d.test))
	}
	for i, name := range names {
		engine, done, err := d.engine(i, name)
		if err != nil {
			return input(err)
		}
		defer done()
		d.question.Sides[i] = diff.Side{Name: name, Engine: engine}
	}
	bars := newProgress(d.app.err, d.app.terminal)
	g, err := load(ctx, d.job, bars)
	bars.close()
	if err != nil {
		return err
	}
	if err := d.job.CheckVertices(g.IDs()); err != nil {
		return input(err)
	}
	q := &d.question
	q.Graph, q.New, q.Limit, q.ULPs = g, d.job.Fresh, d.job.Supersteps(), d.ulps
	q.All = !diff.Lockstep(d.job.Algorithm, q.Sides[0].Engine, q.Sides[1].Engine)
	found, err := diff.Find(ctx, *q)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		return failure(err)
	}
	return d.report(ctx, path, found)
}

// engine makes one of the two engines.
func (d *comparison) engine(side int, text string) (_ pregel.Engine, done func(), err error) {
	config, err := parseEngine(text, d.job.Engine)
	if err != nil {
		return nil, nil, err
	}
	d.configs[side] = config
	j := *d.job
	j.Engine = config
	switch {
	case config.Device == "cpu" && j.Kernel != nil:
		return nil, nil, fmt.Errorf("--engines %s: the program is a kernel, which runs on a GPU only", text)
	case config.Device == "cpu":
		return newCPU(&j), func() {}, nil
	}
	if _, err := driver.Devices(); err != nil {
		return nil, nil, fmt.Errorf("--engines %s: %w", text, err)
	}
	if !cuda.Supports(j.Algorithm) {
		return nil, nil, fmt.Errorf("--engines %s: the program %s has no form for the GPU", text, j.Program)
	}
	e, err := newCUDA(&j)
	if err != nil {
		return nil, nil, fmt.Errorf("--engines %s: %w", text, err)
	}
	return e, func() { _ = e.Close() }, nil
}

// emit writes the test.
func (d *comparison) emit(ctx context.Context, path string, found *diff.Difference) error {
	recipe := diff.Recipe{
		Named:   namedOnly(d.job, d.question.Graph),
		Load:    d.loadText(),
		Command: fmt.Sprintf("%s diff %s --engines %s,%s", cmp.Or(d.app.name, standardName), path, d.question.Sides[0].Name, d.question.Sides[1].Name),
	}
	for i, c := range d.configs {
		recipe.Engines[i] = engineSource(c)
	}
	return d.question.Emit(ctx, d.test, found, recipe)
}

// namedOnly are the vertices that parameters name.
func namedOnly(j *job.Job, g *graph.Graph) (list []uint32) {
	for _, f := range j.Params() {
		if v, err := g.IDs().Parse(f.Text()); f.Type == job.Vertex && err == nil {
			list = append(list, v)
		}
	}
	return list
}

// engineSource is the Go source that makes an engine.
func engineSource(e job.Engine) string {
	direction := map[string]string{"push": "pregel.Push", "pull": "pregel.Pull"}[e.Direction]
	if direction == "" {
		direction = "pregel.Auto"
	}
	strict := e.Determinism == "strict"
	if e.Device == "cpu" {
		return fmt.Sprintf("return cpu.New(cpu.Options{Workers: %d, Direction: %s, Strict: %v, Schedule: pregel.BSP})", e.Workers, direction, strict)
	}
	return fmt.Sprintf(`e, err := cuda.Open(cuda.Options{Device: %d, Direction: %s, Strict: %v})
			if err != nil {
				t.Skip(err)
			}
			t.Cleanup(func() { e.Close() })
			return e`, e.GPU, direction, strict)
}

// loadText is the Go source that makes the job's whole graph.
func (d *comparison) loadText() string {
	g := &d.job.Graph
	if g.Generate != nil {
		o := generateOptions(g, 0)
		o.Directed = nil
		text := strings.TrimSuffix(fmt.Sprintf("%#v", o), "}")
		text = strings.ReplaceAll(strings.ReplaceAll(text, "Directed:(*bool)(nil), ", ""), "Progress:(func(uint64, uint64))(nil)", "")
		if g.Directed != nil {
			text += fmt.Sprintf("Directed: &[]bool{%v}[0]", *g.Directed)
		}
		return fmt.Sprintf("graphgen.Generate(t.Context(), %#v, %s})", *g.Generate, text)
	}
	path, err := filepath.Abs(d.job.GraphPath())
	if err != nil {
		path = d.job.GraphPath()
	}
	o := fmt.Sprintf("%#v", readOptions(g, 0))
	o = strings.ReplaceAll(o, "Progress:(func(int64, int64))(nil)", "")
	return fmt.Sprintf("graphio.Read(t.Context(), %q, %s)", path, o)
}
