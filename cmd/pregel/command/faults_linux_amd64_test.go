package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gopregel/pregel/pregeltest/race"
	"gopregel/programs"
)

// A fault run is a command with the files it finds, and that it must leave.
type faultRun struct {
	name  string
	args  []string
	files map[string]string // that are there before
	made  []string          // that the command makes, or replaces

	// What of a folder is left is up to the command: after a fault, again does what
	// the command should have done.
	folder string
	again  []string
}

func (r *faultRun) owns(name string) bool {
	return r.folder != "" && strings.HasPrefix(name, r.folder+"/")
}

const faultEnv = "PREGEL_FAULT_FOLDER"

// faultsEnv asks for every operation, by "all"; else each fifth fails, from a
// random one on.
const faultsEnv = "PREGEL_FAULTS"

const faultJob = "program: wcc\ngraph: {path: %s, directed: true%s}\nengine: {device: cpu, workers: 2}\noutput: {path: out.%s}\n"

var faultText = strings.Repeat("1 2 5\n2 3 4\n3 1 4\n7 8 1\n8 9 1\n9 10 2\n", 30)

// faultFiles are there from the start: the graph, and jobs with a trace and checkpoints.
var faultFiles = map[string]string{
	"g.txt":        faultText,
	"traced.yaml":  "program: bfs\nparams: {source: 1}\ngraph: {path: g.txt}\nengine: {device: cpu, workers: 1}\ntrace: {path: t.jsonl, values: all}\n",
	"kept.yaml":    fmt.Sprintf(faultKept, "kept"),
	"stopped.yaml": fmt.Sprintf(faultKept, "stopped"), // was stopped, with what it has left in that folder
}

const faultKept = "program: pagerank\nparams: {iterations: 5}\ngraph: {path: g.txt}\nengine: {device: cpu, workers: 2, determinism: strict}\ncheckpoint: {dir: %s, every: 2}\noutput: {path: ranks.csv}\n"

// faultRuns read and write files of every kind. Those that need others make them
// first: setup.
func faultRuns() (setup [][]string, runs []faultRun) {
	setup = [][]string{
		{"convert", "g.txt", "g.txt.gz"}, {"convert", "g.txt", "g.csv.zst"}, {"convert", "g.txt", "g.pgr"}, {"convert", "g.txt", "g.mtx", "--allow-loss"},
		{"convert", "g.txt", "g.wsg", "--allow-loss"}, {"convert", "g.txt", "g.properties"}, {"convert", "g.txt", "g.gr", "--allow-loss"},
		{"run", "traced.yaml"}, {"run", "stopped.yaml", "--set=params.max_supersteps=3"},
	}
	job := func(name, more, out string) string { return fmt.Sprintf(faultJob, name, more, out) }
	for _, c := range [][2]string{{"g.txt", "csv"}, {"g.txt.gz", "tsv.gz"}, {"g.csv.zst", "ndjson.zst"}, {"g.pgr", "parquet"}, {"g.mtx", "csv"}, {"g.wsg", "csv"}, {"g.properties", "csv"}, {"g.gr", "csv"}} {
		runs = append(runs, faultRun{name: "run on " + c[0], args: []string{"run", "job.yaml"},
			files: map[string]string{"job.yaml": job(c[0], "", c[1]), "out." + c[1]: "old"}, made: []string{"out." + c[1]}})
	}
	prepared := job("g.txt", "", "csv") + "prepare: {order: degree}\n"
	runs = append(runs,
		faultRun{name: "run that keeps its prepared graph", args: []string{"run", "job.yaml"}, files: map[string]string{"job.yaml": prepared, "out.csv": "old"}, made: []string{"out.csv"}},
		faultRun{name: "verify", args: []string{"verify", "job.yaml"}, files: map[string]string{"job.yaml": job("g.txt", "", "csv"), "out.csv": "id,component\n1,1\n2,1\n3,1\n7,7\n8,7\n9,7\n10,7\n"}},
		faultRun{name: "plan", args: []string{"plan", "job.yaml"}, files: map[string]string{"job.yaml": job("g.txt", "", "csv")}},
		faultRun{name: "gen", args: []string{"gen", "karate", "-o", "k.pgr"}, files: map[string]string{"k.pgr": "old"}, made: []string{"k.pgr"}},
		faultRun{name: "soak that keeps a trial", args: []string{"soak", "kept.json"}, files: map[string]string{"kept.json": `{"seed":1,"program":"wcc","params":{},"graph":{"directed":true,"ids":"integer","vertices":"endpoints","self_loops":"keep","duplicates":"keep","file":".pgr","lines":["2 3"]},"engine":{"workers":1,"direction":"auto","determinism":"strict","schedule":"auto","order":"none"},"output":"csv"}`}},
	)
	runs = append(runs,
		faultRun{name: "run with a trace", args: []string{"run", "traced.yaml"}, made: []string{"t.jsonl"}},
		faultRun{name: "why", args: []string{"why", "t.jsonl", "--vertex=3"}},
		faultRun{name: "view", args: []string{"view", "t.jsonl", "-o", "t.html"}, files: map[string]string{"t.html": "old"}, made: []string{"t.html"}},
		faultRun{name: "run with checkpoints", args: []string{"run", "kept.yaml"}, files: map[string]string{"ranks.csv": "old"}, made: []string{"ranks.csv"},
			folder: "kept", again: []string{"run", "kept.yaml", "--resume"}},
		faultRun{name: "run that is gone on with", args: []string{"run", "stopped.yaml", "--resume"}, files: map[string]string{"ranks.csv": "old"}, made: []string{"ranks.csv"},
			folder: "stopped", again: []string{"run", "stopped.yaml", "--resume"}},
	)
	for _, out := range []string{"h.txt", "h.csv.gz", "h.tsv.zst", "h.pgr", "h.mtx", "h.wsg", "h.gr"} {
		runs = append(runs, faultRun{name: "convert to " + out, args: []string{"convert", "g.txt", out, "--allow-loss"}, files: map[string]string{out: "old"}, made: []string{out}})
	}
	runs = append(runs, faultRun{name: "convert to several files", args: []string{"convert", "g.txt", "h.properties"}, made: []string{"h.properties", "h.e", "h.v"}})
	return setup, runs
}

