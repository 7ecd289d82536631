package diff_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopregel/cmd/pregel/diff"
	"gopregel/pregel"
	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/programs/bfs"
	"gopregel/programs/mst"
	"gopregel/programs/pagerank"
	"gopregel/programs/sssp"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// faulty is an engine that loses what one vertex sends in one superstep.
type faulty struct {
	*cpu.Engine
	vertex    uint32
	superstep int32
}

func (f faulty) Run(ctx context.Context, t pregel.Task, l pregel.Limits) pregel.Stop {
	return f.Engine.Run(ctx, lossy{t.(edges), f}, l)
}

// edges is a task of an edge program that can be traced.
type edges interface {
	pregel.EdgeTask
	pregel.Traced
}

type lossy struct {
	edges
	f faulty
}

func (t lossy) Push(us []uint32, w *pregel.Worker) {
	for _, u := range us {
		if u != t.f.vertex || w.Superstep != t.f.superstep {
			t.edges.Push([]uint32{u}, w)
		}
	}
}

func (t lossy) Forward(us []uint32, w *pregel.Worker) { t.edges.Forward(t.others(us, w), w) }
func (t lossy) Arrive(us []uint32, w *pregel.Worker)  { t.edges.Arrive(t.others(us, w), w) }

// others are those of us that send.
func (t lossy) others(us []uint32, w *pregel.Worker) []uint32 {
	return slices.DeleteFunc(slices.Clone(us), func(u uint32) bool { return u == t.f.vertex && w.Superstep == t.f.superstep })
}

func (t lossy) PushRange(lo, hi uint32, w *pregel.Worker, f pregel.Frontier) {
	if w.Superstep != t.f.superstep || t.f.vertex < lo || t.f.vertex >= hi || !f.Has(t.f.vertex) {
		t.edges.PushRange(lo, hi, w, f)
		return
	}
	set := bitmap.New(t.Graph().N())
	for u := lo; u < hi; u++ {
		if u != t.f.vertex && f.Has(u) {
			set.Set(u)
		}
	}
	t.edges.PushRange(lo, hi, w, pregel.Frontier{Bits: set})
}

func grid(t *testing.T, directed bool) *graph.Graph {
	t.Helper()
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: 40, Cols: 50}, graphgen.Options{Directed: &directed, Weights: graphgen.HashWeights})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func push() *cpu.Engine { return cpu.New(cpu.Options{Workers: 1, Direction: pregel.Push}) }

// In a grid the vertex at row r and column c is reached in superstep r+c-1. The
// one that sends nothing in superstep 30 leaves behind it, alone, the vertex
// that has no other way in: that to its right in the first row.
func TestFaultIsFound(t *testing.T) {
	t.Parallel()
	q := diff.Question{
		Graph: grid(t, true), New: func() (pregel.Algorithm, error) { return &bfs.BFS{Source: "0"}, nil },
		Sides: [2]diff.Side{{Name: "right", Engine: push()}, {Name: "wrong", Engine: faulty{push(), 30, 30}}},
	}
	f, err := diff.Find(t.Context(), q)
	if err != nil || f.Difference == nil {
		t.Fatal(f, err)
	}
	d := f.Difference
	if d.Superstep != 30 || d.Row != 31 || len(d.Cells) != 2 || !d.Cells[0].Differ || d.Cells[0].Values != [2]any{uint32(31), nil} || d.Before[0].Values[0] != nil {
		t.Errorf("%+v", d)
	}
	messages, err := q.Messages(t.Context(), d)
	if err != nil || len(messages) != 1 {
		t.Fatal(messages, err)
	}
	if m := messages[0]; m.Source != 30 || m.Awake != diff.Yes || m.Sent != "30" || m.Values[0].Values[0] != uint32(30) {
		t.Errorf("%+v", m)
	}
}

