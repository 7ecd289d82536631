package pregel

import (
	"testing"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
)

// meeting is the least number heard of. While vertex 0 applies its first message,
// during is called: what others do meanwhile.
type meeting struct {
	byCalls bool
	during  func()
}

func (p *meeting) Spec() Spec[uint32] {
	if p.byCalls {
		return Spec[uint32]{Combine: Min[uint32](), Edge: EdgeFunc("as it is", func(x uint32, _, _ uint32, _ float64) (uint32, bool) { return x, true })}
	}
	return Spec[uint32]{Combine: Min[uint32]()}
}
func (*meeting) Init(v Vertex[uint32]) (uint32, bool) { return 10 - v.ID, v.ID > 0 }
func (*meeting) Emit(v Vertex[uint32]) uint32         { return v.Value }
func (p *meeting) Apply(v Vertex[uint32], m uint32, _ bool) (uint32, bool) {
	if during := p.during; v.ID == 0 && during != nil {
		p.during = nil
		during()
	}
	return min(v.Value, m), m < v.Value
}
func (*meeting) Relaxes() bool { return true }

// A message that comes while its vertex is in another worker's hands, after that
// has read what there is, must lead to another visit, by exactly one of the two.
func TestMessageDuringApply(t *testing.T) {
	arcs := graph.ArcList{List: []graph.Arc{{U: 1, V: 0}, {U: 2, V: 0}}}
	g, err := graph.FromArcs(3, arcs, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, byCalls := range []bool{false, true} {
		p := &meeting{byCalls: byCalls}
		task := bindEdge[uint32, uint32](g, p, nil)
		owner, other := &Worker{}, &Worker{Slot: 1}
		if err := task.Begin(2); err != nil {
			t.Fatal(err)
		}
		next := bitmap.New(3)
		task.Init(0, 3, owner, next)
		task.PrepareRelax()
		task.Start(0, 3, other, next) // 1 and 2 are awake, with 9 and 8
		other.Touched = nil
		task.Relax([]uint32{1}, other)
		if len(other.Touched) != 1 {
			t.Fatalf("1 has sent to %v", other.Touched)
		}
		other.Touched = nil
		p.during = func() { task.Relax([]uint32{2}, other) }
		task.Relax([]uint32{0}, owner)
		if task.values[0] != 9 || len(owner.Touched) != 1 || len(other.Touched) != 0 {
			t.Fatalf("by calls %v: 0 has %d; lists %v and %v", byCalls, task.values[0], owner.Touched, other.Touched)
		}
		task.Relax(owner.Touched, owner)
		if task.values[0] != 8 {
			t.Fatalf("by calls %v: 0 has %d, want 8", byCalls, task.values[0])
		}
	}
}
