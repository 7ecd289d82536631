// Package samples makes small random graphs of every kind for the round-trip
// tests of graphio, and compares graphs the slow way.
package samples

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gopregel/pregel/graph"
)

// A Kind is what a graph file may or may not be able to hold.
type Kind struct {
	Directed bool
	Weights  graph.WeightKind
	IDs      string // "zero" (0..n-1), "one" (1..n), "far" (a range elsewhere), "sparse" or "names"
	Loops    bool   // self-loops may occur
	Isolated bool   // vertices without arcs may occur
}

func (k Kind) String() string {
	return fmt.Sprintf("directed=%v weights=%v ids=%s loops=%v isolated=%v", k.Directed, k.Weights, k.IDs, k.Loops, k.Isolated)
}

// Kinds lists all combinations.
func Kinds() []Kind {
	var list []Kind
	for _, directed := range []bool{false, true} {
		for _, weights := range []graph.WeightKind{graph.Unweighted, graph.Int32, graph.Float32} {
			for _, ids := range []string{"zero", "one", "far", "sparse", "names"} {
				for i := range 4 {
					list = append(list, Kind{directed, weights, ids, i&1 != 0, i&2 != 0})
				}
			}
		}
	}
	return list
}

// Random returns a graph of n vertices with about m arcs, duplicates among
// them.
func Random(r *rand.Rand, k Kind, n, m int) *graph.Graph {
	ids := randomIDs(r, k.IDs, n)
	var c graph.Columns
	add := func(u, v uint32) {
		c.U, c.V = append(c.U, u), append(c.V, v)
		switch k.Weights {
		case graph.Int32:
			c.Weights.Int = append(c.Weights.Int, randomInt(r))
		case graph.Float32:
			c.Weights.Float = append(c.Weights.Float, randomFloat(r))
		}
	}
	for len(c.U) < m && n > 0 {
		u, v := r.Uint32N(uint32(n)), r.Uint32N(uint32(n))
		if k.Isolated && n > 3 {
			u, v = u-u%3%2, v-v%3%2 // nothing meets the vertices 1, 4, 7, …
		}
		if u != v || k.Loops {
			add(u, v)
		}
		if n == 1 && !k.Loops {
			break
		}
		if r.IntN(4) == 0 && u != v {
			add(v, u)
			add(u, v)
		}
	}
	for u := uint32(0); !k.Isolated && n > 1 && u < uint32(n); u++ {
		add(u, (u+1)%uint32(n))
	}
	g, err := graph.Build(context.Background(), ids, c, graph.Options{Directed: k.Directed})
	if err != nil {
		panic(err) // the arcs were made for the vertices
	}
	return g
}

func randomInt(r *rand.Rand) int32 {
	switch r.IntN(8) {
	case 0:
		return math.MaxInt32
	case 1:
		return math.MinInt32
	}
	return int32(r.IntN(9)) - 2
}

func randomFloat(r *rand.Rand) float32 {
	for {
		f := math.Float32frombits(r.Uint32())
		switch r.IntN(4) {
		case 0:
			f = float32(r.IntN(5))
		case 1:
			f = r.Float32()
		}
		if f == f && !math.IsInf(float64(f), 0) {
			return f
		}
	}
}

func randomIDs(r *rand.Rand, kind string, n int) graph.IDs {
	switch kind {
	case "zero":
		return graph.RangeIDs(0, n)
	case "one":
		return graph.RangeIDs(1, n)
	case "far":
		return graph.RangeIDs(math.MaxUint64-uint64(n), n)
	}
	set := map[uint64]bool{}
	for len(set) < n {
		set[r.Uint64()>>r.IntN(64)] = true
		if len(set) > 1<<10 {
			set[r.Uint64()] = true
		}
	}
	var numbers []uint64
	var names []string
	for x := range set {
		numbers = append(numbers, x)
		names = append(names, fmt.Sprintf("v%x/\u00e9", x))
	}
	var ids graph.IDs
	var err error
	if kind == "sparse" {
		slices.Sort(numbers)
		ids, err = graph.NumberIDs(numbers)
	} else {
		slices.Sort(names)
		ids, err = graph.NameIDs(names)
	}
	if err != nil {
		panic(err) // sorted, and without repeats
	}
	return ids
}

// Same reports the first difference between two graphs: direction, ids, arcs,
// weights to the bit.
func Same(got, want *graph.Graph) error {
	switch {
	case got.N() != want.N():
		return fmt.Errorf("%d vertices, want %d", got.N(), want.N())
	case got.Arcs() != want.Arcs():
		return fmt.Errorf("%d arcs, want %d", got.Arcs(), want.Arcs())
	case got.Directed() != want.Directed():
		return fmt.Errorf("directed %v, want %v", got.Directed(), want.Directed())
	case got.Weighted() != want.Weighted() && want.Arcs() > 0:
		return fmt.Errorf("weights %v, want %v", got.Weighted(), want.Weighted())
	}
	a, b := got.Out(), want.Out()
	for u := range uint32(want.N()) {
		if x, y := got.IDs().Text(u), want.IDs().Text(u); x != y {
			return fmt.Errorf("vertex %d has id %q, want %q", u, x, y)
		}
		if x, y := a.Degree(u), b.Degree(u); x != y {
			return fmt.Errorf("vertex %d has %d arcs, want %d", u, x, y)
		}
		for i, v := range b.Neighbors(u) {
			at := b.Offsets.At(u) + uint64(i)
			if x := a.Neighbors(u)[i]; x != v {
				return fmt.Errorf("arc %d of vertex %d goes to %d, want %d", i, u, x, v)
			}
			if x, y := a.Weights.At(at), b.Weights.At(at); math.Float64bits(x) != math.Float64bits(y) {
				return fmt.Errorf("arc %d of vertex %d has weight %v, want %v", i, u, x, y)
			}
		}
	}
	return nil
}

// Folder returns a fresh folder for many small files: in memory where the
// system has a place for that, as each file is synced.
func Folder(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "gopregel-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
