package scc_test

import (
	"errors"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/scc"
	"gopregel/runtime/cpu"
)

// Files may be read that nobody has checked: a target that is no vertex ends the run.
func TestTargetOutOfRange(t *testing.T) {
	for way, a := range scc.Ways(100) {
		for _, far := range []uint32{640, 1 << 31, graph.None} {
			out := graph.CSR{Offsets: make([]uint64, 641), Targets: make([]uint32, 640)}
			for v := range uint32(640) {
				out.Offsets[v+1], out.Targets[v] = uint64(v)+1, (v*181+1)%640
			}
			out.Targets[333] = far
			g, err := graph.New(graph.Parts{Directed: true, IDs: graph.RangeIDs(0, 640), Out: out, In: &out})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := run(t, a, g); err == nil {
				t.Errorf("%s: a target %d of 640 vertices passes", way, far)
			}
		}
	}
}

// run takes a panic, as of samples that are taken before the first phase, for an error.
func run(t *testing.T, a pregel.Algorithm, g *graph.Graph) (answer *pregel.Answer, err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			err = errors.New("panic")
		}
	}()
	return a.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})})
}
