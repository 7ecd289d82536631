package pregel

import (
	"testing"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
)

// halves offers one number below vertex 64, and another from it on.
type halves struct{ below, above uint32 }

func (halves) Spec() Spec[uint32]                                      { return Spec[uint32]{Combine: Min[uint32]()} }
func (halves) Init(v Vertex[uint32]) (uint32, bool)                    { return 0, v.ID != 127 }
func (halves) Settled(x uint32) bool                                   { return x != 0 }
func (halves) Apply(_ Vertex[uint32], m uint32, _ bool) (uint32, bool) { return m, false }
func (p halves) Emit(v Vertex[uint32]) uint32 {
	if v.ID < 64 {
		return p.below
	}
	return p.above
}

// Two workers who have each seen one offer have not seen the same.
func TestOneOfferOfSeveralWorkers(t *testing.T) {
	arcs := graph.ArcList{List: []graph.Arc{{U: 5, V: 127}, {U: 70, V: 127}}}
	g, err := graph.FromArcs(128, arcs, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []halves{{3, 3}, {3, 2}, {2, 3}} {
		task := bindEdge[uint32, uint32](g, p, nil)
		if err := task.Begin(2); err != nil {
			t.Fatal(err)
		}
		one, other, next := &Worker{}, &Worker{Slot: 1}, bitmap.New(128)
		task.Init(0, 128, one, next)
		f := Frontier{Bits: append(bitmap.Bitmap(nil), next...)}
		task.Prepare(Pull)
		task.Emit(64, 128, other, f)
		task.Emit(0, 64, one, f)
		if task.OneOffer() != (p.below == p.above) {
			t.Errorf("%+v: one offer: %v", p, task.OneOffer())
		}
		task.Pull(0, 128, one, f, next)
		if want := min(p.below, p.above); task.values[127] != want {
			t.Errorf("%+v: vertex 127 has %d, want %d", p, task.values[127], want)
		}
	}
}
