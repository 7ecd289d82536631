package pregel

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
)

// fewTimes takes messages as often as its value says, and is awake after each but the second.
type fewTimes struct{}

func (fewTimes) Spec() Spec[uint32] { return Spec[uint32]{Combine: Max[uint32]()} }
func (fewTimes) Init(v Vertex[uint32]) (uint32, bool) {
	return v.ID % 4, v.ID%9 == 0
}
func (fewTimes) Settled(x uint32) bool      { return x == 0 }
func (fewTimes) Emit(Vertex[uint32]) uint32 { return 1 }
func (fewTimes) Apply(v Vertex[uint32], m uint32, _ bool) (uint32, bool) {
	return v.Value - m, v.Value != 2
}

// What workers count in a superstep, by which the engine chooses, is what has become of vertices.
func TestWaveCounts(t *testing.T) {
	const n = 300
	r := rand.New(rand.NewPCG(1, 2))
	for _, alone := range []bool{true, false} {
		var list graph.ArcList
		for range 500 {
			list.List = append(list.List, graph.Arc{U: r.Uint32N(n), V: r.Uint32N(n)})
		}
		g, err := graph.FromArcs(n, list, graph.Options{Directed: true})
		if err != nil {
			t.Fatal(err)
		}
		task := bindEdge[uint32, uint32](g, fewTimes{}, nil)
		if err := task.Begin(2); err != nil {
			t.Fatal(err)
		}
		next := bitmap.New(n)
		task.Init(0, n, new(Worker), next)
		us, settled := next.AppendTo(nil), slices.Clone(task.settled)
		var want Worker
		reached := bitmap.New(n)
		for _, u := range us {
			want.Arcs += g.Out().Degree(u)
			for _, v := range g.Out().Neighbors(u) {
				if settled.Has(v) || reached.Has(v) {
					continue
				}
				reached.Set(v)
				if task.values[v] != 2 {
					want.Awake++
					want.AwakeArcs += g.Out().Degree(v)
				}
				if task.values[v] == 1 {
					want.DoneArcs += g.Out().Degree(v)
				}
			}
		}
		w := [2]Worker{{Alone: true}, {Slot: 1}}
		if !task.Level(us, &w[0]) {
			t.Fatal("offers are not one")
		}
		w[0].Alone = alone
		task.Arrive(us[:len(us)/2], &w[0])
		w[1].Alone = alone
		for _, u := range us[len(us)/2:] {
			lo, hi := g.Out().Offsets.Row(u)
			task.ArrivePart(u, lo, hi, &w[1])
		}
		both := Worker{Awake: w[0].Awake + w[1].Awake, AwakeArcs: w[0].AwakeArcs + w[1].AwakeArcs, DoneArcs: w[0].DoneArcs + w[1].DoneArcs, Arcs: w[0].Arcs + w[1].Arcs}
		if both.Awake != want.Awake || both.AwakeArcs != want.AwakeArcs || both.DoneArcs != want.DoneArcs || both.Arcs != want.Arcs {
			t.Errorf("alone %v: %+v, want %+v", alone, both, want)
		}
		task.Open(w[0].Touched)
		task.Open(w[1].Touched)
		for v := range uint32(n) {
			if task.settled.Has(v) != (task.values[v] == 0) {
				t.Errorf("alone %v: vertex %d has %d, and is settled: %v", alone, v, task.values[v], task.settled.Has(v))
			}
		}
	}
}
