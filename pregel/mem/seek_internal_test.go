package mem

import (
	"math"
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

// Rows of all lengths up to a few, in every place of a block and however many numbers follow
// the last, are looked at alike with vectors, without, and by a plain loop.
func TestSeekShortRows(t *testing.T) {
	_, seeks := SeekRows(new([64]uint32), []uint64{1}, []uint32{0}, []uint64{0, 1}, 0, 1)
	defer func(before bool) { vectors = before }(vectors)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 6))
	for trial := range 3000 {
		set := make([]uint64, 1+r.IntN(4))
		for range r.IntN(100) {
			set[r.IntN(len(set))] |= 1 << r.IntN(64)
		}
		var bounds [65]uint64
		for k := range 64 {
			bounds[k+1] = bounds[k] + uint64(r.IntN(2+trial%9))
		}
		at := make([]uint32, bounds[64]+uint64(r.IntN(6)))
		for i := range at {
			at[i] = r.Uint32N(uint32(64 * len(set)))
		}
		for k := range 64 {
			slices.Sort(at[bounds[k]:bounds[k+1]])
		}
		for _, vectors = range []bool{false, hasVectors} {
			seeksShort(t, set, at, &bounds, uint64(r.IntN(3)), r.Uint64()|r.Uint64(), seeks)
		}
	}
}

func seeksShort(t *testing.T, set []uint64, at []uint32, bounds *[65]uint64, from, run uint64, seeks bool) {
	t.Helper()
	some, _ := Rows(bounds)
	firsts, want := uint64(0), uint64(0)
	var first, found, wanted [64]uint32
	for k := range 64 {
		row := at[bounds[k]:bounds[k+1]]
		is := func(u uint32) bool { return set[u/64]>>(u%64)&1 != 0 }
		if len(row) > 0 && is(row[0]) {
			firsts |= 1 << k
		}
		if uint64(len(row)) < from {
			run &^= 1 << k
			continue
		}
		if i := slices.IndexFunc(row[from:], is); i >= 0 {
			want, wanted[k] = want|1<<k, row[from:][i]
		}
	}
	want &= run
	hit, done := SeekRows(&found, set, at, bounds[:], from, run)
	begin, did := SeekFirst(&first, set, at, bounds)
	if done != seeks || did != (seeks && len(at) > 0) {
		t.Fatalf("vectors %v: done %v, %v, want %v", vectors, done, did, seeks)
	}
	if done && hit != want || did && begin&some != firsts {
		t.Fatalf("vectors %v: rows %v of %v in %x, run %x from %d: hit %x, want %x; at first %x, want %x",
			vectors, bounds, at, set, run, from, hit, want, begin&some, firsts)
	}
	var narrow [65]uint32
	for k, x := range bounds {
		narrow[k] = uint32(x)
	}
	var by [64]uint32
	if hit, ok := SeekFirst(&by, set, at, &narrow); hit != begin || ok != did || did && by != first {
		t.Fatalf("vectors %v: by narrow bounds %x, %v, want %x, %v; firsts differ: %v", vectors, hit, ok, begin, did, by != first)
	}
	for k := range 64 {
		if hit>>k&1 != 0 && found[k] != wanted[k] || did && bounds[k] < bounds[k+1] && first[k] != at[bounds[k]] {
			t.Fatalf("vectors %v: row %d: found %d, want %d; first %d", vectors, k, found[k], wanted[k], first[k])
		}
	}
}

// A first number beyond the set is not looked at, nor the first of no numbers.
func TestSeekFirstOutOfBounds(t *testing.T) {
	var bounds [65]uint64
	var found [64]uint32
	for k := range bounds {
		bounds[k] = uint64(k)
	}
	at := make([]uint32, 64)
	for _, k := range []int{0, 1, 31, 63} {
		for _, u := range []uint32{128, 1 << 31} {
			at[k] = u
			if _, done := SeekFirst(&found, make([]uint64, 2), at, &bounds); done {
				t.Errorf("number %d of row %d: done", u, k)
			}
			at[k] = 0
		}
	}
	if _, done := SeekFirst(&found, make([]uint64, 2), nil, &bounds); done {
		t.Error("no numbers: done")
	}
	bounds[64], bounds[63] = 1<<62, 1<<62 // of a graph that is damaged
	SeekFirst(&found, make([]uint64, 2), at, &bounds)
	_, seeks := SeekRows(new([64]uint32), []uint64{1}, []uint32{0}, []uint64{0, 1}, 0, 1)
	var narrow [65]uint32
	for _, k := range []int{0, 1, 31, 63} {
		for _, far := range []uint32{64, 1 << 31, math.MaxUint32} {
			narrow[k] = far
			if _, done := SeekFirst(&found, make([]uint64, 2), at, &narrow); done != seeks || done && found[k] != at[63] {
				t.Errorf("row %d from %d: done %v, first %d", k, far, done, found[k])
			}
			narrow[k] = 0
		}
	}
	at[0] = 128
	if _, done := SeekFirst(&found, make([]uint64, 2), at, &narrow); done {
		t.Error("a number beyond the set, by narrow bounds: done")
	}
}
