package sssp

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
)

// A vertex that was lowered into an earlier bucket is looked at there alone: its arcs
// are counted once. One that leads nowhere is not looked at. Of several tight arcs the least source is the parent.
func TestRowsAndParents(t *testing.T) {
	arcs := []graph.Arc{{U: 0, V: 1, W: 1}, {U: 0, V: 2, W: 1}, {U: 0, V: 3, W: 50}, {U: 1, V: 3, W: 1}, {U: 2, V: 3, W: 1}, {U: 3, V: 4, W: 1}, {U: 3, V: 5, W: 1}}
	g, err := graph.FromArcs(6, graph.ArcList{List: arcs, Weighted: true}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	var awake, sent uint64
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1}), Observe: func(r pregel.StepRecord) { awake, sent = awake+r.Awake, sent+r.Arcs }}
	answer, err := (&SSSP{Source: "0", Method: DeltaStepping, Delta: 1}).Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if awake != 4 || sent != uint64(len(arcs)) {
		t.Errorf("%d vertices were looked at along %d arcs, want 4 and %d", awake, sent, len(arcs))
	}
	if want := []uint32{graph.None, 0, 0, 1, 3, 3}; !slices.Equal(answer.Table.Columns[1].Vertices, want) {
		t.Errorf("parents %v, want %v", answer.Table.Columns[1].Vertices, want)
	}
}

// Where all weights are positive the parent is the least source of a tight arc, for rows
// of any length, read without a branch or with: light weights make many arcs tight.
func TestLeastParents(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 13))
	for trial := range 40 {
		n := 2 + r.IntN(200)
		list := make([]graph.Arc, r.IntN(8*n))
		for i := range list {
			list[i] = graph.Arc{U: r.Uint32N(uint32(n)), V: r.Uint32N(uint32(n)), W: 1 + r.Int32N(3)}
		}
		g, err := graph.FromArcs(n, graph.ArcList{List: list, Weighted: trial%3 > 0}, graph.Options{Directed: trial%2 > 0})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := (&SSSP{Source: "0", Method: DeltaStepping}).Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})})
		if err != nil {
			t.Fatal(err)
		}
		dist := answer.Table.Columns[0].Ints
		for v, parent := range answer.Table.Columns[1].Vertices {
			want := graph.None
			for u := n - 1; u >= 0 && v > 0 && dist[v] != pregel.NoInt; u-- {
				if dist[u] != pregel.NoInt && hasArc(g.Out(), uint32(u), uint32(v), dist[v]-dist[u]) {
					want = uint32(u)
				}
			}
			if parent != want {
				t.Fatalf("trial %d: parent of %d is %d, want %d", trial, v, parent, want)
			}
		}
	}
}

// hasArc tells whether there is an arc from u to v of weight w.
func hasArc(out graph.CSR, u, v uint32, w int64) bool {
	for i, to := range out.Neighbors(u) {
		if to == v && weight[int64](out, out.Offsets.At(u)+uint64(i)) == w {
			return true
		}
	}
	return false
}

// Whoever takes pieces of a list, each vertex is taken once, also where the last piece, or that
// at the end of a chunk, is not full; chunks of a list that is done are free again.
func TestPieces(t *testing.T) {
	for _, n := range []int{0, 1, pieceSize - 1, pieceSize, pieceSize + 1, leastChunk - chunkHead, leastChunk, 1000*pieceSize + 7} {
		for _, size := range []int{1, 7, pieceSize, leastChunk, 1 << 30} {
			b := filled(n)
			b.list = b.take(3, b.list)
			var taken [3][]uint32
			var wg sync.WaitGroup
			for i := range taken {
				wg.Go(func() {
					for us := b.piece(size); len(us) > 0; us = b.piece(size) {
						taken[i] = append(taken[i], us...)
					}
				})
			}
			wg.Wait()
			all := slices.Sorted(slices.Values(slices.Concat(taken[:]...)))
			if len(all) != n || n > 0 && (all[0] != 0 || int(all[n-1]) != n-1 || len(slices.Compact(all)) != n) {
				t.Errorf("of %d vertices %d were taken, in pieces of %d", n, len(all), size)
			}
			if b.recycle(); len(b.piece(size)) > 0 || len(b.list) > 0 {
				t.Errorf("vertices are left of %d", n)
			}
			if b.unused() != len(b.chunks) {
				t.Errorf("%d of %d chunks are free", b.unused(), len(b.chunks))
			}
		}
	}
}

