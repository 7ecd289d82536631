package reference_test

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/kernels/reference"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/programs/mst"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
)

// graphs are those of pregeltest and some larger ones.
func graphs(t *testing.T) (list []pregeltest.Case, r *rand.Rand) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r = rand.New(rand.NewPCG(seed, 1))
	list = pregeltest.Graphs(seed)
	for _, directed := range []bool{false, true} {
		for _, weights := range []int{1, 5, 1 << 30} {
			for _, arcs := range []int{900, 2200, 9000} {
				const n = 2000
				arcList := graph.ArcList{Weighted: true, List: make([]graph.Arc, arcs)}
				for i := range arcList.List {
					arcList.List[i] = graph.Arc{U: r.Uint32N(n), V: r.Uint32N(n), W: int32(r.IntN(weights) - weights/2)}
				}
				g, err := graph.FromArcs(n, arcList, graph.Options{Directed: directed})
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, pregeltest.Case{Name: "random", Graph: g})
			}
		}
	}
	return list, r
}

// The steps of the kernel give what the CPU's program does, in any order.
func TestComponents(t *testing.T) {
	list, r := graphs(t)
	for _, c := range list {
		want, err := (&wcc.WCC{Method: wcc.Propagate}).Components(t.Context(), &pregel.Job{Graph: c.Graph, Engine: cpu.New(cpu.Options{})})
		if err != nil {
			t.Fatal(err)
		}
		got := &reference.Components{Graph: c.Graph, Rand: r}
		for range 3 {
			if !slices.Equal(got.Run(), want.Values) {
				t.Fatalf("%s: components differ", c.Name)
			}
		}
	}
}

// Whenever a component becomes the giant, the forest is the same.
func TestForest(t *testing.T) {
	list, r := graphs(t)
	for _, c := range list {
		want, err := mst.Span(t.Context(), &pregel.Job{Graph: c.Graph, Engine: cpu.New(cpu.Options{})})
		if err != nil {
			t.Fatal(err)
		}
		for _, share := range []float64{0, 0.125, r.Float64(), 2} {
			f := &reference.Forest{Graph: c.Graph, Share: share}
			got := f.Run()
			slices.SortFunc(got, func(a, b reference.Edge) int {
				return slices.Compare([]uint32{a.U, a.V}, []uint32{b.U, b.V})
			})
			if len(got) != len(want.Source) {
				t.Fatalf("%s, share %v: %d edges, want %d", c.Name, share, len(got), len(want.Source))
			}
			for i, e := range got {
				weight := 1.0
				if c.Graph.Weighted() != graph.Unweighted {
					weight = want.Weights.At(uint64(i))
				}
				if e != (reference.Edge{U: want.Source[i], V: want.Target[i], Weight: weight}) {
					t.Fatalf("%s, share %v: edge %d is %v, want %d-%d %v", c.Name, share, i, e, want.Source[i], want.Target[i], weight)
				}
			}
			if most := bits.Len(uint(c.Graph.N())) + 1; f.Rounds > most {
				t.Fatalf("%s, share %v: %d rounds, want at most %d", c.Name, share, f.Rounds, most)
			}
		}
	}
}
