package certify_test

import (
	"maps"
	"slices"
	"testing"

	"gopregel/pregel/certify"
	"gopregel/pregel/graphgen"
)

// BenchmarkCertify certifies right answers on the graphs that benchmarks use.
func BenchmarkCertify(b *testing.B) {
	for _, spec := range []graphgen.Spec{
		{Kind: "kronecker", Scale: 18, Seed: 1},
		{Kind: "grid", Rows: 1024, Cols: 1024},
	} {
		a := solve(b, spec, false)
		rank := uniformRanks(a.g.N())
		checks := a.checks()
		for _, name := range slices.Sorted(maps.Keys(checks)) {
			b.Run(spec.Kind+"/"+name, func(b *testing.B) {
				for b.Loop() {
					if err := checks[name](b.Context()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		b.Run(spec.Kind+"/pagerank residual", func(b *testing.B) {
			for b.Loop() {
				if _, _, err := certify.PageRankResidual(b.Context(), a.g, rank, 0.85); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
