//go:build cuda

package driver

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The tests of sequences hold with a driver that does what it is asked at once, on the
// host, and ends the process where a graph outlasts what it names (testdata/fakecuda.c);
// where it refuses to change a graph's arguments, too.
func TestSequencesOnFake(t *testing.T) {
	library := fake(t)
	for _, fail := range []string{"", "1", "2", "5"} {
		run := "^TestSequence([A-Z].*|s)$"
		if fail != "" {
			run = "^TestSequences$" // the others count graphs
		}
		onFake(t, library, run, "FAKE_FAIL="+fail)
	}
}

// So do those of copies through pinned memory.
func TestCopiesOnFake(t *testing.T) {
	onFake(t, fake(t), "^TestWrite", "")
}

// onFake has another process of these tests run some, none of which may skip.
func onFake(t *testing.T, library, run, variable string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, "-test.run", run, "-test.v")
	c.Env = append(os.Environ(), "LD_PRELOAD="+library, variable)
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS") || strings.Contains(string(out), "--- SKIP") {
		t.Errorf("%s %s: %v\n%s", run, variable, err, out)
	}
}

// fake compiles the library, with the header that this binary was made with: CGO_CFLAGS
// is that of .ci/cuda.
func fake(t *testing.T) string {
	t.Helper()
	library := filepath.Join(t.TempDir(), "libfakecuda.so")
	out, err := exec.Command("sh", "-c", `eval "${CC:-cc} -shared -fPIC -w $CGO_CFLAGS -o '$0' testdata/fakecuda.c"`, library).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return library
}
