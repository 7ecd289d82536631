package trial

import (
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// A Read is how many arcs a superstep has read, by its record.
type Read struct {
	Phase string
	Arcs  uint64
}

// In is a superstep of a phase that has read so many arcs.
func In(phase string, arcs uint64) Read { return Read{phase, arcs} }

// Reads runs the algorithm on the CPU and returns what its supersteps have read.
func Reads(t *testing.T, g *graph.Graph, a pregel.Algorithm, workers int) (list []Read) {
	t.Helper()
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers}), Observe: func(r pregel.StepRecord) {
		list = append(list, Read{r.Program, r.Arcs})
	}}
	if answer, err := a.Run(t.Context(), j); err != nil || answer.Stop.Reason != pregel.Halted {
		t.Fatalf("%+v: %v", answer, err)
	}
	return list
}

// ReadsAre fails the test unless supersteps read what is wanted, for several
// numbers of workers: under the race detector for one.
func ReadsAre(t *testing.T, what string, g *graph.Graph, a pregel.Algorithm, want []Read) {
	t.Helper()
	for _, workers := range race.Workers(1, 2, 5) {
		if got := Reads(t, g, a, workers); !slices.Equal(got, want) {
			t.Errorf("%s, %d workers: %v, want %v", what, workers, got, want)
		}
	}
}

// Generated returns a graph of a kind, without weights.
func Generated(t *testing.T, s graphgen.Spec, directed bool) *graph.Graph {
	t.Helper()
	g, err := graphgen.Generate(t.Context(), s, graphgen.Options{Directed: &directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}
