package scc

import (
	"runtime"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/internal/trial"
	"gopregel/runtime/cpu"
)

// Where each vertex is a part, and nearly all arcs are bridges, what was found is not kept.
func TestTooManyBridges(t *testing.T) {
	const side = 500
	var list []graph.Arc
	for v := range uint32(side * side) {
		if v%side != side-1 {
			list = append(list, graph.Arc{U: v, V: v + 1})
		}
		if v+side < side*side {
			list = append(list, graph.Arc{U: v, V: v + side})
		}
	}
	g := trial.Build(side*side, graph.ArcList{List: list}, true)
	for _, workers := range []int{1, 2} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s := &SCC{way: byDistricts, arcs: 20_000}
		_, found, err := s.components(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers})})
		runtime.ReadMemStats(&after)
		if err != nil || found != (tally{g.N(), 1}) {
			t.Fatalf("%+v, error %v", found, err)
		}
		if each := (after.TotalAlloc - before.TotalAlloc) / side / side; each > 100 {
			t.Errorf("%d workers: %d bytes of each vertex are made", workers, each)
		}
	}
}
