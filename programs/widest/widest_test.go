package widest_test

import (
	_ "embed"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gopkg.in/yaml.v3"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// reference widens along arcs until nothing changes, one arc after the other.
func reference(g *graph.Graph, source uint32) []float64 {
	width := make([]float64, g.N())
	width[source] = math.Inf(1)
	out := g.Out()
	for changed := true; changed; {
		changed = false
		for u := range uint32(g.N()) {
			base := out.Offsets.At(u)
			for i, v := range out.Neighbors(u) {
				if w := min(width[u], out.Weights.At(base+uint64(i))); w > width[v] {
					width[v], changed = w, true
				}
			}
		}
	}
	return width
}

// graphs are of every shape, with positive weights.
func graphs(seed uint64) []pregeltest.Case {
	var list []pregeltest.Case
	for _, c := range pregeltest.Graphs(seed) {
		if c.Graph.N() > 0 {
			list = append(list, pregeltest.Case{Name: c.Name, Graph: c.Graph.WithWeights(func(u, v uint32) int32 {
				return int32(graph.SplitMix64(uint64(min(u, v))<<32|uint64(max(u, v)))%255) + 1
			})})
		}
	}
	return list
}

func source(r *rand.Rand, g *graph.Graph) uint32 { return r.Uint32N(uint32(g.N())) }

func TestTwin(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, c := range graphs(seed) {
		from := source(r, c.Graph)
		want := reference(c.Graph, from)
		for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
			answer, err := widest(t.Context(), &pregel.Job{Graph: c.Graph, Engine: cpu.New(cpu.Options{Workers: 2, Direction: d})}, from)
			if err != nil || answer.Stop.Reason != pregel.Halted {
				t.Fatalf("%s: %v %v", c.Name, answer.Stop, err)
			}
			if !slices.Equal(answer.Table.Columns[0].Floats, want) {
				t.Errorf("%s, from %d, %v: widths differ", c.Name, from, d)
			}
		}
	}
}

//go:embed widest.cu
var kernelSource string

// kernel is the program as the job file describes it.
func kernel(t *testing.T, id string) *cuda.KernelProgram {
	t.Helper()
	text, err := os.ReadFile("widest.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var job struct {
		Program struct {
			Kernel, Message, Combine, Edge string
			Relaxes                        bool
			Value, Params                  map[string]string
		}
	}
	if err := yaml.Unmarshal(text, &job); err != nil {
		t.Fatal(err)
	}
	p := job.Program
	return &cuda.KernelProgram{
		Name: p.Kernel, Source: kernelSource, Value: "width:" + p.Value["width"], Message: p.Message, Combine: p.Combine, Edge: p.Edge, Relaxed: p.Relaxes,
		Params: []cuda.Param{{Name: "source", Type: p.Params["source"], Value: pregel.ID(id)}},
	}
}

// The kernel is well formed, as far as that can be seen without a GPU.
func TestKernelChecks(t *testing.T) {
	t.Parallel()
	k := kernel(t, "34")
	if err := k.Check(); err != nil {
		t.Fatal(err)
	}
	answer, err := k.Run(t.Context(), &pregel.Job{Graph: graphs(1)[0].Graph, Engine: cpu.New(cpu.Options{})})
	if err == nil {
		t.Errorf("a kernel has run on the CPU: %v", answer)
	}
}
