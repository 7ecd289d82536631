package cpu_test

import (
	"context"
	"slices"
	"sync"
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

// compareSchedules times a program by either schedule. Both answers are held to that of one worker who pushes, superstep
// by superstep.
func compareSchedules[V comparable, M any](b *testing.B, name string, g *graph.Graph, p pregel.EdgeProgram[V, M]) {
	plain := sync.OnceValues(func() (pregel.Result[V], error) {
		e := cpu.New(cpu.Options{Workers: 1, Schedule: pregel.BSP, Direction: pregel.Push})
		return pregel.RunEdge(context.Background(), &pregel.Job{Graph: g, Engine: e}, p)
	})
	for _, s := range []pregel.Schedule{pregel.BSP, pregel.Relaxed} {
		e := cpu.New(cpu.Options{Workers: benchWorkers, Schedule: s})
		b.Run(name+"/"+s.String(), func(b *testing.B) {
			arcs, rounds := uint64(0), 0
			want, err := plain()
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				j := &pregel.Job{Graph: g, Engine: e, Observe: func(r pregel.StepRecord) { arcs += r.Arcs }}
				got, err := pregel.RunEdge(context.Background(), j, p)
				if err != nil || len(got.Values) != len(want.Values) {
					b.Fatalf("%d values, %v", len(got.Values), err)
				}
				rounds += j.Supersteps()
				b.StopTimer()
				if !slices.Equal(got.Values, want.Values) {
					b.Fatal("another answer than by supersteps that push")
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(arcs)/float64(b.N)/1e6, "Marcs")
			b.ReportMetric(float64(rounds)/float64(b.N), "rounds")
		})
	}
}

const benchWorkers = 2
