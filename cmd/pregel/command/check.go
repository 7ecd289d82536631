package command

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/pregel/check"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
)

// A checking is one call of check.
type checking struct {
	app    *app
	set    []string
	seed   uint64
	graphs int
	json   bool
}

func (a *app) checkCommand() *cobra.Command {
	k := &checking{app: a}
	c := &cobra.Command{
		Use:   "check PROGRAM | JOB | FOLDER",
		Short: "Looks for laws that a program breaks",
		Long: `Runs a program on small random graphs, and looks for laws of the model that it
breaks: those of its combiner (identity, commutative, associative, exact,
idempotent), of its functions (the same arguments give the same results; nothing
is read that was written in the same superstep; settled vertices stay; no NaN),
and of its answer (the same in any order of the vertices, with and without
priorities, on every engine, and accepted by its certificate). A line a law:
ok, broken with a counter-example made as small as can be, or -, where there is
nothing to check.

PROGRAM is the name of one of the command's; JOB a job file, whose program is checked
with its parameters, but on random graphs; FOLDER a Go package
of your own, of which the tests with Check in their names are run. They call
pregeltest.Check; pregel new writes such a package.

A parameter that names a vertex is set to the first vertex of each graph. What
is random follows from the seed, which is printed.

Exit code 0: no broken law was found; 4: one was.`,
		Example: `  pregel check sssp
  pregel check wcc --set params.method=propagate --seed 7
  pregel check ./loudest`,
		Args: arguments(1, 1),
		ValidArgsFunction: func(c *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
			return a.programNames(), cobra.ShellCompDirectiveDefault
		},
		RunE: func(c *cobra.Command, args []string) error {
			if !c.Flags().Changed("seed") {
				k.seed = rand.Uint64() >> 32
			}
			if k.graphs < 1 {
				return input(fmt.Errorf("--graphs: found %d, allowed: at least 1", k.graphs))
			}
			return k.run(c.Context(), args[0])
		},
	}
	f := c.Flags()
	f.Uint64Var(&k.seed, "seed", 0, "repeat the check with this seed; left out, a new one is drawn")
	f.IntVar(&k.graphs, "graphs", 100, "random graphs")
	f.StringArrayVar(&k.set, "set", nil, "set a `key=value` of the job")
	f.BoolVar(&k.json, "json", false, "print a JSON object")
	return c
}

func (k *checking) run(ctx context.Context, name string) error {
	_, unknown := k.app.program(name)
	if info, err := os.Stat(name); unknown != nil && err == nil && info.IsDir() {
		return k.folder(ctx, name)
	}
	j, err := k.job(name)
	if err != nil {
		return input(err)
	}
	if j.Kernel != nil {
		c, err := k.app.newEngine(j) // says what is missing
		if err != nil {
			return err
		}
		c.close()
	}
	engines, done := checkEngines(j)
	defer done()
	report, err := check.Program(ctx, checkSubject(j), check.Options{Seed: k.seed, Graphs: k.graphs, Engines: engines})
	if err != nil {
		return err
	}
	if k.json {
		err = writeJSON(k.app.out, report)
	} else {
		err = writeCheck(k.app.out, report)
	}
	if broken := report.Broken(); err == nil && len(broken) > 0 {
		return &exit{exitCertificate, fmt.Errorf("%s breaks %s; --seed %d repeats this", report.Program, plural(len(broken), "law"), k.seed)}
	}
	return err
}

// job is that of a job file, or one made for a built-in program.
func (k *checking) job(name string) (*job.Job, error) {
	options := job.Options{Programs: k.app.programs, Set: k.set}
	e, err := k.app.program(name)
	if err == nil {
		return job.Parse("--set", programJob(e.Name, k.set, e.New()), options)
	}
	if _, statErr := os.Stat(name); statErr != nil && !strings.ContainsAny(name, "./") && name != job.Standard {
		return nil, fmt.Errorf("%w; nor is it a job file or a folder", err)
	}
	return job.Read(name, k.app.in, options)
}

