package cpu_test

import (
	"context"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/runtime/cpu"
)

// BenchmarkSchedule compares the schedules on programs of one's own, on two
// workers. On a busy machine give -count and compare neighbouring lines:
//
//	go test -run - -bench Schedule -count 5 ./runtime/cpu
func BenchmarkSchedule(b *testing.B) {
	for _, spec := range []graphgen.Spec{
		{Kind: "kronecker", Scale: 18, EdgeFactor: 16},
		{Kind: "grid", Rows: 700, Cols: 700},
	} {
		g, err := graphgen.Generate(b.Context(), spec, graphgen.Options{Weights: graphgen.HashWeights})
		if err != nil {
			b.Fatal(err)
		}
		most := g.WeightRange().Most
		step := max(most*float64(g.N())/float64(g.Arcs()), 1)
		b.Run(spec.Kind, func(b *testing.B) {
			compareSchedules[float64, float64](b, "widest", g, widest{})
			compareSchedules[float64, float64](b, "widest-first", g, widestFirst{most: most, step: most / 64})
			compareSchedules[float64, float64](b, "shortest", g, shortest{})
			compareSchedules[float64, float64](b, "nearest-first", g, nearestFirst{step: step})
			compareSchedules[uint32, uint32](b, "least", g, least{})
			compareSchedules[uint32, uint32](b, "within", g, within{64})
			compareSchedules[uint32, uint32](b, "sources", g, sources{1 + uint32(g.N())/32})
		})
	}
}

func compareSchedules[V, M any](b *testing.B, name string, g *graph.Graph, p pregel.EdgeProgram[V, M]) {
	for _, s := range []pregel.Schedule{pregel.BSP, pregel.Relaxed} {
		e := cpu.New(cpu.Options{Workers: benchWorkers, Schedule: s})
		b.Run(name+"/"+s.String(), func(b *testing.B) {
			arcs, rounds := uint64(0), 0
			for b.Loop() {
				j := &pregel.Job{Graph: g, Engine: e, Observe: func(r pregel.StepRecord) { arcs += r.Arcs }}
				if _, err := pregel.RunEdge(context.Background(), j, p); err != nil {
					b.Fatal(err)
				}
				rounds += j.Supersteps()
			}
			b.ReportMetric(float64(arcs)/float64(b.N)/1e6, "Marcs")
			b.ReportMetric(float64(rounds)/float64(b.N), "rounds")
		})
	}
}

const benchWorkers = 2
