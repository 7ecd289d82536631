//go:build unix

package command

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"gopregel/pregel/pregeltest/race"
)

// mortal are jobs of several phases, and of a run in place, by program.
var mortal = map[string]string{
	"mst":  "graph: {generate: {kind: kronecker, scale: 12}, weights: splitmix64}\n",
	"scc":  "graph: {generate: {kind: grid, rows: 120, cols: 120, orient: mixed}}\n",
	"wcc":  "graph: {generate: {kind: uniform, scale: 12, edge_factor: 4}}\n",
	"lcc":  "graph: {generate: {kind: kronecker, scale: 11}}\n",
	"sssp": "graph: {generate: {kind: grid, rows: 30, cols: 30}, weights: splitmix64}\nparams: {source: 0}\n",
}

// Processes of the command are killed at random moments, again and again; each goes on
// from what the one before has left, and the answer is that of one that nobody has
// killed, to the last byte.
func TestKilledCommand(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 5))
	most := 5
	if testing.Short() || race.On {
		most = 2
	}
	for program, text := range mortal {
		dir := t.TempDir()
		mustWrite(filepath.Join(dir, "job.yaml"), []byte("program: "+program+"\n"+text+"engine: {device: cpu, workers: 2}\n"))
		begin := time.Now()
		if killed, err := mortalRun(dir, never, "--output", "whole.csv"); killed || err != nil {
			t.Fatalf("%s: %v", program, err)
		}
		took := time.Since(begin)
		kills := 0
		for kills < most {
			n := untilDone(t, r, dir, took)
			kills += n
			if t.Failed() {
				return
			}
		}
		t.Logf("%s: %d kills, %v", program, kills, time.Since(begin))
	}
}

// untilDone kills one process after the other, until one has come to its end. Each is
// left more time than the one before: where files are slow, checkpoints take longer
// than the run without them took.
func untilDone(t *testing.T, r *rand.Rand, dir string, took time.Duration) (kills int) {
	t.Helper()
	every := fmt.Sprintf("checkpoint.every=%s", []string{"1", "7", "1ms", "5ms"}[r.IntN(4)])
	for {
		after := time.Duration(r.Int64N(int64(2 * took)))
		killed, err := mortalRun(dir, func(_ context.Context, kill func()) { time.AfterFunc(after, kill) }, append(goOn, "--set", every)...)
		switch {
		case err != nil:
			t.Fatal(err)
		case killed:
			kills++
			took += took / 4
			continue
		}
		done(t, dir, kills)
		return kills
	}
}

var goOn = []string{"--output", "answer.csv", "--resume", "--set", "checkpoint.dir=state"}

// done holds that the answer is that of who was not killed, and that nothing is left.
func done(t *testing.T, dir string, kills int) {
	t.Helper()
	whole, err := os.ReadFile(filepath.Join(dir, "whole.csv"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := os.ReadFile(filepath.Join(dir, "answer.csv"))
	if err != nil || !bytes.Equal(answer, whole) {
		t.Errorf("%s: after %d kills another answer, %v", dir, kills, err)
	}
	if left, err := os.ReadDir(filepath.Join(dir, "state")); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// onDevice are jobs whose state is that of a device's memory, by program, with what
// keeps them from being over at once.
var onDevice = map[string]string{
	"pagerank": "graph: {generate: {kind: kronecker, scale: 12}}\nparams: {iterations: 60}\n",
	"bfs":      "graph: {generate: {kind: grid, rows: 4, cols: 3000}}\nparams: {source: 0}\n",
	"sssp":     "graph: {generate: {kind: grid, rows: 4, cols: 3000}, weights: splitmix64}\nparams: {source: 0}\n",
	"wcc":      "graph: {generate: {kind: grid, rows: 4, cols: 1000}}\n",
	"mst":      "graph: {generate: {kind: kronecker, scale: 12}, weights: splitmix64}\n",
	"scc":      "graph: {generate: {kind: grid, rows: 600, cols: 600, orient: mixed}}\n",
}

// Processes are killed, each at a random moment after it has kept a checkpoint of what
// is in a device's memory; the next goes on from that file, and the answer is the same.
func TestKilledOnDevice(t *testing.T) {
	if out, err := exec.Command("built", "devices").CombinedOutput(); err != nil {
		t.Skipf("no CUDA device: %s", out)
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 6))
	total := 0
	for program, text := range onDevice {
		dir := t.TempDir()
		mustWrite(filepath.Join(dir, "job.yaml"), []byte("program: "+program+"\n"+text+"engine: {device: cuda, determinism: strict}\n"))
		if killed, err := mortalRun(dir, never, "--output", "whole.csv"); killed || err != nil {
			t.Fatalf("%s: %v", program, err)
		}
		kills := 0
		for range 4 {
			killed, err := mortalRun(dir, whenKept(dir, time.Duration(r.Int64N(int64(5*time.Millisecond)))), append(goOn, "--set", "checkpoint.every=1")...)
			if err != nil {
				t.Fatal(program, err)
			}
			if !killed {
				break
			}
			kills++
		}
		if _, err := mortalRun(dir, never, append(goOn, "--set", "checkpoint.every=1")...); err != nil {
			t.Fatal(program, err)
		}
		done(t, dir, kills)
		t.Logf("%s: %d kills", program, kills)
		total += kills
	}
	if total < len(onDevice) {
		t.Errorf("%d kills, want one for each program on an average", total)
	}
}

// whenKept kills a while after there is a checkpoint that was not there before.
func whenKept(dir string, after time.Duration) killer {
	kept := func() string {
		names, _ := filepath.Glob(filepath.Join(dir, "state", "*.checkpoint"))
		return fmt.Sprint(names)
	}
	return func(ctx context.Context, kill func()) {
		for before := kept(); ctx.Err() == nil; time.Sleep(time.Millisecond) {
			if now := kept(); now != before && now != "[]" {
				time.AfterFunc(after, kill)
				return
			}
		}
	}
}

// A killer may kill a process, which is there until ctx ends.
type killer func(ctx context.Context, kill func())

// never kills nobody.
func never(context.Context, func()) {}

// mortalRun runs the job of a folder.
func mortalRun(dir string, by killer, args ...string) (killed bool, err error) {
	c := exec.Command("built", append([]string{"run", "job.yaml", "--quiet"}, args...)...)
	var text bytes.Buffer
	c.Dir, c.Stderr = dir, &text
	if err := c.Start(); err != nil {
		return false, err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go by(ctx, func() { _ = c.Process.Kill() })
	err = c.Wait()
	status, ok := c.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() && status.Signal() == syscall.SIGKILL {
		return true, nil
	}
	if err != nil || text.Len() > 0 {
		return false, fmt.Errorf("%w: %s", err, &text)
	}
	return false, nil
}
