//go:build unix

package command

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
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
	if testing.Short() || raceDetector {
		most = 2
	}
	for program, text := range mortal {
		dir := t.TempDir()
		mustWrite(filepath.Join(dir, "job.yaml"), []byte("program: "+program+"\n"+text+"engine: {device: cpu, workers: 2}\n"))
		begin := time.Now()
		if killed, err := mortalRun(dir, time.Hour, "--output", "whole.csv"); killed || err != nil {
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
		killed, err := mortalRun(dir, time.Duration(r.Int64N(int64(2*took))), "--output", "answer.csv", "--resume", "--set", "checkpoint.dir=state", "--set", every)
		switch {
		case err != nil:
			t.Fatal(err)
		case killed:
			kills++
			took += took / 4
			continue
		}
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
		return kills
	}
}

// mortalRun runs the job of a folder, and kills the process after a while.
func mortalRun(dir string, after time.Duration, args ...string) (killed bool, err error) {
	c := exec.Command("built", append([]string{"run", "job.yaml", "--quiet"}, args...)...)
	var text bytes.Buffer
	c.Dir, c.Stderr = dir, &text
	if err := c.Start(); err != nil {
		return false, err
	}
	timer := time.AfterFunc(after, func() { _ = c.Process.Kill() })
	err = c.Wait()
	timer.Stop()
	status, ok := c.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() && status.Signal() == syscall.SIGKILL {
		return true, nil
	}
	if err != nil || text.Len() > 0 {
		return false, fmt.Errorf("%w: %s", err, &text)
	}
	return false, nil
}
