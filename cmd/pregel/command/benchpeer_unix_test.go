//go:build unix

package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// What is written for another system's programs is taken away when the call is interrupted.
func TestPeerInputIsRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "suite/benchmarks/StronglyConnectedComponents/RandomGreedyBGSS16/StronglyConnectedComponents_main")
	for _, folder := range []string{filepath.Dir(program), filepath.Join(dir, "tmp")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(program, []byte("#!/bin/sh\nfor file; do :; done\ncp \"$file\" begun\nexec sleep 600\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	mustWrite(filepath.Join(dir, "g.txt"), []byte("0 1\n1 0\n"))
	c := exec.Command("built", "bench", "gbbs", "g.txt", "--dir", "suite", "--programs", "scc")
	c.Dir, c.Env = dir, append(os.Environ(), "TMPDIR="+filepath.Join(dir, "tmp"))
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	waitFor(t, func() bool {
		text, err := os.ReadFile(filepath.Join(dir, "begun"))
		return err == nil && string(text) == "AdjacencyGraph\n2\n2\n0\n1\n1\n0\n"
	})
	if got := folder(t, filepath.Join(dir, "tmp")); got == "" {
		t.Error("nothing is in the folder for temporary files while theirs runs")
	}
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if got := exitCode(t, c); got != exitInterrupted {
		t.Errorf("exit code %d, want %d", got, exitInterrupted)
	}
	if got := folder(t, filepath.Join(dir, "tmp")); got != "" {
		t.Errorf("left behind: %s", got)
	}
}
