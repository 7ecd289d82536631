package cpu_test

import (
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// told is a vertex that has heard of the greatest number: messages may be the
// combiner's identity, and are messages all the same.
type told[M any] struct {
	combine pregel.Monoid[M]
	message M
}

func (p told[M]) Spec() pregel.Spec[M] {
	return pregel.Spec[M]{Combine: p.combine}
}
func (told[M]) Init(v pregel.Vertex[bool]) (bool, bool) { return v.ID == 0, v.ID == 0 }
func (p told[M]) Emit(pregel.Vertex[bool]) M            { return p.message }
func (told[M]) Apply(v pregel.Vertex[bool], _ M, got bool) (bool, bool) {
	return v.Value || got, got && !v.Value
}
func (told[M]) Relaxes() bool { return true }

func TestIdentityIsAMessage(t *testing.T) {
	type pair struct{ a, b uint64 }
	greater := pregel.Combine("greater", 0, func(a, b uint32) uint32 { return max(a, b) })
	greater.Idempotent = true
	many := greater
	many.Many = func(as, bs []uint32) {
		for i, b := range bs {
			as[i] = max(as[i], b)
		}
	}
	apart := pregel.Combine("greater of both", pair{}, func(x, y pair) pair { return pair{max(x.a, y.a), max(x.b, y.b)} })
	apart.Idempotent = true
	g, err := graph.FromArcs(200, ring(200), graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range race.Workers(1, 2, 4) {
		for _, s := range []pregel.Schedule{pregel.BSP, pregel.Relaxed} {
			heard(t, g, workers, s, told[uint32]{greater, 0})
			heard(t, g, workers, s, told[uint32]{greater, 7})
			heard(t, g, workers, s, told[uint32]{many, 0})
			heard(t, g, workers, s, told[uint32]{many, 7})
			heard(t, g, workers, s, told[pair]{apart, pair{}})
			heard(t, g, workers, s, told[pair]{apart, pair{0, 7}})
		}
	}
}

// ring is a cycle with as many chords.
func ring(n uint32) graph.ArcList {
	var l graph.ArcList
	for u := range n {
		l.List = append(l.List, graph.Arc{U: u, V: (u + 1) % n}, graph.Arc{U: u, V: (u * 7) % n})
	}
	return l
}

func heard[M any](t *testing.T, g *graph.Graph, workers int, s pregel.Schedule, p told[M]) {
	t.Helper()
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers, Schedule: s})}
	r, err := pregel.RunEdge(t.Context(), j, p)
	if err != nil {
		t.Fatal(err)
	}
	for v, x := range r.Values {
		if !x {
			t.Fatalf("%d workers, schedule %v, message %v: vertex %d has heard nothing", workers, s, p.message, v)
		}
	}
}
