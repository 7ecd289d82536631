package pregel

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
)

// picky is awake, settled or waiting by its value, which Init takes from the id and Apply makes
// another.
type picky struct {
	along Along
	salt  uint32
}

func (p picky) Spec() Spec[uint32] { return Spec[uint32]{Combine: Max[uint32](), Along: p.along} }
func (p picky) Init(v Vertex[uint32]) (uint32, bool) {
	x := v.ID*p.salt + v.OutDegree
	return x, x%3 != 0
}
func (picky) Emit(v Vertex[uint32]) uint32 { return v.Value | 1 }
func (p picky) Apply(v Vertex[uint32], m uint32, _ bool) (uint32, bool) {
	x := (v.Value+m)*p.salt + v.OutDegree
	return x, x%3 != 0
}
func (picky) Settled(x uint32) bool    { return x%5 == 0 }
func (picky) Priority(x uint32) uint64 { return uint64(x % 2) }

// What a worker counts of vertices, and their bits, after Init and a pull, follow from their values
// and all of their arcs, one direction's or both's.
func TestCountsOfBlocks(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	for range 60 {
		n := 1 + r.IntN(300)
		var arcs []graph.Arc
		for range r.IntN(4 * n) {
			arcs = append(arcs, graph.Arc{U: r.Uint32N(uint32(n)), V: r.Uint32N(uint32(n))})
		}
		g, err := graph.FromArcs(n, graph.ArcList{List: arcs}, graph.Options{Directed: true})
		if err != nil {
			t.Fatal(err)
		}
		p := picky{Along(r.IntN(3)), r.Uint32() | 1}
		task := bindEdge[uint32, uint32](g, p, nil)
		if err := task.Begin(1); err != nil {
			t.Fatal(err)
		}
		w, next, what := &Worker{Superstep: -1}, bitmap.New(n), fmt.Sprintf("%d vertices, %d arcs, %+v", n, len(arcs), p)
		task.Init(0, uint32(n), w, next)
		all := bitmap.New(n)
		for v := range uint32(n) {
			all.Set(v)
		}
		wantCounts(t, what+", Init", task, w, next, all, bitmap.New(n))
		w.Superstep, w.Awake, w.AwakeArcs, w.DoneArcs = 0, 0, 0, 0
		f, values := Frontier{Bits: next}, append([]uint32(nil), task.values...)
		task.Prepare(Pull)
		task.Emit(0, uint32(n), w, f)
		after, waited := bitmap.New(n), append(bitmap.Bitmap(nil), task.waiting...)
		task.Pull(0, uint32(n), w, f, after)
		changed := bitmap.New(n)
		for v, x := range task.values {
			if x != values[v] {
				changed.Set(uint32(v))
			}
		}
		wantCounts(t, what+", Pull", task, w, after, changed, waited)
	}
}

// wantCounts wants counts and bits of the vertices of a set. Who has waited waits on, until it is awake.
func wantCounts(t *testing.T, what string, task *edgeTask[uint32, uint32], w *Worker, awake, set, waited bitmap.Bitmap) {
	t.Helper()
	var n, arcs, done uint64
	for v, x := range task.values {
		v, p := uint32(v), picky{}
		if !set.Has(v) {
			continue
		}
		wakes := x%3 != 0
		due := wakes && p.Priority(x) <= task.current
		if due {
			n, arcs = n+1, arcs+task.degree(v)
		}
		if p.Settled(x) {
			done += task.degree(v)
		}
		if awake.Has(v) != due || task.waiting.Has(v) != ((wakes || waited.Has(v)) && !due) || task.settled.Has(v) != p.Settled(x) {
			t.Fatalf("%s: vertex %d with %d: awake %v, waiting %v, settled %v", what, v, x, awake.Has(v), task.waiting.Has(v), task.settled.Has(v))
		}
	}
	if w.Awake != n || w.AwakeArcs != arcs || w.DoneArcs != done {
		t.Fatalf("%s: %d awake with %d arcs, %d done, want %d, %d, %d", what, w.Awake, w.AwakeArcs, w.DoneArcs, n, arcs, done)
	}
}
