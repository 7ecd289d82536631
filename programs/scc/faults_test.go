package scc_test

import (
	"errors"
	"reflect"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/internal/trial"
	"gopregel/programs/scc"
	"gopregel/runtime/cpu"
)

// Files may be read that nobody has checked: a target that is no vertex ends the run.
func TestTargetOutOfRange(t *testing.T) {
	for way, a := range scc.Ways(100) {
		for _, far := range []uint32{640, 1 << 31, graph.None} {
			out := graph.CSR{Offsets: graph.MakeOffsets(641, 640), Targets: make([]uint32, 640)}
			for v := range uint32(640) {
				out.Offsets.Set(v+1, uint64(v)+1)
				out.Targets[v] = (v*181 + 1) % 640
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

// failing is a checkpointer that ends a job between two pieces of a phase; the next goes on
// from there, and cannot keep anything.
type failing struct {
	parts  []reflect.Value
	resume bool
}

var errFull = errors.New("disk full")

func (f *failing) Due(at pregel.Mark) bool { return at.Pieces > 1 }

func (f *failing) Keep(at pregel.Mark, state func() (pregel.State, error)) error {
	switch {
	case f.resume:
		return errFull
	case at.Pieces == 0:
		return nil
	}
	s, err := state()
	for _, p := range s.Parts {
		from := reflect.ValueOf(p).Elem()
		if from.Kind() == reflect.Slice {
			from = reflect.AppendSlice(reflect.Zero(from.Type()), from)
		}
		f.parts = append(f.parts, from)
	}
	f.resume = true
	return errors.Join(err, errFull)
}

func (f *failing) Resume(blank *pregel.State) (bool, error) {
	if !f.resume || blank.Program != pregel.CommitName {
		return false, nil
	}
	for i, p := range f.parts {
		reflect.ValueOf(blank.Parts[i]).Elem().Set(p)
	}
	return true, nil
}

// A job that goes on within the last search, and fails before it does, says why.
func TestResumedAndFailed(t *testing.T) {
	const n = 100_000
	g := trial.Build(n, graph.ArcList{List: cycle(nil, 0, n)}, true)
	kept := &failing{}
	for range 2 {
		_, err := scc.New().Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2}), Checkpoints: kept})
		if !errors.Is(err, errFull) || !kept.resume {
			t.Fatalf("error %v, kept %v", err, kept.resume)
		}
	}
}
