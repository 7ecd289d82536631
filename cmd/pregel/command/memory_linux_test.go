package command

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"gopregel/pregel/pregeltest/race"
)

// cutError is the error of a graph file that was cut to a page while it was read, or
// before.
var cutError = regexp.MustCompile(`^pregel: .*g\d*\.pgr: (byte \d+ of \d+ cannot be read any more: it was cut to 4096 bytes while it was in use|.*4096.*)\n$`)

// cuts is a job that runs until its graph file is cut.
type cuts struct {
	dir   string
	child *exec.Cmd
	text  bytes.Buffer
}

// begin starts a job of a program on a graph file of its own.
func (c *cuts) begin(t *testing.T, whole []byte, program string, more string) {
	t.Helper()
	c.dir = t.TempDir()
	mustWrite(filepath.Join(c.dir, "g.pgr"), whole)
	params := map[string]string{"sssp": "params: {source: 0}\n", "pagerank": "params: {iterations: 1000000}\n"}[program]
	mustWrite(filepath.Join(c.dir, "job.yaml"), []byte("program: "+program+"\ngraph: {path: g.pgr}\nengine: {device: cpu, workers: 2}\n"+params+more))
	c.child = builtIn(c.dir, "run", "job.yaml", "--quiet", "--output", "answer.csv")
	c.child.Stderr = &c.text
	if err := c.child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.child.Process.Kill() })
}

// end cuts the file; either the job was through with it, or that is an error, and
// nothing is left of an answer.
func (c *cuts) end(t *testing.T) (code int) {
	t.Helper()
	if err := os.Truncate(filepath.Join(c.dir, "g.pgr"), 4096); err != nil {
		t.Fatal(err)
	}
	code = exitCode(t, c.child)
	_, missing := os.Stat(filepath.Join(c.dir, "answer.csv"))
	switch {
	case code == exitOK && c.text.Len() == 0 && missing == nil:
	case (code == exitError || code == exitInput) && cutError.Match(c.text.Bytes()) && missing != nil:
	default:
		t.Errorf("exit code %d, answer %v: %s", code, missing, &c.text)
	}
	if left, _ := filepath.Glob(filepath.Join(c.dir, ".*")); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
	return code
}

func graphFile(t *testing.T) []byte {
	t.Helper()
	dir := t.TempDir()
	if out, err := builtIn(dir, "gen", "kronecker", "--scale", "14", "--directed=true", "-o", "g.pgr").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "g.pgr"))
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

// A graph file that is cut while a program reads it ends the job with an error that names
// program, superstep and file.
func TestCutGraph(t *testing.T) {
	t.Parallel()
	var c cuts
	c.begin(t, graphFile(t), "pagerank", "checkpoint: {dir: state, every: 1}\n")
	waitFor(t, func() bool {
		list, err := filepath.Glob(filepath.Join(c.dir, "state", "*.checkpoint"))
		return err == nil && len(list) > 0
	})
	if code := c.end(t); code != exitError || !regexp.MustCompile(`^pregel: program pagerank, superstep \d+: .*g.pgr: byte`).Match(c.text.Bytes()) {
		t.Errorf("exit code %d: %s", code, &c.text)
	}
}

// One that is cut at whatever moment, while it is opened or an answer is written, crashes
// nothing.
func TestCutGraphAnyTime(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 6))
	whole := graphFile(t)
	times, codes := 24, map[int]int{}
	if testing.Short() || race.On {
		times = 6
	}
	for i := range times {
		var c cuts
		c.begin(t, whole, []string{"mst", "scc", "wcc", "lcc", "sssp", "cdlp"}[i%6], "")
		time.Sleep(time.Duration(r.IntN(90)) * time.Millisecond)
		codes[c.end(t)]++
	}
	t.Logf("exit codes: %v", codes)
}

// A vertex that sends without end is named where there is no limit but the machine's.
func TestSendsWithoutEnd(t *testing.T) {
	t.Parallel()
	if race.On {
		t.Log("the race detector takes all addresses there are")
		return
	}
	dir := t.TempDir()
	mustWrite(filepath.Join(dir, "job.yaml"), []byte("program: flood\ngraph: {generate: {kind: star, n: 100}}\nengine: {device: cpu}\n"))
	child := exec.Command("sh", "-c", "ulimit -v 3000000 && exec pregel run job.yaml --quiet")
	child.Dir = dir
	text, _ := child.CombinedOutput()
	want := regexp.MustCompile(`^pregel: program flood, superstep 1, vertex 7: too much memory: the process holds .* MiB, its range's \d+ messages and more would take .* MiB more, and the limit is .* MiB\n$`)
	if child.ProcessState.ExitCode() != exitInput || !want.Match(text) {
		t.Errorf("%v: %s", child.ProcessState, text)
	}
}

// builtIn is the command with the built-in programs, in a folder.
func builtIn(dir string, args ...string) *exec.Cmd {
	c := exec.Command("built", args...)
	c.Dir = dir
	return c
}

// A job that the addresses of its process do not suffice for is refused by the plan: the
// runtime would end the process. One that they suffice for runs.
func TestFewAddresses(t *testing.T) {
	t.Parallel()
	if race.On {
		t.Log("the race detector takes all addresses there are")
		return
	}
	dir := t.TempDir()
	for _, c := range []struct {
		scale, limit int // KiB
		code         int
		want         string
	}{
		{25, 6_000_000, exitInput, `^pregel: job.yaml:2:8: graph: too little memory on the host: .* are needed, .* are free \(the limit of the address space, ulimit -v\); see pregel plan\n$`},
		{10, 6_000_000, exitOK, "^$"},
	} {
		mustWrite(filepath.Join(dir, "job.yaml"), fmt.Appendf(nil, "program: mst\ngraph: {generate: {kind: kronecker, scale: %d}, weights: splitmix64}\nengine: {device: cpu}\n", c.scale))
		child := exec.Command("sh", "-c", fmt.Sprintf("ulimit -v %d && exec built run job.yaml --quiet", c.limit))
		var text bytes.Buffer
		child.Dir, child.Stderr = dir, &text
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		if code := exitCode(t, child); code != c.code || !regexp.MustCompile(c.want).Match(text.Bytes()) {
			t.Errorf("scale %d: exit code %d: %s", c.scale, code, &text)
		}
	}
}
