package mem

import (
	"math"
	"math/bits"
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
			some := r.Uint64() // 32 rows, in the mean
			for _, run := range []uint64{0, some & r.Uint64(), some, some | r.Uint64(), math.MaxUint64} {
				seeksFirst(t, set, at, &bounds, run, seeks)
			}
		}
	}
}

func seeksShort(t *testing.T, set []uint64, at []uint32, bounds *[65]uint64, from, run uint64, seeks bool) {
	t.Helper()
	want := uint64(0)
	var found, wanted [64]uint32
	for k := range 64 {
		row := at[bounds[k]:bounds[k+1]]
		if uint64(len(row)) < from {
			run &^= 1 << k
			continue
		}
		if i := slices.IndexFunc(row[from:], func(u uint32) bool { return set[u/64]>>(u%64)&1 != 0 }); i >= 0 {
			want, wanted[k] = want|1<<k, row[from:][i]
		}
	}
	want &= run
	hit, done := SeekRows(&found, set, at, bounds[:], from, run)
	if done != seeks || done && hit != want {
		t.Fatalf("vectors %v: rows %v of %v in %x, run %x from %d: hit %x, %v, want %x, %v", vectors, bounds, at, set, run, from, hit, done, want, seeks)
	}
	for k := range 64 {
		if hit>>k&1 != 0 && found[k] != wanted[k] {
			t.Fatalf("vectors %v: row %d: found %d, want %d", vectors, k, found[k], wanted[k])
		}
	}
}

// seeksFirst looks at the rows of run that are not empty, by bounds of either width.
func seeksFirst(t *testing.T, set []uint64, at []uint32, bounds *[65]uint64, run uint64, seeks bool) {
	t.Helper()
	var narrow [65]uint32
	for k, x := range bounds {
		narrow[k] = uint32(x)
	}
	var first, by [64]uint32
	hit, done := SeekFirst(&first, set, at, bounds, run)
	other, also := SeekFirst(&by, set, at, &narrow, run)
	if seeks = seeks && len(at) > 0; done != seeks || also != seeks {
		t.Fatalf("%d rows: done %v, by narrow bounds %v, want %v", bits.OnesCount64(run), done, also, seeks)
	}
	for k := range 64 {
		row := at[bounds[k]:bounds[k+1]]
		if run>>k&1 == 0 || len(row) == 0 || !seeks {
			continue
		}
		want := set[row[0]/64] >> (row[0] % 64) & 1
		if hit>>k&1 != want || other>>k&1 != want || first[k] != row[0] || by[k] != row[0] {
			t.Fatalf("row %d of run %x: %d and %d, has its bit: %d and %d, want %d, %d", k, run, first[k], by[k], hit>>k&1, other>>k&1, row[0], want)
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
			for _, run := range []uint64{math.MaxUint64, 1 << k, 0x5555555555555555 | 1<<k} {
				if _, done := SeekFirst(&found, make([]uint64, 2), at, &bounds, run); done {
					t.Errorf("number %d of row %d of run %x: done", u, k, run)
				}
			}
			at[k] = 0
		}
	}
	if _, done := SeekFirst(&found, make([]uint64, 2), nil, &bounds, 1); done {
		t.Error("no numbers: done")
	}
	bounds[64], bounds[63] = 1<<62, 1<<62 // of a graph that is damaged
	SeekFirst(&found, make([]uint64, 2), at, &bounds, math.MaxUint64)
	SeekFirst(&found, make([]uint64, 2), at, &bounds, 1<<63|1<<62)
	_, seeks := SeekRows(new([64]uint32), []uint64{1}, []uint32{0}, []uint64{0, 1}, 0, 1)
	var narrow [65]uint32
	for _, k := range []int{0, 1, 31, 63} {
		for _, far := range []uint32{64, 1 << 31, math.MaxUint32} {
			narrow[k] = far
			for _, run := range []uint64{math.MaxUint64, 1 << k} {
				if _, done := SeekFirst(&found, make([]uint64, 2), at, &narrow, run); done != seeks || done && found[k] != at[63] {
					t.Errorf("row %d from %d, run %x: done %v, first %d", k, far, run, done, found[k])
				}
			}
			narrow[k] = 0
		}
	}
	at[0] = 128
	if _, done := SeekFirst(&found, make([]uint64, 2), at, &narrow, 1); done {
		t.Error("a number beyond the set, by narrow bounds: done")
	}
}
