package cpu_test

import (
	"errors"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
)

// A breaking listener fails at a vertex, when it hears or when it is asked whether that
// was enough.
type breaking struct {
	sated
	at   uint64
	when string
}

func (p breaking) Init(v pregel.Vertex[uint64]) (uint64, bool) { return uint64(v.ID), v.ID == 0 }

func (p breaking) Apply(v pregel.Vertex[uint64], _ uint32, _ bool) (uint64, bool) {
	if uint64(v.ID) == p.at && p.when == "hears" {
		panic("as it must")
	}
	return v.Value + 1000, true
}

func (p breaking) Settled(x uint64) bool {
	if x == p.at+1000 && p.when == "settles" {
		panic("as it must")
	}
	return false
}

// A vertex that fails among others that were sent to at the same time is named.
func TestForwardFails(t *testing.T) {
	const n = 100
	list := graph.ArcList{}
	for v := range uint32(n - 1) {
		list.List = append(list.List, graph.Arc{V: v + 1})
	}
	g, err := graph.FromArcs(n, list, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"hears", "settles"} {
		for _, at := range []uint64{1, 2, 15, 16, 17, 50, 98, 99} {
			for shares := range 3 { // 0: one worker
				e := cpu.New(cpu.Options{Workers: 2})
				e.Share(shares)
				_, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e}, breaking{at: at, when: when})
				var failed *pregel.VertexError
				if !errors.As(err, &failed) || failed.Superstep != 0 || uint64(failed.Vertex) != at {
					t.Errorf("vertex %d, when it %s, %d shares: %+v, %v", at, when, shares, failed, err)
				}
			}
		}
	}
}
