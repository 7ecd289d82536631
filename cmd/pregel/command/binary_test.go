package command

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// A checkpoint is that of the binary that has written it, where no commit says which
// that was: another one, of a byte more, does not go on from it, and says why.
func TestOtherBinary(t *testing.T) {
	dir := t.TempDir()
	built, err := exec.LookPath("built")
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(built)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, filepath.Base(built))
	if err := os.WriteFile(other, append(content, 0), 0o755); err != nil {
		t.Fatal(err)
	}
	mustWrite(filepath.Join(dir, "job.yaml"), []byte("program: pagerank\ngraph: {generate: {kind: karate}}\nengine: {device: cpu, determinism: strict}\ncheckpoint: {dir: state, every: 1}\n"))
	run := func(name string, code int, args ...string) []byte {
		c := exec.Command(name, append([]string{"run", "job.yaml", "--quiet"}, args...)...)
		c.Dir = dir
		out, _ := c.CombinedOutput()
		if got := c.ProcessState.ExitCode(); got != code {
			t.Fatalf("%s %v: exit code %d, want %d\n%s", name, args, got, code, out)
		}
		return out
	}
	run(built, exitLimit, "--set", "params.max_supersteps=3")
	said := run(other, exitInput, "--resume")
	if !regexp.MustCompile(`is of another run: binary was sha256 [0-9a-f]{32} then, is sha256 [0-9a-f]{32} now\n$`).Match(said) {
		t.Errorf("another binary says %s", said)
	}
	if left, err := os.ReadDir(filepath.Join(dir, "state")); err != nil || len(left) == 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	if said := run(built, exitOK, "--resume"); bytes.Contains(said, []byte("warning")) {
		t.Errorf("the binary itself says %s", said)
	}
}
