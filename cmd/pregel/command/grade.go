package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/grade"
	"gopregel/cmd/pregel/job"
	"gopregel/cmd/pregel/scaffold"
	"gopregel/pregel"
	"gopregel/pregel/atomicfile"
	"gopregel/pregel/graphio"
)

// A grading is one call of grade.
type grading struct {
	app    *app
	seed   uint64
	graphs int
	folder string
	given  bool // the folder is, by its flag or by a lesson's
	keep   string
	json   bool
}

// callEnv tells a command of the course how the one that has built it to grade was
// called. It is no flag: the course may be that of an older clone.
const callEnv = "PREGEL_GRADE_CALL"

func (a *app) gradeCommand() *cobra.Command {
	k := &grading{app: a}
	c := &cobra.Command{
		Use:   "grade [LESSON | EXERCISE]…",
		Short: "Grades the exercises of the course in docs/",
		Long: `Holds the programs of the course in docs/ to what its exercises ask for: the answer
of a slow reference, on hidden random graphs; budgets, such as at most D+2
supersteps; the same answer from other numbers of workers, pushed and pulled; the
laws that pregel check looks for. What is missed is shown on as small a graph as
shows it, with a hint.

LESSON is a lesson, such as 1-supersteps or its folder, EXERCISE the name of an
exercise, such as hops; left out, all are graded. go run ./docs grade grades what the
source says now; another pregel builds the course's command first, which takes Go:
that in docs here, or else that of the clone which it was built from.

What is random follows from the seed, which is printed. With --keep DIR the graph of
each counter-example is written there, with a job that runs the program on it.

With --json standard output has one object: seed, points, of, exercises (lesson,
exercise, asks, points, of, left_out, criteria (criterion, status (ok, failed,
unseen), says, miss (on, found, wanted, hint, look))).

Exit code 0: all passed; 4: something is missed.`,
		Example: `  go run ./docs grade hops
  go run ./docs grade 1-supersteps --seed 7 --keep found
  pregel grade docs/2-combiners`,
		RunE: func(c *cobra.Command, args []string) error {
			if !c.Flags().Changed("seed") {
				k.seed = rand.Uint64() >> 32
			}
			if k.graphs < 1 {
				return input(fmt.Errorf("--graphs: found %d, allowed: at least 1", k.graphs))
			}
			if err := grade.Known(args); err != nil {
				return input(fmt.Errorf("%w; a program of one's own is checked by its tests and pregel check", err))
			}
			if !c.Flags().Changed("folder") {
				k.folder = courseFolder(args)
			}
			k.given = c.Flags().Changed("folder") || k.folder != "docs"
			if missing := grade.Missing(a.programs); missing != "" {
				if !k.given {
					k.inClone()
				}
				return k.elsewhere(c.Context(), args, missing)
			}
			return k.run(c.Context(), args)
		},
	}
	f := c.Flags()
	f.Uint64Var(&k.seed, "seed", 0, "repeat the grading with this seed; left out, a new one is drawn")
	f.IntVar(&k.graphs, "graphs", 40, "hidden random graphs, beside some fixed ones")
	f.StringVar(&k.folder, "folder", "docs", "the `folder` of the course; left out, that around a lesson's")
	f.StringVar(&k.keep, "keep", "", "write counter-examples into this `folder`: EXERCISE.pgr and EXERCISE.yaml")
	f.BoolVar(&k.json, "json", false, "print a JSON object")
	_ = c.MarkFlagDirname("keep")
	_ = c.MarkFlagDirname("folder")
	return c
}

// courseFolder is that around the first lesson that is named by its folder.
func courseFolder(args []string) string {
	for _, arg := range args {
		if dir := filepath.Dir(filepath.Clean(arg)); dir != "." {
			return dir
		}
	}
	return "docs"
}

// inClone has the course of the clone that this pregel was built from graded, where
// there is none here.
func (k *grading) inClone() {
	if k.folder != "docs" || isCourse(k.folder) {
		return
	}
	clone, err := scaffold.FindClone("")
	if err != nil || !isCourse(filepath.Join(clone, "docs")) {
		return
	}
	k.folder = filepath.Join(clone, "docs")
	k.app.tell("no course here: that in %s is graded", k.folder)
}

// calls are commands that a reader can type here: those of the lessons where the
// course is in this folder, else commands that go to it.
func (k *grading) calls() grade.Calls {
	folder := k.folder
	if !isCourse(folder) {
		if clone, err := scaffold.FindClone(""); err == nil {
			folder = filepath.Join(clone, "docs")
		}
	}
	c := grade.Calls{Grade: os.Getenv(callEnv)}
	if full, err := filepath.Abs(folder); err == nil && filepath.Clean(folder) != "docs" {
		c.Course, c.Far = fmt.Sprintf("go -C %s run ./%s", grade.ShellWord(filepath.Dir(full)), grade.ShellWord(filepath.Base(full))), true
	}
	return c
}

