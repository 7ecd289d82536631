package programs_test

import (
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/programs/bfs"
	"gopregel/programs/internal/trial"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
)

// elsewhere is an engine that keeps offsets of so many bytes in memory of its own.
type elsewhere struct {
	pregel.Engine
	width uint64
}

func (e elsewhere) OffsetBytes(*graph.Graph) uint64 { return e.width }

// An estimate of bytes has offsets as wide as the graph's, or as an engine has them elsewhere; a
// phase is the host's.
func TestOffsetsOfEstimates(t *testing.T) {
	t.Parallel()
	narrow := trial.Random(trial.Rand(t), 500, 3000, 0, true)
	for g, host := range map[*graph.Graph]uint64{narrow: 4, pregeltest.Widened(narrow): 8} {
		for _, a := range []pregel.Algorithm{&bfs.BFS{Source: "1"}, &sssp.SSSP{Method: sssp.DeltaStepping, Source: "1"}, wcc.New()} {
			e := cpu.New(cpu.Options{Workers: 2})
			begun := 0
			j := &pregel.Job{Graph: g, Engine: e, Begun: func(task pregel.Task) {
				m := task.(pregel.Measured)
				_, phase := task.(pregel.Accounted)
				if phase != (task.Name() == "wcc") {
					t.Errorf("%s is a phase: %v", task.Name(), phase)
				}
				begun++
				for _, width := range []uint64{4, 8} {
					want := width
					if phase {
						want = host
					}
					if here, there := pregel.WidthsOf(e, m).Offset, pregel.WidthsOf(elsewhere{e, width}, m).Offset; here != host || there != want {
						t.Errorf("%s: offsets of %d bytes, want %d; where they have %d elsewhere, of %d, want %d", task.Name(), here, host, width, there, want)
					}
				}
			}}
			if _, err := a.Run(t.Context(), j); err != nil || begun == 0 {
				t.Errorf("%T: %d tasks, %v", a, begun, err)
			}
		}
	}
}
