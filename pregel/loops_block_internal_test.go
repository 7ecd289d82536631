package pregel

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// Each row of a block is, to the last bit, what its offers combine to one by one,
// and what gather makes of it.
func TestBlock(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 50 {
		offers, us, bounds := randomRows(r)
		floats, halves := make([]float64, len(offers)), make([]float32, len(offers))
		for i, x := range offers {
			floats[i], halves[i] = float64(x)/7e5-300, float32(x)/7e5-300
		}
		for _, m := range []Monoid[uint32]{Sum[uint32](), Min[uint32](), Max[uint32](), Or[uint32]()} {
			checkBlock(t, m, offers, us, bounds)
		}
		for _, m := range []Monoid[float64]{Sum[float64](), Min[float64](), Max[float64]()} {
			checkBlock(t, m, floats, us, bounds)
		}
		checkBlock(t, Sum[float32](), halves, us, bounds)
	}
}

// randomRows makes up to a block of rows of up to 13 targets, or of four each, which
// neither begin with the first arc nor, often, end with the last.
func randomRows(r *rand.Rand) (offers, us []uint32, bounds []uint64) {
	offers = make([]uint32, 1+r.IntN(300))
	for i := range offers {
		offers[i] = r.Uint32()
	}
	bounds = []uint64{uint64(r.IntN(5))}
	fours := r.IntN(4) == 0
	for range 1 + r.IntN(BlockSize) {
		length := uint64(r.IntN(14))
		if fours {
			length = 4
		}
		bounds = append(bounds, bounds[len(bounds)-1]+length)
	}
	for range int(bounds[len(bounds)-1]) + r.IntN(8) {
		us = append(us, r.Uint32N(uint32(len(offers))))
	}
	return offers, us, bounds
}

func checkBlock[M Number](t *testing.T, m Monoid[M], offers []M, us []uint32, bounds []uint64) {
	t.Helper()
	messages := make([]M, len(bounds)-1)
	m.loops.block(m.Identity, messages, append(slices.Clip(offers), m.Identity), us, bounds)
	for i, got := range messages {
		row, want := us[bounds[i]:bounds[i+1]], m.Identity
		for _, u := range row {
			want = m.Func(want, offers[u])
		}
		gathered := m.loops.gather(opCopy, m.Identity, m.Identity, offers, row, graph.Weights{}, nil)
		if string(mem.Bytes([]M{got})) != string(mem.Bytes([]M{want})) || got != gathered {
			t.Fatalf("%s of row %d of %d targets: %v, want %v; gather says %v", m.Name, i, len(row), got, want, gathered)
		}
	}
}
