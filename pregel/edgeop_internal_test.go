package pregel

import (
	"math"
	"math/rand/v2"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// Named operations do for many arcs what they do for each, to the last bit.
func TestNamedForMany(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	named := func(i int) float64 { return []float64{0, -1, 2.75, math.Inf(1), math.MaxInt32, 1 << 40}[i%6] }
	forMany(t, r, func() float64 { return named(r.Int()) * r.Float64() }, PlusWeight[float64](), TimesWeight[float64](), MinWeight[float64]())
	forMany(t, r, func() float32 { return float32(named(r.Int())) }, PlusWeight[float32](), TimesWeight[float32](), MinWeight[float32]())
	forMany(t, r, r.Uint32, PlusWeight[uint32](), TimesWeight[uint32](), MinWeight[uint32](), SourceID[uint32]())
	forMany(t, r, func() int64 { return int64(r.Uint64()) }, PlusWeight[int64](), TimesWeight[int64](), MinWeight[int64](), SourceID[int64]())
}

func forMany[M Number](t *testing.T, r *rand.Rand, message func() M, ops ...EdgeOp[M]) {
	t.Helper()
	for _, op := range ops {
		for range 100 {
			n := 1 + r.IntN(ArcsAtOnce)
			us, vs, ws, offers := make([]uint32, n), make([]uint32, n), make([]float64, n), make([]M, n)
			for i := range n {
				us[i], vs[i], ws[i], offers[i] = r.Uint32(), r.Uint32(), float64(float32(r.NormFloat64()*100)), message()
				if r.IntN(9) == 0 {
					ws[i] = []float64{0, math.MaxInt32, math.MinInt32, math.MaxFloat32}[r.IntN(4)]
				}
			}
			messages := append([]M(nil), offers...)
			for i, sent := range op.sendMany(messages, us, vs, ws) {
				want, sends := op.Send(offers[i], us[i], vs[i], ws[i])
				if sent != sends || !mem.Same(messages[i], want) {
					t.Fatalf("%s of %v along %v: %v %v, want %v %v", op.Name, offers[i], ws[i], messages[i], sent, want, sends)
				}
			}
		}
	}
}

// So they do of one offer for a row of arcs, of weights of every kind.
func TestNamedForRow(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 5))
	forRow(t, r, r.NormFloat64, PlusWeight[float64](), TimesWeight[float64](), MinWeight[float64]())
	forRow(t, r, func() float32 { return math.Float32frombits(r.Uint32()) }, PlusWeight[float32](), TimesWeight[float32](), MinWeight[float32]())
	forRow(t, r, r.Uint32, PlusWeight[uint32](), TimesWeight[uint32](), MinWeight[uint32]())
	forRow(t, r, r.Uint64, PlusWeight[uint64](), TimesWeight[uint64](), MinWeight[uint64]())
	forRow(t, r, r.Int32, PlusWeight[int32](), TimesWeight[int32](), MinWeight[int32]())
	forRow(t, r, func() int64 { return int64(r.Uint64()) }, PlusWeight[int64](), TimesWeight[int64](), MinWeight[int64]())
}

func forRow[M Number](t *testing.T, r *rand.Rand, message func() M, ops ...EdgeOp[M]) {
	t.Helper()
	for _, op := range ops {
		for range 100 {
			n := r.IntN(40)
			ints, floats, messages := make([]int32, n), make([]float32, n), make([]M, n)
			for i := range n {
				ints[i], floats[i] = int32(r.Uint32())>>r.IntN(32), float32(r.NormFloat64()*100)
			}
			for _, w := range []graph.Weights{{}, {Int: ints}, {Float: floats}} {
				x := message()
				op.row(x, w, messages)
				for i, got := range messages {
					if want, _ := op.Send(x, 1, 2, w.At(uint64(i))); !mem.Same(got, want) && want == want {
						t.Fatalf("%s of %v and %v: %v by rows, want %v", op.Name, x, w.At(uint64(i)), got, want)
					}
				}
			}
		}
	}
}

// A record counts the bytes of weights where an operation may look at them.
func TestWidthsOfWeights(t *testing.T) {
	g, err := graph.FromArcs(2, graph.ArcList{List: []graph.Arc{{U: 0, V: 1, W: 3}}, Weighted: true}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	op := EdgeFunc("same", func(x uint32, _, _ uint32, _ float64) (uint32, bool) { return x, true })
	blind := op
	blind.Weightless = true
	for _, k := range []struct {
		EdgeOp[uint32]
		want uint64
	}{{Copy[uint32](), 0}, {SourceID[uint32](), 0}, {PlusWeight[uint32](), 4}, {op, 4}, {blind, 0}} {
		task := edgeTask[uint32, uint32]{g: g, spec: Spec[uint32]{Edge: k.EdgeOp}}
		if got := task.Widths().Weight; got != k.want {
			t.Errorf("%s, weightless %v: %d bytes of a weight, want %d", k.Name, k.Weightless, got, k.want)
		}
	}
}
