package graphgen_test

import (
	"sync/atomic"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
)

// BenchmarkSource reads the edges of a generator once and drops them.
func BenchmarkSource(b *testing.B) {
	for _, s := range []graphgen.Spec{
		{Kind: "kronecker", Scale: 20, Seed: 1},
		{Kind: "uniform", Scale: 20, Seed: 1},
		{Kind: "ssca2", Scale: 18, Seed: 1},
		{Kind: "grid", Rows: 2048, Cols: 2048},
	} {
		b.Run(s.Kind, func(b *testing.B) {
			in, err := graphgen.Open(s, graphgen.Options{})
			if err != nil {
				b.Fatal(err)
			}
			var edges atomic.Int64
			for b.Loop() {
				err := in.Source.Arcs(b.Context(), 2, func(k graph.Block) error {
					edges.Add(int64(len(k.U)))
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(edges.Load())/1e6/b.Elapsed().Seconds(), "Medges/s")
		})
	}
}

// BenchmarkGenerate makes the graph of Kronecker scale 18.
func BenchmarkGenerate(b *testing.B) {
	for name, w := range map[string]graphgen.Weights{"none": graphgen.NoWeights, "splitmix64": graphgen.HashWeights} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := graphgen.Generate(b.Context(), graphgen.Spec{Kind: "kronecker", Scale: 18}, graphgen.Options{Weights: w, Duplicates: graph.DropDuplicates})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
