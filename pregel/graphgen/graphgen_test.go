package graphgen_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest/race"
)

// golden holds, for each Spec, the start of the sha256 of the graph's arcs
// (with the weights as in the Spec's kind, or splitmix64). They say that a seed
// means the same graph for ever: never change one, add new ones.
var golden = []struct {
	spec graphgen.Spec
	hash string
}{
	{graphgen.Spec{Kind: "kronecker", Scale: 13, Seed: 1}, "855a698e1892cd3e"},
	{graphgen.Spec{Kind: "kronecker", Scale: 10, Seed: 2}, "dee1ae4bca2e5232"},
	{graphgen.Spec{Kind: "kronecker", Scale: 12, EdgeFactor: 5, Seed: 1 << 63}, "1c730225fb261827"},
	{graphgen.Spec{Kind: "rmat", Scale: 9}, "f62e6ae96cea9b42"},
	{graphgen.Spec{Kind: "rmat", Scale: 11, A: 0.45, B: 0.25, C: 0.15, Noise: 0.1, Seed: 7}, "df761ebae814d4f1"},
	{graphgen.Spec{Kind: "rmat", Scale: 11, Permute: true, Seed: 7}, "a9d3e0485668dd06"},
	{graphgen.Spec{Kind: "ssca2", Scale: 10, Seed: 1}, "31bcb311aa47d663"},
	{graphgen.Spec{Kind: "ssca2", Scale: 12, Seed: 5}, "09b61daf705c8369"},
	{graphgen.Spec{Kind: "uniform", Scale: 12, Seed: 1}, "b7e5c95b22205933"},
	{graphgen.Spec{Kind: "uniform", N: 1000, EdgeFactor: 5, Seed: 9}, "c4c91d5b18948cbd"},
	{graphgen.Spec{Kind: "grid", Rows: 130, Cols: 290}, "754c4b963a26d5ee"},
	{graphgen.Spec{Kind: "grid", Rows: 130, Cols: 290, Orient: "random", Seed: 3}, "da7a104200760e85"},
	{graphgen.Spec{Kind: "path", N: 40000}, "862e99f01642343e"},
	{graphgen.Spec{Kind: "cycle", N: 100}, "9fb52f19617ede7a"},
	{graphgen.Spec{Kind: "star", N: 100}, "423a6e6a2565dceb"},
	{graphgen.Spec{Kind: "tree", N: 40000}, "864b519616d32d59"},
	{graphgen.Spec{Kind: "complete", N: 250}, "2e61dccb8c8b9d20"},
	{graphgen.Spec{Kind: "karate"}, "4c7eccf4fb9805bc"},
	{graphgen.Spec{Kind: "petersen"}, "02e0d96bfd289d90"},
	{graphgen.Spec{Kind: "clrs-bfs"}, "e40b405adae4b7eb"},
	{graphgen.Spec{Kind: "clrs-scc"}, "c28532cc42901e65"},
	{graphgen.Spec{Kind: "clrs-mst"}, "b9e150b590fc9c04"},
	{graphgen.Spec{Kind: "clrs-bellman-ford"}, "eef6179fb32333c4"},
	{graphgen.Spec{Kind: "clrs-sssp"}, "57b69adc718a27e9"},
}

