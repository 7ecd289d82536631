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

// far is the length of the shortest path from a vertex that is awake.
type far struct{ meeting }

func (*far) Spec() Spec[uint32] {
	return Spec[uint32]{Combine: Min[uint32](), Edge: PlusWeight[uint32]()}
}
func (*far) Init(v Vertex[uint32]) (uint32, bool) { return Largest[uint32](), v.ID > 0 }
func (*far) Emit(v Vertex[uint32]) uint32         { return v.ID }

// A vertex waits for its turn, claimed, where its message has a rank above the current one; a
// better message has it wait for less, or no more, and only one worker takes it.
func TestTurns(t *testing.T) {
	arcs := graph.ArcList{List: []graph.Arc{{U: 1, W: 1000}, {U: 2, W: 500}, {U: 3, W: 2}, {U: 4}}, Weighted: true}
	g, err := graph.FromArcs(5, arcs, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	task := bindEdge[uint32, uint32](g, &far{}, nil)
	one, other := &Worker{}, &Worker{Slot: 1}
	if err := task.Begin(2); err != nil {
		t.Fatal(err)
	}
	next := bitmap.New(5)
	task.Init(0, 5, one, next)
	task.PrepareRelax()
	task.Start(0, 5, one, next)
	one.Touched, one.Waiting = nil, 0
	if !task.Ranks() {
		t.Fatal("lengths have no order")
	}
	far, nearer, near := task.rank.of(1001), task.rank.of(502), task.rank.of(5)
	if near >= nearer || nearer >= far {
		t.Fatalf("ranks %d, %d, %d", near, nearer, far)
	}
	task.SetNear(near)
	task.Relax([]uint32{1}, one)
	task.Relax([]uint32{2}, other)
	if len(one.Touched)+len(other.Touched) != 0 || len(one.Behind) != 1 || one.Behind[0] != (Deferred{0, far}) ||
		len(other.Behind) != 1 || other.Behind[0] != (Deferred{0, nearer}) || task.values[0] != Largest[uint32]() {
		t.Fatalf("lists %v, %v; waiting %v, %v; value %d", one.Touched, other.Touched, one.Behind, other.Behind, task.values[0])
	}
	if s := task.RelaxState(); len(s.To) != 1 || s.To[0] != 0 || s.Messages.([]uint32)[0] != 502 {
		t.Fatalf("messages under way to %v: %v", s.To, s.Messages)
	}
	task.Relax([]uint32{3}, other) // due at once
	if len(other.Touched) != 1 || other.Touched[0] != 0 || int64(one.Waiting+other.Waiting) != -3 {
		t.Fatalf("list %v, %d wait", other.Touched, int64(one.Waiting+other.Waiting))
	}
	task.Turn([]uint32{0, 0}, one)
	task.Relax([]uint32{4}, one)
	if len(one.Touched) != 0 {
		t.Fatalf("0 is in the hands of two workers")
	}
	task.Relax(other.Touched, other)
	if task.values[0] != 4 {
		t.Fatalf("0 has %d, want 4", task.values[0])
	}
}

// Where an order would be of no use, or later messages may be better, there is none.
func TestNoOrder(t *testing.T) {
	for _, weights := range [][2]int32{{3, 3}, {3, -1}, {0, 0}} {
		arcs := graph.ArcList{List: []graph.Arc{{U: 1, W: weights[0]}, {U: 2, W: weights[1]}}, Weighted: true}
		g, err := graph.FromArcs(3, arcs, graph.Options{Directed: true})
		if err != nil {
			t.Fatal(err)
		}
		task := bindEdge[uint32, uint32](g, &far{}, nil)
		if err := task.Begin(1); err != nil {
			t.Fatal(err)
		}
		if task.PrepareRelax(); task.Ranks() {
			t.Errorf("weights %v: messages have an order", weights)
		}
	}
}
