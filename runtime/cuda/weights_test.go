//go:build cuda || emulate

package cuda

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// A weighing draws the weight of an arc: one of them is used.
type weighing struct {
	name string
	int  func(r *rand.Rand) int32
	real func(r *rand.Rand) float32
}

func weighings() []weighing {
	odd := []float32{0, float32(math.Copysign(0, -1)), 1, -1, math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, float32(math.Inf(1)), float32(math.Inf(-1))}
	return []weighing{
		{name: "few", int: func(r *rand.Rand) int32 { return 1 + r.Int32N(255) }},
		{name: "any", int: func(r *rand.Rand) int32 { return int32(r.Uint32()) }},
		{name: "small of both signs", int: func(r *rand.Rand) int32 { return r.Int32N(2001) - 1000 }},
		{name: "two bytes apart", int: func(r *rand.Rand) int32 { return r.Int32N(3) << 16 }},
		{name: "equal", int: func(*rand.Rand) int32 { return 7 }},
		{name: "floats", real: func(r *rand.Rand) float32 { return float32(r.NormFloat64()) }},
		{name: "odd floats", real: func(r *rand.Rand) float32 { return odd[r.IntN(len(odd))] }},
	}
}

// weigh makes a graph in order of degree of some arcs, which it weighs.
func weigh(t *testing.T, r *rand.Rand, n int, u, v []uint32, w weighing, directed bool) *graph.Graph {
	t.Helper()
	c := graph.Columns{U: u, V: v}
	for range u {
		if w.int != nil {
			c.Weights.Int = append(c.Weights.Int, w.int(r))
		} else {
			c.Weights.Float = append(c.Weights.Float, w.real(r))
		}
	}
	g, err := graph.Build(t.Context(), graph.RangeIDs(0, n), c, graph.Options{Directed: directed})
	if err != nil {
		t.Fatal(err)
	}
	p, err := pregel.Prepare(t.Context(), g, "degree", 2)
	if err != nil {
		t.Fatal(err)
	}
	return p.Graph
}

// hubs are arcs of which the first vertices have very many, some others a few
// hundred or thousand, and most few; there are loops and parallel arcs.
func hubs(r *rand.Rand, n, largest int) (u, v []uint32) {
	for size := largest; size > 0; size /= 3 {
		hub := r.Uint32N(uint32(n))
		for range size {
			u, v = append(u, hub), append(v, r.Uint32N(uint32(n)))
		}
	}
	for range n {
		u, v = append(u, r.Uint32N(uint32(n))), append(v, r.Uint32N(uint32(n)))
	}
	return u, v
}

// Lists by weight are those that the host's sort gives.
func TestByWeight(t *testing.T) {
	e := opened(t)
	r := fresh(t)
	all := weighings()
	if testing.Short() {
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:2]
	}
	for _, w := range all {
		for _, directed := range []bool{false, true} {
			e.Wide = r.IntN(2) == 0
			for _, size := range [][2]int{{1, 0}, {1, 3}, {40, 30}, {1000, 9000}} {
				u, v := hubs(r, size[0], size[1])
				checkByWeight(t, e, w.name, weigh(t, r, size[0], u, v, w, directed))
			}
		}
	}
	checkByWeight(t, e, "no vertex", weigh(t, r, 0, nil, nil, all[0], true))
	checkByWeight(t, e, "no arc", weigh(t, r, 70, nil, nil, all[0], false))
}

// Lists that are sorted in pieces.
func TestByWeightOfHubs(t *testing.T) {
	e := opened(t)
	r := fresh(t)
	all := weighings()
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if testing.Short() {
		all = all[:1]
	}
	for _, w := range all[:min(2, len(all))] {
		e.Wide = r.IntN(2) == 0
		u, v := hubs(r, 5000, blockList+1+r.IntN(blockList/2))
		checkByWeight(t, e, w.name, weigh(t, r, 5000, u, v, w, r.IntN(2) == 0))
	}
}

