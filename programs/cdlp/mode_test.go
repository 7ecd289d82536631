package cdlp

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

func newModer() *program { return &program{tables: &sync.Pool{New: func() any { return new(table) }}} }

// Both ways of counting give the least of the most frequent labels, at every
// length around the limit between them, for few labels and for many.
func TestMode(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	p := newModer()
	for round := range 20000 {
		labels := make([]uint32, 1+r.IntN(3*sortUpTo))
		kinds := 1 + r.Uint32N(uint32(2*len(labels)))
		factor := uint32(1) << r.IntN(27)
		for i := range labels {
			labels[i] = r.Uint32N(kinds) * factor
		}
		count := map[uint32]int{}
		for _, l := range labels {
			count[l]++
		}
		want := slices.MinFunc(labels, func(a, b uint32) int {
			if count[a] != count[b] {
				return count[b] - count[a]
			}
			return int(int64(a) - int64(b))
		})
		shown := slices.Clone(labels)
		if got := new(table).mode(labels); got != want {
			t.Fatalf("round %d: table says %d of %v, want %d", round, got, shown, want)
		}
		if got := p.mode(labels); got != want {
			t.Fatalf("round %d: %d of %v, want %d", round, got, shown, want)
		}
	}
}

func TestTableGrowsAndIsEmptied(t *testing.T) {
	table := new(table)
	for _, n := range []int{100, 10, 100000, 1, 3} {
		labels := make([]uint32, n)
		for i := range labels {
			labels[i] = uint32(n + n - i)
		}
		if got := table.mode(labels); got != uint32(n+1) {
			t.Fatalf("%d different labels: %d, want the least, %d", n, got, n+1)
		}
	}
}

// BenchmarkSort and BenchmarkTable tell where sortUpTo should be.
func BenchmarkSort(b *testing.B)  { benchmarkModes(b, modeBySort) }
func BenchmarkTable(b *testing.B) { benchmarkModes(b, new(table).mode) }

func benchmarkModes(b *testing.B, mode func([]uint32) uint32) {
	for _, n := range []int{8, 16, 24, 32, 48} {
		b.Run("", func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, uint64(n)))
			lists := make([][]uint32, 1000)
			for i := range lists {
				lists[i] = make([]uint32, n)
				for k := range lists[i] {
					lists[i][k] = r.Uint32N(uint32(n)) * 1000
				}
			}
			labels := make([]uint32, n)
			for i := 0; b.Loop(); i++ {
				copy(labels, lists[i%len(lists)])
				mode(labels)
			}
		})
	}
}
