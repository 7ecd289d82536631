package sssp

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
)

// filled is buckets, in chunks of the least size, one of which has the vertices below n.
func filled(n int) *buckets[uint32] {
	b := &buckets[uint32]{lists: lists{ring: make([][]uint32, ringSize), free: noChunk, size: leastChunk}}
	r := &relaxing[uint32]{}
	for v := range n {
		r.put(b, uint32(v), 3)
	}
	return b
}

// unused is how many chunks are free.
func (l *lists) unused() (n int) {
	for k := l.free; k != noChunk; k = l.chunks[k][0] {
		n++
	}
	return n
}

// Buckets that are filled, counted and taken in any order have what was put into them, in that
// order, and chunks that are given back are used again: there are no more than the fullest moment
// needed, and some more of a slab.
func TestLists(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 7))
	r, b, want := &relaxing[uint32]{}, filled(0), make([][]uint32, 9)
	held, most := func(n int) int { return (n + b.room() - 1) / b.room() }, 0
	for trial := range 4000 {
		at := draw.Uint64N(9)
		for range draw.IntN(200) {
			v := draw.Uint32()
			r.put(b, v, at)
			want[at] = append(want[at], v)
		}
		chunks := 0
		for _, list := range want {
			chunks += held(len(list))
		}
		most = max(most, chunks)
		at = draw.Uint64N(9)
		bound := draw.IntN(500)
		if n := b.count(at, bound); n != len(want[at]) && (n <= bound || n > len(want[at])) {
			t.Fatalf("trial %d: %d vertices counted up to %d, want %d", trial, n, bound, len(want[at]))
		}
		if trial%2 == 0 {
			continue
		}
		list := b.take(at, nil)
		var got []uint32
		for _, c := range list {
			got = append(got, c[chunkHead:]...)
		}
		if !slices.Equal(got, want[at]) {
			t.Fatalf("trial %d: %d vertices taken, want %d, or others", trial, len(got), len(want[at]))
		}
		if b.give(list); b.count(at, 1) != 0 {
			t.Fatalf("trial %d: a bucket that was taken is not empty", trial)
		}
		want[at] = nil
	}
	if enough := 2*most + leastSlab/b.size; len(b.chunks) > enough {
		t.Errorf("there are %d chunks, and at most %d were in use", len(b.chunks), most)
	}
}

// What is taken ahead is a quarter of what is in use, or little.
func TestSlabs(t *testing.T) {
	for _, n := range []int{1, 1 << 14, 1 << 18, 1 << 22} {
		b := filled(n)
		held := len(b.chunks) - b.unused()
		if most := held + held/4 + leastSlab/b.size; len(b.chunks) > most || held != (n+b.room()-1)/b.room() {
			t.Errorf("%d vertices have %d of %d chunks, want %d at most", n, held, len(b.chunks), most)
		}
	}
}

// A worker goes on with what it has put into the current bucket itself if that is little, else
// it is the next superstep's, all of it.
func TestGoesOnWithLittle(t *testing.T) {
	for _, n := range []int{fuseBelow - 1, fuseBelow, 3000} {
		arcs := make([]graph.Arc, n) // from vertex 0 to n, which lead back
		for i := range arcs {
			arcs[i] = graph.Arc{U: 0, V: uint32(i + 1), W: 1}
			arcs = append(arcs, graph.Arc{U: uint32(i + 1), V: 0, W: 1})
		}
		g, err := graph.FromArcs(n+1, graph.ArcList{List: arcs, Weighted: true}, graph.Options{Directed: true})
		if err != nil {
			t.Fatal(err)
		}
		pool := cpu.New(cpu.Options{Workers: 1}).Pool()
		r := &relaxing[uint32]{g: g, dist: make([]uint32, n+1), far: 1 << 31, limit: 1 << 31, unit: 1, shift: 1}
		step(t, r, pool)
		want := uint64(0)
		if n >= fuseBelow {
			want = uint64(n)
		}
		if step(t, r, pool); r.Pending() != want {
			t.Errorf("of %d vertices %d are left, want %d", n, r.Pending(), want)
		}
		for r.Pending() > 0 {
			step(t, r, pool)
		}
		if b := &r.byWorker[0]; b.unused() != len(b.chunks) {
			t.Errorf("%d vertices: %d of %d chunks are free", n, b.unused(), len(b.chunks))
		}
	}
}

// Each is told of all vertices, whichever list they are in.
func TestEach(t *testing.T) {
	b := filled(1000)
	b.list, b.far = b.take(3, nil), []uint32{3000}
	r := &relaxing[uint32]{}
	for v := uint32(1000); v < 3000; v++ {
		r.put(b, v, uint64(v%7))
	}
	var all []uint32
	b.each(func(list []uint32) { all = append(all, list...) })
	slices.Sort(all)
	for v := range uint32(3001) {
		if int(v) >= len(all) || all[v] != v {
			t.Fatalf("of 3001 vertices there are %d, not %d", len(all), v)
		}
	}
}

