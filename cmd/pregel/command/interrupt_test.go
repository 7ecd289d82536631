//go:build unix

package command

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// endless is a job that runs until it is stopped; begun.flag appears when it
// runs.
const endless = `
program: wander
graph: {generate: {kind: grid, rows: 50, cols: 50}}
params: {max_supersteps: 0, begun: begun.flag}
output: {path: answer.csv}
`

// begin starts pregel in a folder of its own and waits until the job runs.
func begin(t *testing.T, args ...string) (c *exec.Cmd, dir string, stdout, stderr *bytes.Buffer) {
	t.Helper()
	dir = t.TempDir()
	mustWrite(filepath.Join(dir, "job.yaml"), []byte(endless))
	c = exec.Command("pregel", args...)
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	c.Dir, c.Stdout, c.Stderr = dir, stdout, stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	waitFor(t, func() bool {
		_, err := os.Stat(filepath.Join(dir, "begun.flag"))
		return err == nil
	})
	return c, dir, stdout, stderr
}

// waitMost is what a process is left to come to where a test wants it, which takes
// tenths of a second: processors may be busy with others for far longer.
const waitMost = 3 * time.Minute

func waitFor(t *testing.T, ready func() bool) {
	t.Helper()
	for deadline := time.Now().Add(waitMost); !ready(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("nothing has happened in %v", waitMost)
		}
	}
}

func exitCode(t *testing.T, c *exec.Cmd) int {
	t.Helper()
	var failed *exec.ExitError
	if err := c.Wait(); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode()
}

func folder(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// An interrupt ends the run at a barrier: exit code 130, a summary that says
// so, and no answer.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
		c, dir, stdout, stderr := begin(t, "run", "job.yaml")
		if err := c.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if got := exitCode(t, c); got != exitInterrupted {
			t.Errorf("%v: exit code %d", signal, got)
		}
		if got := folder(t, dir); got != "begun.flag job.yaml" {
			t.Errorf("%v: the folder has %s", signal, got)
		}
		if text := stdout.String(); !strings.Contains(text, "stop     cancelled after ") || !strings.Contains(text, "output   none is written") {
			t.Errorf("%v: summary\n%s", signal, text)
		}
		if text := stderr.String(); !strings.HasPrefix(text, "pregel: interrupted after ") || !strings.HasSuffix(text, "; no answer is written\n") {
			t.Errorf("%v: message %q", signal, text)
		}
	}
}

func TestInterruptJSON(t *testing.T) {
	t.Parallel()
	c, _, stdout, _ := begin(t, "run", "job.yaml", "--json")
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if got := exitCode(t, c); got != exitInterrupted {
		t.Errorf("exit code %d", got)
	}
	if text := stdout.String(); !strings.Contains(text, `"reason": "cancelled"`) || !strings.Contains(text, `"output": null`) {
		t.Errorf("summary\n%s", text)
	}
}

// An interrupted run leaves its trace, which says so.
func TestInterruptTrace(t *testing.T) {
	t.Parallel()
	c, dir, stdout, _ := begin(t, "run", "job.yaml", "--set", "trace.path=t.jsonl.gz")
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if got := exitCode(t, c); got != exitInterrupted {
		t.Errorf("exit code %d", got)
	}
	if got := folder(t, dir); got != "begun.flag job.yaml t.jsonl.gz" {
		t.Errorf("the folder has %s", got)
	}
	r, err := readTrace(filepath.Join(dir, "t.jsonl.gz"))
	if err != nil {
		t.Fatalf("%v\n%s", err, stdout)
	}
	if r.Stop.Reason != "cancelled" || len(r.Steps) == 0 || r.Stop.Supersteps != len(r.Steps) {
		t.Errorf("the trace ends with %+v after %d supersteps", r.Stop, len(r.Steps))
	}
}

// A second interrupt ends the process, whatever it waits for: here, that
// somebody writes to the pipe that is to be the graph.
func TestSecondInterrupt(t *testing.T) {
	t.Parallel()
	heeded(t)
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "g.txt"), 0o600); err != nil {
		t.Fatal(err)
	}
	mustWrite(filepath.Join(dir, "job.yaml"), []byte("program: degrees\ngraph: {path: g.txt}\n"))
	c := exec.Command("pregel", "run", "job.yaml")
	c.Dir = dir
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for {
		select {
		case <-ended:
			if status := c.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGINT {
				t.Errorf("ended by %v", c.ProcessState)
			}
			return
		case <-time.After(100 * time.Millisecond):
			_ = c.Process.Signal(os.Interrupt)
		case <-t.Context().Done():
			_ = c.Process.Kill()
		}
	}
}

// heeded has interrupts of processes that are started do what they do by default, also
// where this one was told to ignore them, as what a shell runs in the background is.
func heeded(t *testing.T) {
	if signal.Ignored(os.Interrupt) {
		caught := make(chan os.Signal, 1)
		signal.Notify(caught, os.Interrupt)
		t.Cleanup(func() { signal.Stop(caught) })
	}
}

// An interrupt of a job with checkpoints leaves one of the barrier that it has ended
// at, from which --resume goes on.
func TestInterruptCheckpoint(t *testing.T) {
	t.Parallel()
	c, dir, _, stderr := begin(t, "run", "job.yaml", "--set", "checkpoint.dir=state", "--set", "checkpoint.every=1h")
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if got := exitCode(t, c); got != exitInterrupted {
		t.Errorf("exit code %d", got)
	}
	m := regexp.MustCompile(`^pregel: interrupted after ([0-9 ]+) supersteps?; no answer is written; --resume goes on after ([0-9 ]+) supersteps?, from (state.superstep-(\d+).checkpoint)\n$`).FindStringSubmatch(stderr.String())
	if m == nil || m[1] != m[2] {
		t.Fatalf("message %q", stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, m[3])); err != nil {
		t.Error(err)
	}
	supersteps, err := strconv.Atoi(m[4])
	if err != nil {
		t.Fatal(err)
	}
	again := exec.Command("pregel", "run", "job.yaml", "--set", "checkpoint.dir=state", "--set", fmt.Sprintf("params.max_supersteps=%d", supersteps+7), "--resume", "--json")
	again.Dir = dir
	out, _ := again.Output()
	if got := again.ProcessState.ExitCode(); got != exitLimit {
		t.Errorf("exit code %d", got)
	}
	for _, want := range []string{`"reason": "max-supersteps"`, fmt.Sprintf(`"supersteps": %d`, supersteps+7)} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %s in the summary\n%s", want, out)
		}
	}
}
