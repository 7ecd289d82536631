package graphio_test

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphio"
	"gopregel/pregel/graphio/internal/samples"
)

// FuzzWriteNames: strings that a format accepts come back as they were, and
// any weight to the bit.
func FuzzWriteNames(f *testing.F) {
	for _, s := range []string{"a", "#", "%x", "a b", " a", "a,b", `"`, `a"b`, `""`, "\uFEFF", "source", "\x80", "\u00a0", "0", "1\r", "\u2028"} {
		f.Add(s, "target", uint32(1))
		f.Add("source", s, math.Float32bits(float32(math.Inf(1))))
		f.Add(s, s+s, math.Float32bits(1e-45))
	}
	f.Fuzz(func(t *testing.T, a, b string, bits uint32) {
		names := []string{a, b}
		slices.Sort(names)
		ids, err := graph.NameIDs(names)
		if err != nil {
			return
		}
		c := graph.Columns{U: []uint32{0, 1}, V: []uint32{1, 0}, Weights: graph.Weights{Float: []float32{math.Float32frombits(bits), 3}}}
		g, err := graph.Build(t.Context(), ids, c, graph.Options{Directed: true})
		if err != nil {
			t.Fatal(err)
		}
		dir := samples.Folder(t)
		for _, form := range []formCase{{name: "g.txt"}, {name: "g.csv"}, {name: "g.tsv"}, {name: "g.e"}, {name: "g.adj", format: "adjacency"}, {name: "g.pgr"}} {
			path := filepath.Join(dir, form.name)
			h := g
			if form.format == "adjacency" {
				h = g.WithoutWeights()
			}
			o := graphio.WriteOptions{Format: form.format}
			if losses, err := graphio.Losses(path, h, o); err != nil || losses != nil {
				continue
			}
			if err := graphio.Write(t.Context(), path, h, o); err != nil {
				t.Fatal(err)
			}
			back, err := readBack(t, path, form, h)
			if err == nil {
				err = errors.Join(samples.Same(back, h), back.Close())
			}
			if err != nil {
				t.Fatalf("%s: names %q, weight %v: %v", form.name, names, math.Float32frombits(bits), err)
			}
		}
	})
}