// Operations on files of every run fail once, in turn (faultsEnv); and every write is
// short once, and the disk full from there on. Then the command says so, with the
// file, or does what it should all the same; files are as they were or as they
// should be, whole; nothing else is left: no temporary file, descriptor, goroutine.
func TestFileFaults(t *testing.T) {
	if race.On || testing.Short() {
		t.Skip("the process under the tracer is slow")
	}
	dir := t.TempDir()
	var out bytes.Buffer
	c := exec.Command(os.Args[0], "-test.run=^TestFaultyFiles$", "-test.v", "-test.timeout=15m")
	c.Env = append(os.Environ(), faultEnv+"="+dir, "GOGC=off")
	c.Stdout, c.Stderr = &out, &out
	tracer := &tracer{root: dir}
	status, err := tracer.run(c)
	if err != nil && strings.HasPrefix(err.Error(), "ptrace") {
		t.Skip("processes may not be traced here: ", err)
	}
	if err != nil || status != 0 {
		t.Fatalf("status %d, %v\n%s", status, err, &out)
	}
	for _, op := range []string{"open", "read", "write", "sync", "rename", "close", "stat", "map"} {
		if tracer.ops[op] == 0 && os.Getenv(faultsEnv) == "all" {
			t.Errorf("no %s has failed", op)
		}
	}
	if sum(tracer.ops) < 100 {
		t.Errorf("%d operations have failed, want 100 at the least", sum(tracer.ops))
	}
	t.Logf("%d faults: %v\n%s", sum(tracer.ops), tracer.ops, &out)
}

func sum(counts map[string]int) (n int) {
	for _, k := range counts {
		n += k
	}
	return n
}

// TestFaultyFiles is the traced process of TestFileFaults.
func TestFaultyFiles(t *testing.T) {
	dir := os.Getenv(faultEnv)
	if dir == "" {
		t.Skip("part of TestFileFaults")
	}
	t.Chdir(dir)
	f := faulty{T: t, dir: dir, step: 5, whole: faultFiles}
	if os.Getenv(faultsEnv) == "all" {
		f.step = 1
	}
	setup, runs := faultRuns()
	f.reset(nil)
	for _, args := range setup {
		if code, said := f.command(args); code != exitOK && code != exitLimit {
			t.Fatalf("%v: %d\n%s", args, code, said)
		}
	}
	f.whole = f.content()
	for _, r := range runs {
		f.each(r)
	}
}

type faulty struct {
	*testing.T
	dir   string
	whole map[string]string // files that all runs find
	step  int               // every so many-th operation fails
}

// faultTimes are what two traces of a run have not in common.
var faultTimes = regexp.MustCompile(`("nanoseconds":|"barrier":|"workers":\[|"started":"2)[^\]},"]+`)

