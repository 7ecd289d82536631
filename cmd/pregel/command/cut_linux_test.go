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
)

// A graph file that is cut while a job reads it ends the job with an error that names
// it, at whatever moment, or the job was through with it; nothing crashes, and nothing is
// left of an answer.
func TestCutGraph(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 6))
	dir := t.TempDir()
	if out, err := builtIn(dir, "gen", "kronecker", "--scale", "14", "--directed=true", "-o", "g.pgr").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "g.pgr"))
	if err != nil {
		t.Fatal(err)
	}
	times := 24
	if testing.Short() {
		times = 6
	}
	named := 0
	for i := range times {
		program := []string{"mst", "scc", "wcc", "lcc", "sssp", "pagerank"}[i%6]
		params := map[string]string{"sssp": "params: {source: 0}\n", "pagerank": "params: {iterations: 1000}\n"}[program]
		name := fmt.Sprintf("g%d.pgr", i)
		mustWrite(filepath.Join(dir, name), whole)
		mustWrite(filepath.Join(dir, "job.yaml"), fmt.Appendf(nil, "program: %s\n%sgraph: {path: %s}\nengine: {device: cpu, workers: 2}\n", program, params, name))
		c := builtIn(dir, "run", "job.yaml", "--quiet", "--output", "answer.csv")
		var text bytes.Buffer
		c.Stderr = &text
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.IntN(90)) * time.Millisecond)
		if err := os.Truncate(filepath.Join(dir, name), 4096); err != nil {
			t.Fatal(err)
		}
		code := exitCode(t, c)
		found := regexp.MustCompile(`^pregel: .*g\d+\.pgr: (byte \d+ of \d+ cannot be read any more: it was cut to 4096 bytes while it was in use|.*4096.*)\n$`).Match(text.Bytes())
		if code == exitError && found {
			named++
		}
		_, missing := os.Stat(filepath.Join(dir, "answer.csv"))
		switch {
		case code == exitOK && text.Len() == 0 && missing == nil:
		case (code == exitError || code == exitInput) && found && missing != nil:
		default:
			t.Errorf("%s: exit code %d, answer %v: %s", program, code, missing, &text)
		}
		_ = os.Remove(filepath.Join(dir, "answer.csv"))
		if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
			t.Errorf("%s: left are %v", program, left)
		}
	}
	t.Logf("cut while it was in use: %d of %d", named, times)
	if named == 0 && !testing.Short() {
		t.Error("no file was cut while it was in use")
	}
}

// builtIn is the command with the built-in programs, in a folder.
func builtIn(dir string, args ...string) *exec.Cmd {
	c := exec.Command("built", args...)
	c.Dir = dir
	return c
}
