//go:build cuda || emulate

package widest_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/pregeltest"
	"gopregel/programs/internal/trial"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// TestDevice holds widest.cu to its twin in Go and to the reference.
func TestDevice(t *testing.T) {
	e := trial.Device(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	cases, sources := graphs(seed), 3
	if testing.Short() {
		sources = 1
	}
	cases = append(append(cases, trial.Shapes(t, r, true)...), trial.Shapes(t, r, false)...)
	for _, c := range cases {
		for range min(c.Graph.N(), sources) {
			from := source(r, c.Graph)
			before := e.Runs()
			got, err := kernel(t, c.Graph.IDs().Text(from)).Run(t.Context(), &pregel.Job{Graph: c.Graph, Engine: e, Batch: 64})
			if err != nil {
				t.Fatalf("%s: %v", describe(c, from), err)
			}
			if e.Runs() != before+1 || got.Stop.Reason != pregel.Halted {
				t.Errorf("%s: %v, %d runs on the device", describe(c, from), got.Stop, e.Runs()-before)
			}
			want, err := widest(t.Context(), &pregel.Job{Graph: c.Graph, Engine: cpu.New(cpu.Options{})}, from)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Table.Columns[0].Floats, want.Table.Columns[0].Floats) || got.Table.Columns[0].Name != "width" {
				t.Errorf("%s: the widths differ from those of the twin", describe(c, from))
			}
			if got.Stop.Supersteps != want.Stop.Supersteps {
				t.Errorf("%s: %v, the twin %v", describe(c, from), got.Stop, want.Stop)
			}
			if !slices.Equal(got.Table.Columns[0].Floats, reference(c.Graph, from)) {
				t.Errorf("%s: the widths differ from the reference", describe(c, from))
			}
		}
	}
}

// TestDeviceRelaxed holds it to the reference when messages are delivered at once.
func TestDeviceRelaxed(t *testing.T) {
	trial.Device(t)
	e, err := trial.OpenDevice(cuda.Options{Schedule: pregel.Relaxed})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	for _, c := range append(append(graphs(seed), trial.Shapes(t, r, true)...), trial.Shapes(t, r, false)...) {
		from := source(r, c.Graph)
		got, err := kernel(t, c.Graph.IDs().Text(from)).Run(t.Context(), &pregel.Job{Graph: c.Graph, Engine: e, Batch: 64})
		if err != nil {
			t.Fatalf("%s: %v", describe(c, from), err)
		}
		if !slices.Equal(got.Table.Columns[0].Floats, reference(c.Graph, from)) || got.Stop.Reason != pregel.Halted {
			t.Errorf("%s: %v; the widths differ from the reference", describe(c, from), got.Stop)
		}
	}
}

func describe(c pregeltest.Case, from uint32) string { return fmt.Sprintf("%s, from %d", c.Name, from) }