// content reads the folder, and those in it.
func (f *faulty) content() map[string]string {
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(f.dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(filepath.Join(f.dir, name))
		if all[name] = string(b); strings.HasSuffix(name, ".jsonl") {
			all[name] = faultTimes.ReplaceAllString(all[name], `${1}1`)
		}
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	return all
}

// reset puts the folder in the state before a run.
func (f *faulty) reset(files map[string]string) {
	want := maps.Clone(f.whole)
	maps.Copy(want, files)
	got := f.content()
	for name := range got {
		if _, ok := want[name]; !ok {
			os.Remove(filepath.Join(f.dir, name))
		}
	}
	for name, text := range want {
		if got[name] != text || text == "" {
			path := filepath.Join(f.dir, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
				f.Fatal(err)
			}
		}
	}
}

// command runs pregel in this process, with paths in full, as the tracer sees them.
func (f *faulty) command(args []string) (code int, said string) {
	var errs bytes.Buffer
	full := []string{args[0]}
	for _, a := range args[1:] {
		if !strings.HasPrefix(a, "-") && a != "karate" {
			a = filepath.Join(f.dir, a)
		}
		full = append(full, a)
	}
	a := &app{in: strings.NewReader(""), out: &bytes.Buffer{}, err: &errs, programs: programs.All(), grace: time.Hour, exit: os.Exit}
	return a.execute(context.Background(), full), errs.String()
}

// each runs r without a fault, and then with one more each time.
func (f *faulty) each(r faultRun) {
	f.reset(r.files)
	if code, said := f.command(r.args); code != 0 {
		f.Fatalf("%s: %d\n%s", r.name, code, said)
	}
	want := f.content()
	for _, kind := range []string{"error", "short"} {
		step, n := f.step, 1+rand.IntN(f.step)
		if kind == "short" { // there are few writes
			step, n = 1, 1
		}
		first := n
		for ; f.one(r, kind, n, want); n += step {
			if n > 2000 {
				f.Fatalf("%s: no end", r.name)
			}
		}
		f.Logf("%s: kind %s, each %d from %d on, none from %d on", r.name, kind, step, first, n)
	}
}

var faultWords = regexp.MustCompile(`input/output error|no space left on device|operation not permitted|cannot allocate memory`)

// one runs r with its n-th operation failing; false when there is none.
func (f *faulty) one(r faultRun, kind string, n int, want map[string]string) bool {
	f.reset(r.files)
	goroutines := runtime.NumGoroutine()
	_, _ = os.Lstat(fmt.Sprintf("/fault/begin/%s/%d", kind, n))
	code, said := f.command(r.args)
	_, err := os.Lstat("/fault/end")
	if !errors.Is(err, fs.ErrExist) {
		return false
	}
	what := fmt.Sprintf("%s, %s %d: exit code %d\n%s", r.name, kind, n, code, said)
	got := f.content()
	switch {
	case code == 0:
		for _, name := range r.made {
			if got[name] != want[name] {
				f.Errorf("%s\n%s is not what it should be", what, name)
			}
		}
	case !faultWords.MatchString(said) || !slices.ContainsFunc(slices.Collect(maps.Keys(want)), func(name string) bool {
		return strings.Contains(said, name) || r.folder != "" && strings.Contains(said, r.folder)
	}):
		f.Errorf("%s\nwant the fault, and the file", what)
	}
	before := maps.Clone(f.whole)
	maps.Copy(before, r.files)
	for name, text := range got {
		old, was := before[name]
		switch {
		case strings.HasPrefix(filepath.Base(name), ".pregel-") || strings.HasSuffix(name, ".tmp"):
			f.Errorf("%s\na temporary file is left", what)
		case r.owns(name):
		case (!was || text != old) && text != want[name]:
			f.Errorf("%s\n%s is neither as it was nor as it should be: %.60q", what, name, text)
		}
	}
	for name := range before {
		if _, ok := got[name]; !ok && !r.owns(name) {
			f.Errorf("%s\n%s is gone", what, name)
		}
	}
	f.leaks(what, goroutines)
	if code != 0 && r.again != nil {
		f.repeat(r, what, want)
	}
	return true
}

// repeat does again what a fault has ended: it goes on from what is left.
func (f *faulty) repeat(r faultRun, what string, want map[string]string) {
	if code, said := f.command(r.again); code != 0 {
		f.Errorf("%s\nthen %v: exit code %d\n%s", what, r.again, code, said)
	}
	if got := f.content(); !maps.Equal(got, want) {
		f.Errorf("%s\nthen %v: the files are not what they should be", what, r.again)
	}
}

// leaks finds descriptors of files in the folder, and goroutines, which may take a
// while to end.
func (f *faulty) leaks(what string, goroutines int) {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range entries {
		if path, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && strings.HasPrefix(path, f.dir) {
			f.Errorf("%s\n%s is still open", what, path)
		}
	}
	for deadline := time.Now().Add(waitMost); runtime.NumGoroutine() > goroutines; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<16)
			f.Fatalf("%s\n%d goroutines, before it %d\n%s", what, runtime.NumGoroutine(), goroutines, stacks[:runtime.Stack(stacks, true)])
		}
	}
}
