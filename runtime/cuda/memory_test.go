//go:build cuda || emulate

package cuda_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/bfs"
	"gopregel/programs/mst"
	"gopregel/programs/pagerank"
	"gopregel/programs/scc"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// deviceAlgorithms are all that run on a device, of either kind.
func deviceAlgorithms(g *graph.Graph) []pregel.Algorithm {
	source := pregel.ID(g.IDs().Text(uint32(g.N() / 2)))
	return []pregel.Algorithm{
		&bfs.BFS{Source: source}, &bfs.BFS{Source: source, Parents: new(false)}, &wcc.WCC{Method: wcc.Propagate}, &pagerank.PageRank{Damping: 0.85, Iterations: 3},
		&sssp.SSSP{Source: source, Method: sssp.DeltaStepping}, &sssp.SSSP{Source: source, Method: sssp.DeltaStepping, Parents: new(false)}, wcc.New(), mst.New(), scc.New(),
	}
}

// With too little memory for the graph, then for this array and that, a run ends
// with an error that has the numbers; nothing is lost, and the engine goes on.
func TestTooLittleMemory(t *testing.T) {
	e := open(t, cuda.Options{})
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 4))
	large := random(t, r, 50_000, 400_000, true).WithWeights(func(u, v uint32) int32 { return int32((u*31 + v) % 100) })
	small := random(t, r, 100, 300, true)
	for _, a := range deviceAlgorithms(large) {
		whole := mostUsed(t, e, a, large)
		refused := 0
		steps := 24
		if testing.Short() {
			steps = 8
		}
		for i := range uint64(steps) {
			e.Memory = whole * (i*100 + r.Uint64N(100)) / uint64(steps*100)
			if e.Memory == 0 {
				e.Memory = 1
			}
			_, err := a.Run(t.Context(), &pregel.Job{Graph: large, Engine: e, Batch: 1 << 10})
			if err != nil {
				refused++
				checkShortage(t, fmt.Sprintf("%T with %d of %d bytes", a, e.Memory, whole), err, e.Memory)
			}
			e.Memory = 0
			goesOn(t, e, small)
			nothingLost(t, e, fmt.Sprintf("%T with %d of %d bytes (error %v)", a, e.Memory, whole, err))
		}
		if refused < steps/2 {
			t.Errorf("%T needs %d bytes, but only %d of %d runs with less were refused", a, whole, refused, steps)
		}
	}
}

// mostUsed runs without a bound and returns what was allocated at the end.
func mostUsed(t *testing.T, e *cuda.Engine, a pregel.Algorithm, g *graph.Graph) uint64 {
	t.Helper()
	e.Memory = 0
	if _, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: e, Batch: 1 << 10}); err != nil {
		t.Fatalf("%T: %v", a, err)
	}
	used := e.Used()
	if used < 4*g.Arcs() {
		t.Fatalf("%T: %d bytes used for %d arcs", a, used, g.Arcs())
	}
	nothingLost(t, e, fmt.Sprintf("%T with room", a))
	return used
}

func checkShortage(t *testing.T, what string, err error, bound uint64) {
	t.Helper()
	var full *driver.OutOfMemory
	if !errors.As(err, &full) {
		t.Fatalf("%s: error %T: %v", what, err, err)
	}
	if full.Total != bound || full.Want == 0 || full.Want <= full.Free || full.What == "" {
		t.Errorf("%s: %+v", what, *full)
	}
	for _, part := range []string{"program ", "device memory", full.What, fmt.Sprint(full.Want), fmt.Sprint(full.Free), fmt.Sprint(full.Total)} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%s: the message does not say %q: %v", what, part, err)
		}
	}
}

func goesOn(t *testing.T, e *cuda.Engine, g *graph.Graph) {
	t.Helper()
	a := &bfs.BFS{Source: pregel.ID(g.IDs().Text(0))}
	answer, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: e})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Certify(t.Context(), g, &answer.Table); err != nil {
		t.Fatal(err)
	}
}

func nothingLost(t *testing.T, e *cuda.Engine, what string) {
	t.Helper()
	if err := e.GiveUp(); err != nil {
		t.Fatal(err)
	}
	if e.Used() != 0 {
		t.Fatalf("%s: %d bytes are lost", what, int64(e.Used()))
	}
}

// Memory that the device itself has not.
func TestMoreThanTheDeviceHas(t *testing.T) {
	e := open(t, cuda.Options{})
	g := random(t, rand.New(rand.NewPCG(1, 1)), 100, 300, true)
	stop, err := e.RunKernels(t.Context(), &pregel.Job{Graph: g, Engine: e}, greedy(e.Info().Memory))
	var full *driver.OutOfMemory
	if stop.Reason != pregel.Failed || !errors.As(err, &full) || full.Want != e.Info().Memory || full.Total == 0 || full.Free >= full.Want {
		t.Fatalf("%v: %v", stop, err)
	}
	if !strings.Contains(err.Error(), "program greedy") || !strings.Contains(err.Error(), "everything") {
		t.Errorf("%v", err)
	}
	goesOn(t, e, g)
	nothingLost(t, e, "after a buffer as large as the device")
}

// greedy is a program that wants so many bytes.
type greedy uint64

func (greedy) Name() string { return "greedy" }

func (p greedy) Begin(s *cuda.Session) error {
	if _, err := s.Buffer(1<<20, "something"); err != nil {
		return err
	}
	_, err := s.Buffer(uint64(p), "everything")
	return err
}

func (greedy) Superstep(*cuda.Session, int) (cuda.Counts, error) { return cuda.Counts{}, nil }
func (greedy) End(*cuda.Session) error                           { return nil }