// A run that goes on from the state at any barrier finds the same distances, and parents
// where labels have them, by other buckets or not.
func TestRestoredAtEveryBarrier(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 5))
	pool := cpu.New(cpu.Options{Workers: 3}).Pool()
	for _, most := range []int32{60, 1 << 15} { // the heavier lie beyond the ring
		list := make([]graph.Arc, 3000)
		for i := range list {
			list[i] = graph.Arc{U: r.Uint32N(600), V: r.Uint32N(600), W: 1 + r.Int32N(most)}
		}
		g, err := graph.FromArcs(600, graph.ArcList{List: list, Weighted: true}, graph.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, small := range []bool{false, true} {
			restoredAtEach(t, pool, g, &relaxing[int64]{far: pregel.NoInt, limit: pregel.NoInt, shift: 2, unit: 1, small: small})
			restoredAtEach(t, pool, g, &relaxing[way]{first: way(graph.None), far: unreached, limit: 1 << 63, shift: 34, unit: 1 << 32, up: 32, small: small})
		}
	}
}

func restoredAtEach[T label](t *testing.T, pool pregel.Pool, g *graph.Graph, start *relaxing[T]) {
	t.Helper()
	whole, barriers := relaxedFrom(t, pool, g, start, 1<<30)
	for k := range barriers {
		if got, _ := relaxedFrom(t, pool, g, start, k); !slices.Equal(got, whole) {
			t.Fatalf("%T, %v: gone on with after %d of %d supersteps: other labels", whole, g.WeightRange(), k, barriers)
		}
	}
}

// relaxedFrom finds labels, going on from the state after so many supersteps, and
// returns how many there were until then.
func relaxedFrom[T label](t *testing.T, pool pregel.Pool, g *graph.Graph, start *relaxing[T], restored int) (dist []T, steps int) {
	begun := func() *relaxing[T] {
		r := &relaxing[T]{g: g, dist: make([]T, g.N()), first: start.first, far: start.far, limit: start.limit, shift: start.shift, unit: start.unit, up: start.up, small: start.small}
		if err := errors.Join(r.Begin(pool.Workers()), r.Init(pool)); err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := begun()
	for ; r.Pending() > 0; steps++ {
		if steps == restored {
			s := r.State()
			if r = begun(); r.Restore(s) != nil {
				t.Fatal("not restored")
			}
		}
		if _, err := r.Superstep(steps, pool); err != nil {
			t.Fatal(err)
		}
	}
	return r.dist, steps
}

// A bucket whose vertices have many arcs is as much work as one of more vertices with few.
func TestWorkOfBuckets(t *testing.T) {
	for _, c := range []struct{ sent, computed, want uint64 }{{0, 0, 128}, {40, 10, 128}, {0, 10, 256}, {280, 10, 32}, {1 << 40, 1, 1}} {
		r := &relaxing[int64]{each: usualArcs}
		r.measure(&pregel.VertexCounts{Computed: c.computed, Sent: c.sent})
		if got := r.as(128); got != c.want {
			t.Errorf("%d vertices with %d arcs: 128 are as much work as %d, want %d", c.computed, c.sent, got, c.want)
		}
	}
}

// Distances fit into 32 bits below 2^31, whatever is not reached.
func TestShorten(t *testing.T) {
	short := make([]uint32, 3)
	if list := []int64{0, 1<<31 - 1, pregel.NoInt}; !shorten(short, list, 1) || !slices.Equal(short, []uint32{0, 1<<31 - 1, 1<<32 - 1}) {
		t.Errorf("%v became %v", list, short)
	}
	if list := []int64{0, 1 << 31, pregel.NoInt}; shorten(short, list, 1) {
		t.Errorf("%v fits, as %v", list, short)
	}
}