// Lists of a search that is over are the next one's, with their chunks, if those are of the size
// that it wants.
func TestListsAreKept(t *testing.T) {
	keptLists.Take() // whatever other tests have left
	g, err := graph.FromArcs(2, graph.ArcList{List: []graph.Arc{{U: 0, V: 1, W: 5}}, Weighted: true}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &relaxing[int64]{g: g, dist: make([]int64, 2), unit: 1}
	if err := r.Begin(1); err != nil {
		t.Fatal(err)
	}
	b := &r.byWorker[0]
	r.put(b, 1, 5)
	if r.next(); r.current != 5 || r.pending != 1 || !slices.Equal(b.piece(7), []uint32{1}) {
		t.Fatalf("bucket %d is next, with %d vertices", r.current, r.pending)
	}
	size, first := b.size, &b.chunks[0][0]
	r.keep()
	if l := takeLists(size); len(l.chunks) == 0 || &l.chunks[0][0] != first || l.free != 0 {
		t.Errorf("%d chunks are left, of which %d is the first to take", len(l.chunks), l.free)
	} else {
		keptLists.Give(l)
	}
	if l := takeLists(size + 1); len(l.chunks) > 0 || l.free != noChunk || len(l.ring) != ringSize {
		t.Errorf("chunks of %d numbers are taken for %d", size, size+1)
	}
}

// Chunks are large where they can be, and their empty rooms never more than the vertices unless
// they are of the least size.
func TestChunkSize(t *testing.T) {
	for _, c := range []struct {
		n, workers int
		buckets    uint64
		want       int
	}{{1 << 20, 2, 257, mostChunk}, {1 << 18, 2, 256, 512}, {1 << 20, 64, 256, 64}, {1, 1, 1, leastChunk}, {1 << 20, 2, 1 << 63, 128}, {1 << 20, 1, 0, mostChunk}} {
		if got := chunkSize(c.n, c.workers, c.buckets); got != c.want+chunkShift {
			t.Errorf("%d vertices, %d workers with %d buckets: chunks of %d, want %d", c.n, c.workers, c.buckets, got, c.want+chunkShift)
		}
	}
}

// After a superstep no batch is under way, and every vertex of the bucket has been looked at: here
// of lists of all lengths about those of batches, done alone and by several workers.
func TestBatchesAreFinished(t *testing.T) {
	for _, n := range []int{1, batch - 1, batch, batch + 1, 2 * batch, 3*batch + 1, 40 * batch, 3000} {
		arcs := make([]graph.Arc, n) // from vertex 0 to n, and from those to a dead end each
		for i := range arcs {
			arcs[i] = graph.Arc{U: 0, V: uint32(i + 1), W: 1}
			arcs = append(arcs, graph.Arc{U: uint32(i + 1), V: uint32(n + i + 1), W: 1})
		}
		g, err := graph.FromArcs(2*n+1, graph.ArcList{List: arcs, Weighted: true}, graph.Options{Directed: true})
		if err != nil {
			t.Fatal(err)
		}
		for workers := 1; workers <= 4; workers++ { // four on a graph that counts as small
			pool := cpu.New(cpu.Options{Workers: workers}).Pool()
			r := &relaxing[uint32]{g: g, dist: make([]uint32, 2*n+1), far: 1 << 31, limit: 1 << 31, unit: 1, small: workers == 4}
			sum := step(t, r, pool)
			for ; r.Pending() > 0; sum += step(t, r, pool) {
			}
			if sum != uint64(n+1) {
				t.Errorf("%d workers looked at %d vertices, want %d", workers, sum, n+1)
			}
			for i := range r.byWorker {
				if b := &r.byWorker[i]; b.unused() != len(b.chunks) {
					t.Errorf("worker %d of %d has lost chunks: %d of %d are free", i, workers, b.unused(), len(b.chunks))
				}
			}
		}
	}
}

// step begins, or does a superstep, and returns how many vertices were looked at.
func step(t *testing.T, r *relaxing[uint32], pool pregel.Pool) uint64 {
	t.Helper()
	if r.byWorker == nil {
		if err := r.Begin(pool.Workers()); err != nil {
			t.Fatal(err)
		}
		if err := r.Init(pool); err != nil {
			t.Fatal(err)
		}
		return 0
	}
	counts, err := r.Superstep(0, pool)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.byWorker {
		if b := &r.byWorker[i]; len(b.asked) > 0 || b.blocks[0].size+b.blocks[1].size > 0 {
			t.Fatalf("worker %d has left batches under way", i)
		}
	}
	return counts.Computed
}
