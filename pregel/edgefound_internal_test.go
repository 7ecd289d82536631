package pregel

import (
	"math/rand/v2"
	"testing"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
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
		arcs, want := a.take(i, wave, hit, &found, o), uint64(0)
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

// A pull gives each vertex that is not settled the word of its first awake neighbour, and tells who is
// awake then, who settled, and along how many arcs they send, which are others than they receive along.
func TestPullFound(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	const n = 3 * BlockSize
	for range 50 {
		in, out := make([]uint32, n+1), make([]uint32, n+1)
		var from []uint32
		awake, settled := bitmap.New(n), bitmap.New(n)
		for v := range uint32(n) {
			for u := r.Uint32N(40); u < n; u += 1 + r.Uint32N(60) {
				from = append(from, u)
			}
			in[v+1], out[v+1] = uint32(len(from)), out[v]+r.Uint32N(7)
			for _, b := range []bitmap.Bitmap{awake, settled} {
				if r.IntN(3) == 0 {
					b.Set(v)
				}
			}
		}
		if r.IntN(2) == 0 {
			settled[0] = 1<<BlockSize - 1
		}
		pullsFound(t, graph.CSR{Offsets: mem.NarrowOffsets(in), Targets: from}, mem.NarrowOffsets(out), awake, settled)
	}
}

func pullsFound(t *testing.T, c graph.CSR, out graph.Offsets, awake, settled bitmap.Bitmap) {
	t.Helper()
	n := c.N()
	words, next, before := make([]uint64, n), bitmap.New(n), append(bitmap.Bitmap{}, settled...)
	a := &arrivable{words64: words, message: 0xffffffff, at: func(superstep int32) uint64 { return uint64(superstep) << 32 }}
	task := &edgeTask[uint64, uint32]{values: words, settled: settled, offsets: out, arrivals: a, corners: make([]corner[uint64, uint32], 1)}
	w, s := &Worker{Superstep: 5}, &task.corners[0].seeker
	s.seekRoom = new(seekRoom)
	s.over(c, w)
	next[0] = 1 // of a superstep before
	task.pullFound(0, uint32(n), w, Frontier{Bits: awake}, next)
	count, arcs := uint64(0), uint64(0)
	for v := range uint32(n) {
		word, is := uint64(0), false
		for _, u := range c.Neighbors(v) {
			if awake.Has(u) && !before.Has(v) {
				word, is = 5<<32|uint64(u), true
				count, arcs = count+1, arcs+out.Degree(v)
				break
			}
		}
		if words[v] != word || next.Has(v) != is || settled.Has(v) != (is || before.Has(v)) {
			t.Fatalf("vertex %d: %x, awake %v, settled %v; want %x, %v", v, words[v], next.Has(v), settled.Has(v), word, is)
		}
	}
	if w.Awake != count || w.AwakeArcs != arcs || w.DoneArcs != arcs {
		t.Fatalf("%d awake, arcs %d and %d, want %d and %d", w.Awake, w.AwakeArcs, w.DoneArcs, count, arcs)
	}
}
