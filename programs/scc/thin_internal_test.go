package scc

import (
	"testing"

	"gopregel/pregel/graphgen"
)

// Small graphs are thin, or not, as large ones of their kind are, though samples of them are
// smaller.
func TestThin(t *testing.T) {
	directed := true
	for rule, specs := range map[rule][]graphgen.Spec{
		isThin:  {{Kind: "grid", Rows: 64, Cols: 64, Orient: "mixed"}, {Kind: "grid", Rows: 400, Cols: 400, Orient: "mixed"}},
		notThin: {{Kind: "rmat", Scale: 10, EdgeFactor: 16, Permute: true}, {Kind: "rmat", Scale: 15, EdgeFactor: 16, Permute: true}},
	} {
		for _, spec := range specs {
			g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{Directed: &directed})
			if err != nil {
				t.Fatal(err)
			}
			if why := thin(g.Out()); why.Rule != rule {
				t.Errorf("%+v: %q, %d levels, limit %d", spec, rules[why.Rule], why.Have, why.Limit)
			}
		}
	}
}
