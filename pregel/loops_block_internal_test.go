package pregel

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// Each row of a block is, to the last bit, what its offers combine to one by one, long
// sums in lanes, and what gather makes of it.
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

// A target that is no vertex, as in a file that was written over while it was mapped, is an
// error of Go's, in assembly, too.
func TestBlockOfNoVertex(t *testing.T) {
	t.Parallel()
	for at := range 20 {
		us := make([]uint32, 24)
		us[at] = 1 << 30
		func() {
			defer func() {
				if _, ok := recover().(runtime.Error); !ok {
					t.Errorf("target %d of 20 is no vertex: no error", at)
				}
			}()
			m := Sum[float32]()
			m.loops.block(0, make([]float32, 3), make([]float32, 9), us, graph.OffsetsOf([]uint64{0, 1, 3, 20}))
		}()
	}
}

// randomRows makes up to a block of rows of up to 13 targets, or of 50, or of four each,
// or in the mean, which neither begin with the first arc nor, often, end with the last.
func randomRows(r *rand.Rand) (offers, us []uint32, bounds []uint64) {
	offers = make([]uint32, 1+r.IntN(300))
	for i := range offers {
		offers[i] = r.Uint32()
	}
	bounds = []uint64{uint64(r.IntN(5))}
	lengths, fours, most := make([]uint64, 1+r.IntN(BlockSize)), r.IntN(4) == 0, 14+r.IntN(2)*37
	for i := range lengths {
		if lengths[i] = uint64(r.IntN(most)); fours {
			lengths[i] = 4
		}
	}
	if long := []uint64{24, 0, 0, 0, 0, 0}; fours && len(lengths) > len(long) {
		copy(lengths[r.IntN(len(lengths)-len(long)):], long)
	}
	for _, length := range lengths {
		bounds = append(bounds, bounds[len(bounds)-1]+length)
	}
	for range int(bounds[len(bounds)-1]) + r.IntN(8) {
		us = append(us, r.Uint32N(uint32(len(offers))))
	}
	return offers, us, bounds
}

func checkBlock[M Number](t *testing.T, m Monoid[M], offers []M, us []uint32, bounds []uint64) {
	t.Helper()
	for _, rows := range []graph.Offsets{mem.WideOffsets(bounds), graph.OffsetsOf(bounds)} {
		checkRows(t, m, offers, us, bounds, rows)
	}
}

func checkRows[M Number](t *testing.T, m Monoid[M], offers []M, us []uint32, bounds []uint64, rows graph.Offsets) {
	t.Helper()
	messages := make([]M, len(bounds)-1)
	m.loops.block(m.Identity, messages, append(slices.Clip(offers), m.Identity), us, rows)
	for i, got := range messages {
		row := us[bounds[i]:bounds[i+1]]
		want := folded(m, offers, row)
		gathered := m.loops.gather(opCopy, m.Identity, m.Identity, offers, row, graph.Weights{}, nil)
		if string(mem.Bytes([]M{got})) != string(mem.Bytes([]M{want})) || got != gathered {
			t.Fatalf("%s of row %d of %d targets: %v, want %v; gather says %v", m.Name, i, len(row), got, want, gathered)
		}
	}
}

// folded is what the offers of a row combine to: one by one, but a sum of 16 or more in
// four lanes, of every fourth each, up to the last one to four, which follow.
func folded[M Number](m Monoid[M], offers []M, row []uint32) M {
	all := m.Identity
	if n := (len(row) - 1) / 4 * 4; m.Name == "sum" && len(row) >= 16 {
		lanes := [4]M{all, all, all, all}
		for i, u := range row[:n] {
			lanes[i%4] += offers[u]
		}
		all, row = (lanes[0]+lanes[1])+(lanes[2]+lanes[3]), row[n:]
	}
	for _, u := range row {
		all = m.Func(all, offers[u])
	}
	return all
}

// Lanes take every fourth number each, and are joined two by two.
func TestLaneSums(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 40 {
		list, lanes := make([]float64, n), [4]float64{r.Float64(), r.Float64(), 0, 7}
		want := lanes
		for i := range list {
			list[i] = r.NormFloat64()
			want[i%4] += list[i]
		}
		var l laneSums[float64] = sumLoops[float64]{}
		if l.spread(&lanes, list); lanes != want {
			t.Errorf("%d numbers make lanes of %v, want %v", n, lanes, want)
		}
		if got, all := l.joined(&lanes), (want[0]+want[1])+(want[2]+want[3]); got != all {
			t.Errorf("%v joined is %v, want %v", lanes, got, all)
		}
	}
}
