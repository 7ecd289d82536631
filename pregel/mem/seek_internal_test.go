package mem

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Long rows are looked at alike with vectors and without, wherever in a row the number
// is. A number whose bit is beyond the set, which no row of a whole graph has, leads to
// nothing that is not in the set.
func TestSeekLongRows(t *testing.T) {
	_, seeks := SeekRows(new([64]uint32), []uint64{1}, []uint32{0}, []uint64{0, 1}, 0, 1)
	defer func(before bool) { vectors = before }(vectors)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 4))
	for trial := range 4000 {
		set := make([]uint64, 1+r.IntN(9))
		in := r.Uint32N(uint32(64 * len(set)))
		set[in/64] |= 1 << (in % 64)
		row := make([]uint32, r.IntN(60))
		for i := range row {
			for row[i] = in; row[i] == in; row[i] = r.Uint32N(uint32(64 * len(set))) {
			}
		}
		if r.IntN(2) == 0 && len(row) > 0 {
			row[r.IntN(len(row))] = in
		}
		slices.Sort(row)
		wrong := r.IntN(90)*8 + trial%2*1000
		if wrong < len(row) {
			row[wrong] = uint32(64*len(set)) << r.IntN(20)
		}
		bounds := []uint64{0, uint64(len(row)), uint64(len(row))}
		for _, vectors = range []bool{false, hasVectors} {
			var found [64]uint32
			hit, done := SeekRows(&found, set, row, bounds, 0, 3)
			first := slices.Index(row, in)
			switch beyond := wrong < len(row); {
			case !seeks:
				if done {
					t.Fatal("done, where nothing is in assembly")
				}
			case !beyond && !done || done && hit != 0 != (first >= 0) || hit == 1 && found[0] != in:
				t.Fatalf("vectors %v: row %v for %d: hit %d, %d, done %v", vectors, row, in, hit, found[0], done)
			}
		}
	}
}
