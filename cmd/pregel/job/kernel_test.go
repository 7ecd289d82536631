package job_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/runtime/cuda"
)

const kernelSource = `
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = v.id == p.source; return Value{0, v.id}; }
__device__ Message emit(Vertex v, Value x, const Params &p) { return v.id; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) { awake = false; return x; }
`

const kernelJob = `
program:
  kernel: k/tree.cu
  value: {depth: uint32, parent: vertex}
  message: vertex
  combine: min
  edge: source_id
  silent: true
  params: {source: vertex, k: int, x: float, b: bool}
graph: {path: g.txt}
params: {source: 7, k: -3, x: 0.5, b: true, max_supersteps: 9}
`

func writeKernel(t *testing.T, text, source string) (path string) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "job.yaml")
	if err := os.Mkdir(filepath.Join(dir, "k"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{path: text, filepath.Join(dir, "k", "tree.cu"): source} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func TestKernel(t *testing.T) {
	t.Parallel()
	path := writeKernel(t, kernelJob, kernelSource)
	j, err := job.Read(path, nil, job.Options{Programs: list()})
	if err != nil {
		t.Fatal(err)
	}
	want := &cuda.KernelProgram{
		Name: "tree.cu", Source: kernelSource, Value: "depth:uint32,parent:vertex", Message: "vertex", Combine: "min", Edge: "source_id",
		Along: "out", Silent: true, Params: []cuda.Param{
			{Name: "source", Type: "vertex", Value: pregel.ID("7")}, {Name: "k", Type: "int", Value: int64(-3)},
			{Name: "x", Type: "float", Value: 0.5}, {Name: "b", Type: "bool", Value: true},
		},
	}
	if diff := cmp.Diff(want, j.Algorithm); diff != "" {
		t.Error(diff)
	}
	fresh, err := j.Fresh()
	if diff := cmp.Diff(want, fresh); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if j.Program != "tree" || j.Engine.Device != "cuda" || j.MaxSupersteps != 9 || j.KernelPath() != filepath.Join(filepath.Dir(path), "k", "tree.cu") {
		t.Errorf("%q on %s, %d supersteps, %s", j.Program, j.Engine.Device, j.MaxSupersteps, j.KernelPath())
	}
	if got := j.ParamsText(); got != "source=7 k=-3 x=0.5 b=true max_supersteps=9" {
		t.Error(got)
	}
}

// What is wrong with the source has the place of the program in the job.
func TestKernelSource(t *testing.T) {
	t.Parallel()
	path := writeKernel(t, kernelJob, strings.Replace(kernelSource, " emit(", " emits(", 1))
	_, err := job.Read(path, nil, job.Options{Programs: list()})
	if err == nil || !strings.HasPrefix(err.Error(), path+":3:3: program: ") || !strings.Contains(err.Error(), "emit") {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(filepath.Dir(path), "k", "tree.cu")); err != nil {
		t.Fatal(err)
	}
	_, err = job.Read(path, nil, job.Options{Programs: list()})
	if err == nil || !strings.HasPrefix(err.Error(), path+":3:11: program.kernel: ") {
		t.Error(err)
	}
}