// programJob is a job of a program whose vertices are yet to be named.
func programJob(name string, set []string, algorithm pregel.Algorithm) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "program: %s\ngraph: {generate: {kind: karate}}\n", name)
	fields, err := job.Describe(algorithm)
	if err != nil {
		return []byte(b.String())
	}
	head := "params:\n"
	for _, f := range fields {
		if f.Required && f.Type == job.Vertex {
			fmt.Fprintf(&b, "%s  %s: 1\n", head, f.Name)
			head = ""
		}
	}
	return []byte(b.String())
}

// checkSubject is the job's program, with its parameters, on any graph.
func checkSubject(j *job.Job) check.Subject {
	fresh := func(g *graph.Graph) (pregel.Algorithm, error) {
		if g.N() > 0 {
			for _, f := range j.Params() {
				if f.Type == job.Vertex && f.Text() != "" {
					if err := f.Set(g.IDs().Text(0)); err != nil {
						return nil, err
					}
				}
			}
		}
		return j.Fresh()
	}
	s := check.Algorithm(j.Program, fresh)
	s.Limit, s.Device = j.Supersteps(), j.Kernel != nil
	if _, ok := j.Algorithm.(pregel.Certifier); !ok {
		s.Certify = nil
	}
	return s
}

// checkEngines are those that must agree: the CPU's in many forms, and the GPU's
// where there is one and the program has a form for it.
func checkEngines(j *job.Job) (list []check.Engine, done func()) {
	add := func(o cpu.Options, name string) {
		list = append(list, check.Engine{Name: name, Engine: cpu.New(o), Relaxed: o.Schedule == pregel.Relaxed,
			Loose: !o.Strict && o.Direction != pregel.Pull})
	}
	for _, workers := range []int{1, 2, 3, 8} {
		for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
			add(cpu.Options{Workers: workers, Direction: d, Schedule: pregel.BSP}, fmt.Sprintf("cpu:workers=%d,direction=%v", workers, d))
		}
		add(cpu.Options{Workers: workers, Strict: true}, fmt.Sprintf("cpu:workers=%d,determinism=strict", workers))
		add(cpu.Options{Workers: workers, Schedule: pregel.Relaxed}, fmt.Sprintf("cpu:workers=%d,schedule=relaxed", workers))
	}
	if j.Kernel != nil {
		list = nil
	}
	done = func() {}
	if noGPU(j) != "" {
		return list, done
	}
	device := func(direction, schedule string) {
		one := *j
		one.Engine.Direction, one.Engine.Schedule = direction, schedule
		e, err := newCUDA(&one)
		if err != nil {
			return // the machine has a device, but not for us
		}
		before := done
		done = func() { _ = e.Close(); before() }
		list = append(list, check.Engine{Name: fmt.Sprintf("cuda:direction=%s,schedule=%s", direction, schedule), Engine: e, Loose: true})
	}
	for _, direction := range []string{"auto", "push", "pull"} {
		device(direction, "bsp")
	}
	if j.Kernel != nil && j.Kernel.Relaxes {
		device("auto", "relaxed")
	}
	return list, done
}

// writeCheck prints a line a law, and then what was found.
func writeCheck(w io.Writer, r *check.Report) error {
	fmt.Fprintf(w, "%s on %s, seed %d", r.Program, plural(r.Graphs-r.Refused, "random graph"), r.Seed)
	if r.Refused > 0 {
		fmt.Fprintf(w, "; it refused %d more", r.Refused)
	}
	fmt.Fprint(w, "\n\n")
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, v := range r.Laws {
		status, says := v.Status, v.Says
		if v.Status == check.None {
			status, says = "-", v.Why
		}
		if v.Finding != nil && v.Finding.Follows != "" {
			status = "follows"
		}
		fmt.Fprintf(out, "%s\t%s\t%s\n", v.Law, status, says)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	for _, v := range r.Broken() {
		fmt.Fprintf(w, "\n%s\n", v.Text())
	}
	return nil
}
