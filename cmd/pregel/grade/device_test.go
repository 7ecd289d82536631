//go:build cuda || emulate

package grade_test

import (
	"os"
	"path/filepath"
	"testing"

	"gopregel/cmd/pregel/grade"
	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/runtime/cuda"
)

// TestDeviceKernel grades reach.cu as it is delivered and its solution on a device.
func TestDeviceKernel(t *testing.T) {
	e, err := cuda.Open(cuda.Options{Cache: os.Getenv("GOPREGEL_KERNELS")})
	if err != nil {
		t.Skip(err)
	}
	defer e.Close()
	open := func(*job.Job) (pregel.Engine, func(), error) { return e, func() {}, nil }
	for _, c := range []struct {
		solution bool
		misses   string
	}{{false, "answer"}, {true, ""}} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS("../../../docs")); err != nil {
			t.Fatal(err)
		}
		if c.solution {
			if err := os.Rename(filepath.Join(dir, "4-gpu/testdata/solution/reach.cu"), filepath.Join(dir, "4-gpu/reach.cu")); err != nil {
				t.Fatal(err)
			}
		}
		r, err := grade.Run(t.Context(), grade.Options{Names: []string{"reach"}, Folder: dir, Seed: 1, Open: open})
		if err != nil {
			t.Fatal(err)
		}
		found := r.Exercises[0]
		if criterion, miss := missed(found); criterion != c.misses || found.LeftOut != "" || found.Of != 10 || (found.Points == 10) != c.solution {
			t.Errorf("solution %v: it misses %q, want %q: %+v\n%+v", c.solution, criterion, c.misses, miss, found)
		}
	}
}
