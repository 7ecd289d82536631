package wcc

import (
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/internal/census"
	"gopregel/runtime/cpu"
)

// The sample of a run may show any of components of about the same size, and the run leaves the counting to others.
func TestRunOfTwins(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 30 {
		last := [3]uint32{0, 1, 2}
		var list []graph.Arc
		for v := uint32(3); v < 3000; v++ {
			of := &last[r.IntN(3)]
			list = append(list, graph.Arc{U: *of, V: v})
			*of = v
		}
		g, err := graph.FromArcs(3000, graph.ArcList{List: list}, graph.Options{})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := New().Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})})
		if err != nil {
			t.Fatal(err)
		}
		components, largest := census.Labels(answer.Table.Columns[0].Vertices)
		if s := answer.Summary; s[0].Value != components || s[1].Value != largest {
			t.Fatalf("the summary has %v, there are %d components, the largest of %d", s, components, largest)
		}
	}
}