func isCourse(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "main.go"))
	return err == nil
}

func (k *grading) run(ctx context.Context, names []string) error {
	o := grade.Options{Programs: k.app.programs, Folder: k.folder, Names: names, Seed: k.seed, Graphs: k.graphs, Calls: k.calls(), Stuck: k.stuck, Open: k.app.openKernel}
	if k.keep != "" {
		if err := os.MkdirAll(k.keep, 0o755); err != nil {
			return input(err)
		}
		o.Hidden = k.hidden(ctx)
	}
	report, err := grade.Run(ctx, o)
	if err != nil {
		return input(err)
	}
	if os.Getenv(callEnv) == "" {
		for i := range report.Exercises {
			report.Exercises[i].LeftOut = k.app.voice.say(report.Exercises[i].LeftOut)
		}
	}
	if k.json {
		err = writeJSON(k.app.out, report)
	} else {
		err = report.WriteText(k.app.out)
	}
	if err == nil && !report.Passed() {
		return &exit{exitCertificate, fmt.Errorf("%d of %s; --seed %d repeats this", report.Points, plural(report.Of, "point"), report.Seed)}
	}
	return err
}

// stuck ends the process: a superstep that does not end cannot be stopped.
func (k *grading) stuck(err error) {
	k.app.tell("grade, --seed %d: %v", k.seed, err)
	k.app.exit(exitCertificate)
}

// openKernel makes the engine of a kernel's job.
func (a *app) openKernel(j *job.Job) (pregel.Engine, func(), error) {
	c, err := a.newEngine(j)
	if err != nil {
		return nil, nil, err
	}
	return c.Engine, c.close, nil
}

// hidden writes a counter-example: its graph, and a job.
func (k *grading) hidden(ctx context.Context) func(string, *grade.Drawing) (string, error) {
	return func(name string, d *grade.Drawing) (string, error) {
		path := filepath.Join(k.keep, name+".yaml")
		if err := graphio.Write(ctx, filepath.Join(k.keep, name+".pgr"), d.Build(), graphio.WriteOptions{}); err != nil {
			return path, err
		}
		params := ""
		for _, p := range d.Params(k.app.programs, name) {
			params += fmt.Sprintf("  %s: %s\n", p.Name, p.Text)
		}
		if params != "" {
			params = "params:\n" + params
		}
		return path, atomicfile.Write(path, func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "# %s\nprogram: %s\ngraph: {path: %s.pgr}\n%s", d, name, name, params)
			return err
		})
	}
}

// elsewhere builds the course's command, which has its programs, and has that grade.
func (k *grading) elsewhere(ctx context.Context, args []string, missing string) error {
	if os.Getenv(callEnv) != "" || !isCourse(k.folder) {
		return input(fmt.Errorf("%s: found no command with the program %s, allowed: the folder of the course: run it in the clone, or name it: --folder CLONE/docs", k.folder, missing))
	}
	dir, err := os.MkdirTemp("", "pregel-grade-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "course")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "-tags", buildTags(), ".")
	build.Dir, build.Stdout, build.Stderr = k.folder, k.app.err, k.app.err
	switch err := build.Run(); {
	case errors.Is(err, exec.ErrNotFound):
		return input(fmt.Errorf("%s: the course is built by Go, which is not on the PATH", k.folder))
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return input(fmt.Errorf("%s cannot be built", k.folder))
	}
	graded := exec.CommandContext(ctx, binary, append([]string{"grade", "--folder", k.folder, "--seed", fmt.Sprint(k.seed),
		"--graphs", fmt.Sprint(k.graphs), "--keep", k.keep, fmt.Sprintf("--json=%v", k.json), "--"}, args...)...)
	graded.Env, graded.Stdout, graded.Stderr = append(os.Environ(), callEnv+"="+k.again()), k.app.out, k.app.err
	err = graded.Run()
	var failed *exec.ExitError
	if errors.As(err, &failed) && failed.ExitCode() > 0 {
		return &exit{failed.ExitCode(), errors.New("")}
	}
	return err
}

// again is the call of this command that grades the same.
func (k *grading) again() string {
	call := k.app.name + " grade"
	if k.given {
		call += " --folder " + grade.ShellWord(k.folder)
	}
	return call
}

// buildTags are those that this command was built with.
func buildTags() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "-tags" {
			return strings.TrimSpace(s.Value)
		}
	}
	return ""
}