func generate(t *testing.T, s graphgen.Spec, o graphgen.Options) *graph.Graph {
	t.Helper()
	g, err := graphgen.Generate(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// weigh picks hash weights where they can be had.
func weigh(s graphgen.Spec) graphgen.Weights {
	for _, k := range graphgen.Kinds() {
		if k.Name == s.Kind && !k.Weighted && s.Kind[:4] != "clrs" {
			return graphgen.HashWeights
		}
	}
	return graphgen.OwnWeights
}

func hash(g *graph.Graph) string {
	c := g.Out()
	rows := make([]byte, 0, 16*c.Arcs())
	for u := range uint32(g.N()) {
		for i, v := range c.Neighbors(u) {
			rows = binary.LittleEndian.AppendUint32(rows, u)
			rows = binary.LittleEndian.AppendUint32(rows, v)
			rows = binary.LittleEndian.AppendUint64(rows, uint64(int64(c.Weights.At(c.Offsets.At(u)+uint64(i)))))
		}
	}
	sum := sha256.Sum256(rows)
	return hex.EncodeToString(sum[:8])
}

func TestGolden(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range golden {
		seen[c.spec.Kind] = true
		for _, workers := range race.Workers(1, 2, 3, 8) {
			g := generate(t, c.spec, graphgen.Options{Weights: weigh(c.spec), Workers: workers})
			if got := hash(g); got != c.hash {
				t.Errorf("%v, %d workers: %s, want %s", c.spec, workers, got, c.hash)
			}
		}
	}
	for _, k := range graphgen.Kinds() {
		if !seen[k.Name] {
			t.Errorf("no golden hash for %s", k.Name)
		}
	}
}

// edges returns the edges of a source, sorted, each as target after source in
// one number, and the sum of their weights.
func edges(t *testing.T, src graph.Source, workers int) (list []uint64, weight int64) {
	t.Helper()
	var mu sync.Mutex
	err := src.Arcs(t.Context(), workers, func(k graph.Block) error {
		mu.Lock()
		defer mu.Unlock()
		for i, u := range k.U {
			list = append(list, uint64(u)<<32|uint64(k.V[i]))
			weight += int64(k.Weights.At(uint64(i)))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list, weight
}

func TestSourceReadsTheSameAgain(t *testing.T) {
	for _, c := range golden {
		for _, directed := range []bool{false, true} {
			if c.spec.Orient != "" && !directed {
				continue
			}
			in, err := graphgen.Open(c.spec, graphgen.Options{Weights: weigh(c.spec), Directed: &directed})
			if err != nil {
				t.Fatal(err)
			}
			first, total := edges(t, in.Source, 1)
			for _, workers := range race.Workers(1, 3, 8) {
				if again, weight := edges(t, in.Source, workers); weight != total || !slices.Equal(first, again) {
					t.Errorf("%v directed %v: read again with %d workers, the edges differ", c.spec, directed, workers)
				}
			}
		}
	}
}

func TestSeedsDiffer(t *testing.T) {
	for _, kind := range []string{"kronecker", "rmat", "ssca2", "uniform"} {
		hashes := map[string]uint64{}
		for seed := range uint64(20) {
			h := hash(generate(t, graphgen.Spec{Kind: kind, Scale: 8, Seed: seed}, graphgen.Options{}))
			if other, ok := hashes[h]; ok {
				t.Errorf("%s: seeds %d and %d give the same graph", kind, other, seed)
			}
			hashes[h] = seed
		}
	}
}

// Scale 31 is too large to be made here; its first edges are not.
func TestLargestScale(t *testing.T) {
	enough := errors.New("enough")
	for _, s := range []graphgen.Spec{
		{Kind: "kronecker", Scale: 31, EdgeFactor: 1 << 20, Seed: rand.Uint64()},
		{Kind: "uniform", Scale: 31, Seed: rand.Uint64()},
		{Kind: "uniform", N: 1 << 31, Seed: rand.Uint64()},
		{Kind: "ssca2", Scale: 31, Seed: rand.Uint64()},
	} {
		in, err := graphgen.Open(s, graphgen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if in.IDs.Len() != 1<<31 {
			t.Errorf("%v: %d vertices", s, in.IDs.Len())
		}
		high := false
		err = in.Source.Arcs(t.Context(), 1, func(k graph.Block) error {
			for i, u := range k.U {
				if u >= 1<<31 || k.V[i] >= 1<<31 {
					t.Fatalf("%v: edge (%d, %d)", s, u, k.V[i])
				}
				high = high || u >= 1<<30
			}
			return enough
		})
		if !errors.Is(err, enough) || !high {
			t.Errorf("%v: error %v, high ids %v", s, err, high)
		}
	}
	for _, s := range []graphgen.Spec{
		{Kind: "grid", Rows: 1 << 31, Cols: 1},
		{Kind: "grid", Rows: 1, Cols: 1 << 31},
		{Kind: "path", N: 1 << 31},
	} {
		if in, err := graphgen.Open(s, graphgen.Options{}); err != nil || in.IDs.Len() != 1<<31 {
			t.Errorf("%v: %v", s, err)
		}
	}
}

func TestWeights(t *testing.T) {
	g := generate(t, graphgen.Spec{Kind: "karate"}, graphgen.Options{Weights: graphgen.HashWeights})
	c := g.Out()
	for u := range uint32(g.N()) {
		for i, v := range c.Neighbors(u) {
			want := graph.HashWeight(uint64(u)+1, uint64(v)+1)
			if w := c.Weights.Int[c.Offsets.At(u)+uint64(i)]; w != want {
				t.Fatalf("karate %d-%d: weight %d, want %d", u+1, v+1, w, want)
			}
		}
	}
	if g := generate(t, graphgen.Spec{Kind: "karate"}, graphgen.Options{}); g.Weighted() != graph.Unweighted {
		t.Error("karate has weights")
	}
	if g := generate(t, graphgen.Spec{Kind: "clrs-mst"}, graphgen.Options{}); g.Weighted() != graph.Int32 {
		t.Error("clrs-mst has no weights")
	}
	if g := generate(t, graphgen.Spec{Kind: "clrs-mst"}, graphgen.Options{Weights: graphgen.NoWeights}); g.Weighted() != graph.Unweighted {
		t.Error("clrs-mst without weights has weights")
	}
	_, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "clrs-mst"}, graphgen.Options{Weights: graphgen.HashWeights})
	var field *graphgen.FieldError
	if !errors.As(err, &field) || field.Field != "weights" {
		t.Errorf("splitmix64 of strings: %v", err)
	}
}

func TestOptionsOfBuild(t *testing.T) {
	s := graphgen.Spec{Kind: "kronecker", Scale: 8, Seed: 3}
	all := generate(t, s, graphgen.Options{})
	simple := generate(t, s, graphgen.Options{Loops: graph.DropLoops, Duplicates: graph.DropDuplicates})
	if all.Edges() != 16<<8 || all.Loops() == 0 {
		t.Errorf("%d edges with %d loops, want %d with some", all.Edges(), all.Loops(), 16<<8)
	}
	if simple.Loops() != 0 || simple.Edges() >= all.Edges()-all.Loops() {
		t.Errorf("simple: %d edges with %d loops", simple.Edges(), simple.Loops())
	}
	directed := generate(t, s, graphgen.Options{Directed: new(true)})
	if !directed.Directed() || directed.Arcs() != 16<<8 {
		t.Errorf("directed %v, %d arcs", directed.Directed(), directed.Arcs())
	}
}

func TestProgressReachesTotal(t *testing.T) {
	for _, s := range []graphgen.Spec{{Kind: "kronecker", Scale: 12}, {Kind: "ssca2", Scale: 12}, {Kind: "karate"}} {
		var most atomic.Uint64
		var want atomic.Uint64
		generate(t, s, graphgen.Options{Progress: func(done, total uint64) {
			want.Store(total)
			for old := most.Load(); done > old && !most.CompareAndSwap(old, done); old = most.Load() {
			}
		}})
		if most.Load() != want.Load() || most.Load() == 0 {
			t.Errorf("%v: progress ended at %d of %d", s, most.Load(), want.Load())
		}
	}
}

func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := graphgen.Spec{Kind: "kronecker", Scale: 20}
	_, err := graphgen.Generate(ctx, s, graphgen.Options{Progress: func(uint64, uint64) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	in, err := graphgen.Open(s, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wrong := fmt.Errorf("wrong")
	if err := in.Source.Arcs(t.Context(), 3, func(graph.Block) error { return wrong }); !errors.Is(err, wrong) {
		t.Errorf("yield's error: %v", err)
	}
}