func checkByWeight(t *testing.T, e *Engine, name string, g *graph.Graph) {
	t.Helper()
	order := ArcOrder(rand.IntN(2))
	name = fmt.Sprintf("%s, order %d", name, order)
	err := e.device.Do(func() error {
		d, err := e.resident(g)
		if err != nil {
			return err
		}
		in, err := d.In()
		if err != nil {
			return err
		}
		for c, host := range map[*CSR]graph.CSR{d.out: g.Out(), in: g.In()} {
			if c == in && c == d.out {
				host = g.Out()
			}
			before := e.used
			sorted, err := d.ByWeight(c, order)
			if err != nil {
				return err
			}
			if g.Arcs() == 0 {
				continue
			}
			checkSorted(t, name, host, sorted, order)
			if room := sorted.Offsets.Size() + sorted.Targets.Size() + sorted.Weights.Size(); e.used != before+room {
				t.Errorf("%s: %d bytes in use, want %d", name, e.used-before, room)
			}
			if again, err := d.ByWeight(c, order); again != sorted || err != nil {
				t.Errorf("%s: made twice; error %v", name, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.GiveUp(); err != nil || e.used != 0 {
		t.Fatalf("%s: error %v, %d bytes are lost", name, err, e.used)
	}
}

func checkSorted(t *testing.T, name string, host graph.CSR, sorted *CSR, o ArcOrder) {
	t.Helper()
	targets, weights := words(t, sorted.Targets), words(t, sorted.Weights)
	offsets := make([]byte, sorted.Offsets.Size())
	if err := sorted.Offsets.Read(0, offsets); err != nil {
		t.Fatal(err)
	}
	got := mem.NarrowOffsets(mem.View[uint32](offsets))
	if len(offsets) == 8*host.Offsets.Len() {
		got = mem.WideOffsets(mem.View[uint64](offsets))
	}
	if !slices.Equal(got.All(), host.Offsets.All()) {
		t.Fatalf("%s: other offsets", name)
	}
	bits := mem.Bits32(host.Weights.Int)
	if host.Weights.Float != nil {
		bits = mem.Bits32(host.Weights.Float)
	}
	for v := range uint32(host.N()) {
		lo, hi := host.Offsets.Row(v)
		order := make([]uint64, hi-lo)
		for i := range order {
			order[i] = lo + uint64(i)
		}
		slices.SortStableFunc(order, func(a, b uint64) int {
			if o == HeaviestFirst {
				return compareWeights(host.Weights, b, a)
			}
			return compareWeights(host.Weights, a, b)
		})
		for i, from := range order {
			at := lo + uint64(i)
			if targets[at] != host.Targets[from] || weights[at] != bits[from] {
				t.Fatalf("%s: arc %d of %d of vertex %d is to %d, %#x, want %d, %#x", name, i, hi-lo, v, targets[at], weights[at], host.Targets[from], bits[from])
			}
		}
	}
}

func compareWeights(w graph.Weights, a, b uint64) int {
	less := func(a, b uint64) bool {
		if w.Float != nil {
			return w.Float[a] < w.Float[b]
		}
		return w.Int[a] < w.Int[b]
	}
	switch {
	case less(a, b):
		return -1
	case less(b, a):
		return 1
	}
	return 0
}

// Without room there are no lists by weight; nothing is lost, and it is not
// tried again.
func TestByWeightWithoutRoom(t *testing.T) {
	e := opened(t)
	r := fresh(t)
	u, v := hubs(r, 300, 9000)
	for i := range uint64(16) {
		g, order := weigh(t, r, 300, u, v, weighings()[1], false), ArcOrder(i%2)
		e.Memory = 0
		err := e.device.Do(func() error {
			d, err := e.resident(g)
			if err != nil {
				return err
			}
			used := e.used
			e.Memory = used + i*g.Arcs()*19/16 + 1 // with all of 16 bytes an arc, there is room
			sorted, err := d.ByWeight(d.out, order)
			if err != nil {
				return err
			}
			if sorted == nil && e.used != used {
				t.Errorf("%d bytes are lost", e.used-used)
			}
			e.Memory = 0
			if again, err := d.ByWeight(d.out, order); again != sorted || err != nil {
				t.Errorf("tried again; error %v", err)
			}
			if i < 8 && sorted != nil || i == 15 && sorted == nil {
				t.Errorf("with %d sixteenths: lists %v", i, sorted != nil)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := e.GiveUp(); err != nil || e.used != 0 {
			t.Fatalf("error %v, %d bytes are lost", err, e.used)
		}
	}
}
