package pregel

import (
	"math/rand/v2"
	"testing"

	"gopregel/pregel/mem"
)

// Of a block, those that are hit have the words of what they have found, others what they had, and the
// arcs of those that are hit are counted: by words and offsets of either size.
func TestTakeFound(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, wave := range []mem.Wave[uint64]{
		{Rest: 1<<64 - 1, Stamp: 7, Message: 0xffffffff << 32, Shift: 32},
		{Rest: 5 << 32, Stamp: 1 << 31, Message: 0xffffffff},
		{Rest: 1, Stamp: 3},
	} {
		for range 20 {
			takesFound(t, r, wave, &arrivable{words64: make([]uint64, 4*BlockSize)})
			if wave.Shift == 0 {
				takesFound(t, r, wave, &arrivable{words32: make([]uint32, 4*BlockSize)})
			}
		}
	}
}

func takesFound(t *testing.T, r *rand.Rand, wave mem.Wave[uint64], a *arrivable) {
	t.Helper()
	var found [BlockSize]uint32
	for k := range found {
		found[k] = r.Uint32()
	}
	wide, narrow := make([]uint64, 4*BlockSize+1), make([]uint32, 4*BlockSize+1)
	for v := range wide[1:] {
		wide[v+1] = wide[v] + r.Uint64N(9)
		narrow[v+1] = uint32(wide[v+1])
	}
	i, hit := r.IntN(4), r.Uint64()
	for _, o := range []mem.Offsets{mem.WideOffsets(wide), mem.NarrowOffsets(narrow)} {
		clear(a.words32)
		clear(a.words64)
		arcs, want := a.take(i, &wave, hit, &found, o), uint64(0)
		for v := range 4 * BlockSize {
			word, k := uint64(0), v%BlockSize
			if v/BlockSize == i && hit>>k&1 != 0 {
				word = wave.Word(found[k])
				want += o.Degree(uint32(v))
			}
			if a.words32 != nil && a.words32[v] != uint32(word) || a.words64 != nil && a.words64[v] != word {
				t.Fatalf("%+v, wide %v, block %d, hit %x, found %d: vertex %d is not %x", wave, o.Wide(), i, hit, found, v, word)
			}
		}
		if arcs != want {
			t.Fatalf("wide %v, block %d, hit %x: %d arcs, want %d", o.Wide(), i, hit, arcs, want)
		}
	}
}
