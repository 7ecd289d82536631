//go:build cuda || emulate

package cuda_test

import (
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cuda"
)

// tellers count at the hub those of its in-neighbours that are awake: only the
// ones from a vertex on, or none.
const tellers = `
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = v.id >= (u64)p.from; return -1; }
__device__ Message emit(Vertex v, Value x, const Params &p) { return v.id % 7; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) { return got ? m : -2; }
`

// A hub is gathered in chunks: whether a message came, and what the messages
// add up to, must come of all of them, also when the first, the last or all but
// one bring nothing.
func TestHubInChunks(t *testing.T) {
	e := open(t, cuda.Options{Direction: pregel.Pull})
	const n = 3*4096 + 100
	list := graph.ArcList{}
	for u := range uint32(n - 1) {
		list.List = append(list.List, graph.Arc{U: u + 1, V: 0})
	}
	g, err := graph.FromArcs(n, list, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []int64{1, 4096, 4097, 4098, 8193, n - 50, n - 1, n} {
		p := &cuda.KernelProgram{Name: "tellers.cu", Source: tellers, Value: "int64", Message: "int64", Combine: "sum", Edge: "copy",
			Params: []cuda.Param{{Name: "from", Type: "int", Value: from}}}
		answer, err := p.Run(t.Context(), &pregel.Job{Graph: g, Engine: e})
		if err != nil {
			t.Fatal(err)
		}
		want := int64(-1) // nobody has told it anything
		if from < n {
			want = 0
		}
		for u := from; u < n; u++ {
			want += u % 7
		}
		if got := answer.Table.Columns[0].Ints[0]; got != want {
			t.Errorf("told by the vertices from %d on: %d, want %d", from, got, want)
		}
	}
}