// The same of distances: the message is distance and weight; neighbours that
// slept are told from those awake.
func TestMessages(t *testing.T) {
	t.Parallel()
	for _, wrong := range []uint32{3, 77, 1999 - 50} {
		q := diff.Question{
			Graph: grid(t, false), New: func() (pregel.Algorithm, error) { return &sssp.SSSP{Source: "0", Method: sssp.BellmanFord}, nil },
			Sides: [2]diff.Side{{Name: "wrong", Engine: faulty{push(), wrong, int32(wrong/50 + wrong%50)}}, {Name: "right", Engine: push()}},
		}
		f, err := diff.Find(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if f.Difference == nil {
			continue // nobody needed the message
		}
		d := f.Difference
		messages, err := q.Messages(t.Context(), d)
		if err != nil || d.Superstep != int(wrong/50+wrong%50) {
			t.Fatal(d, err)
		}
		least := int64(math.MaxInt64)
		for _, m := range messages {
			var sum int64
			if n, _ := fmt.Sscan(m.Sent, &sum); n == 1 {
				least = min(least, sum)
			}
			if m.Source == wrong && m.Awake != diff.Yes {
				t.Errorf("the lost message of %d: %+v", wrong, m)
			}
		}
		if right := d.Cells[0].Values[1]; least != right {
			t.Errorf("least of the messages %d, the right value %v", least, right)
		}
	}
}

func TestAgree(t *testing.T) {
	t.Parallel()
	g := grid(t, false)
	for _, a := range []pregel.Algorithm{&bfs.BFS{Source: "7"}, &mst.MST{}, pagerank.New()} {
		q := diff.Question{Graph: g, New: func() (pregel.Algorithm, error) { return a, nil }, ULPs: 4,
			Sides: [2]diff.Side{{Name: "a", Engine: push()}, {Name: "b", Engine: cpu.New(cpu.Options{Workers: 2})}}}
		q.All = !diff.Lockstep(a, q.Sides[0].Engine, q.Sides[1].Engine)
		f, err := diff.Find(t.Context(), q)
		if err != nil || f.Difference != nil || f.Supersteps == 0 {
			t.Errorf("%T: %+v %v", a, f, err)
		}
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	tiny := math.SmallestNonzeroFloat64
	for _, c := range []struct {
		x, y   float64
		single bool
		want   uint64
	}{
		{1, 1, false, 0}, {1, math.Nextafter(1, 2), false, 1}, {0, math.Copysign(0, -1), false, 0}, {-tiny, tiny, false, 2}, {0, tiny, false, 1},
		{1, float64(math.Nextafter32(1, 2)), true, 1}, {1, float64(math.Nextafter32(1, 2)), false, 1 << 29}, {-1, float64(math.Nextafter32(-1, -2)), true, 1},
		{math.NaN(), math.NaN(), false, 0}, {math.NaN(), 1, false, math.MaxUint64}, {math.MaxFloat64, math.Inf(1), false, 1},
		{math.MaxFloat32, math.Inf(1), true, 1},
	} {
		if got := diff.Distance(c.x, c.y, c.single); got != c.want || diff.Distance(c.y, c.x, c.single) != c.want {
			t.Errorf("%v to %v: %d, want %d", c.x, c.y, got, c.want)
		}
	}
}

// The test that is written compiles, and fails as it should: for a part of the
// graph, and, where only all of it shows the difference, for the whole.
func TestEmit(t *testing.T) {
	t.Parallel()
	path, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "path", N: 5}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]*graph.Graph{"part": grid(t, true), "whole": path} {
		q := diff.Question{
			Graph: g, New: func() (pregel.Algorithm, error) { return &bfs.BFS{Source: "0"}, nil },
			Sides: [2]diff.Side{{Name: "right", Engine: push()}, {Name: "wrong", Engine: faulty{push(), 2, 2}}},
		}
		f, err := diff.Find(t.Context(), q)
		if err != nil || f.Difference == nil {
			t.Fatal(f, err)
		}
		path := filepath.Join(t.TempDir(), "emitted_test.go")
		err = q.Emit(t.Context(), path, f.Difference, diff.Recipe{
			Engines: [2]string{"return cpu.New(cpu.Options{Workers: 1, Direction: pregel.Push})", "return faulty{cpu.New(cpu.Options{Workers: 1, Direction: pregel.Push}), 2, 2}"},
			Named:   []uint32{0}, Command: "pregel diff",
		})
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "RangeIDs(0, 5)") != (name == "whole") || len(text) > 5000 {
			t.Errorf("%s: %s", name, text)
		}
		out := runEmitted(t, path)
		if !strings.Contains(out, "--- FAIL: TestEnginesDiffer") || !strings.Contains(out, "(vertex 3): 3 and 4294967295") {
			t.Errorf("%s: %s\n%s", name, out, text)
		}
	}
}

// runEmitted runs the test as if it lay in this folder, where faulty is known.
func runEmitted(t *testing.T, path string) string {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	moved := strings.Replace(string(text), "package difference_test", "package diff_test", 1)
	if err := os.WriteFile(path, []byte(moved), 0o644); err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(here, "emitted_test.go"): path}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("go", "test", "-overlay", file, "-run", "TestEnginesDiffer", ".")
	out, _ := c.CombinedOutput()
	return string(out)
}

// A kernel is written out with its source; without a GPU the test skips.
func TestEmitKernel(t *testing.T) {
	t.Parallel()
	kernel := &cuda.KernelProgram{
		Name: "k.cu", Source: "// graph. `x` \"y\"\n__device__ Value init(", Value: "a:uint32,b:vertex", Message: "uint32", Combine: "max",
		Params: []cuda.Param{{Name: "s", Type: "vertex", Value: pregel.ID("7")}, {Name: "n", Type: "int", Value: int64(-3)},
			{Name: "x", Type: "float", Value: 2.0}, {Name: "b", Type: "bool", Value: true}},
	}
	q := diff.Question{
		Graph: grid(t, true), New: func() (pregel.Algorithm, error) { return kernel, nil },
		Sides: [2]diff.Side{{Name: "a", Engine: push()}, {Name: "b", Engine: push()}},
	}
	path := filepath.Join(t.TempDir(), "emitted_test.go")
	const engine = "e, err := cuda.Open(cuda.Options{})\nif err != nil {\nt.Skip(err)\n}\nreturn e"
	if err := q.Emit(t.Context(), path, &diff.Difference{Superstep: 2, Row: 3}, diff.Recipe{Engines: [2]string{engine, engine}}); err != nil {
		t.Fatal(err)
	}
	out := runEmitted(t, path)
	if !strings.HasPrefix(out, "ok ") && !strings.Contains(out, "there is no function") {
		t.Error(out)
	}
}

func TestEmitRefuses(t *testing.T) {
	t.Parallel()
	q := diff.Question{Graph: grid(t, true), New: func() (pregel.Algorithm, error) { return &bfs.BFS{Source: "0"}, nil }}
	if err := q.Emit(t.Context(), filepath.Join(t.TempDir(), "x.go"), &diff.Difference{}, diff.Recipe{}); err == nil {
		t.Error("a test in a file that is none")
	}
}
