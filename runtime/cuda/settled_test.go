//go:build cuda || emulate

package cuda_test

import (
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cuda"
)

// rumour is told by every 40th vertex first; who hears it tells it on, once in a
// superstep, and one in four values takes no more messages.
const rumour = `
__device__ u32 stir(u32 x, u32 y) { x = (x ^ y) * 2654435761u; return x ^ x >> 15; }
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = v.id % 40 == 0; return stir(v.id, 1); }
__device__ Message emit(Vertex v, Value x, const Params &p) { return x; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) {
  awake = v.superstep < 12 && (x & 3) != 3;
  return stir(x, m);
}
__device__ bool settled(Value x) { return x % 4 == 0; }
`

func stir(x, y uint32) uint32 {
	x = (x ^ y) * 2654435761
	return x ^ x>>15
}

// spread is the rumour in Go, a superstep at a time.
func spread(g *graph.Graph) []uint32 {
	n := g.N()
	values, awake := make([]uint32, n), make([]bool, n)
	for v := range values {
		values[v], awake[v] = stir(uint32(v), 1), v%40 == 0
	}
	for s := range 13 {
		heard, sum := make([]bool, n), make([]uint32, n)
		for u := range uint32(n) {
			if !awake[u] {
				continue
			}
			out := g.Out()
			for _, v := range out.Targets[out.Offsets.At(u):out.Offsets.At(u+1)] {
				heard[v] = true
				sum[v] += values[u]
			}
		}
		for v, x := range values {
			awake[v] = false
			if heard[v] && x%4 != 0 {
				values[v], awake[v] = stir(x, sum[v]), s < 12 && x&3 != 3
			}
		}
	}
	return values
}

// Who settles in the phase in which others, that have not seen it, send to it,
// takes no message of theirs.
func TestSettledAreSentTo(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	trials := 40
	if testing.Short() {
		trials = 8
	}
	for _, d := range []pregel.Direction{pregel.Push, pregel.Auto, pregel.Pull} {
		e := open(t, cuda.Options{Direction: d})
		for range trials {
			g := random(t, r, 4000, 5000, r.IntN(2) == 0)
			p := &cuda.KernelProgram{Name: "rumour.cu", Source: rumour, Value: "uint32", Message: "uint32", Combine: "sum", Edge: "copy"}
			answer, err := p.Run(t.Context(), &pregel.Job{Graph: g, Engine: e, Batch: 1 << 10})
			if err != nil {
				t.Fatal(err)
			}
			for v, want := range spread(g) {
				if got := uint32(answer.Table.Columns[0].Counts[v]); got != want {
					t.Fatalf("%v, directed %v: vertex %d has %d, want %d", d, g.Directed(), v, got, want)
				}
			}
		}
	}
}
