package checkpoint_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/lcc"
	"gopregel/programs/mst"
	"gopregel/programs/scc"
	"gopregel/programs/wcc"
	"gopregel/runtime/checkpoint"
	"gopregel/runtime/cpu"
)

// phased are the programs of several phases.
var phased = map[string]func() pregel.Algorithm{"scc": scc.New, "mst": mst.New, "wcc": wcc.New, "lcc": lcc.New}

// phasedGraphs have enough vertices and edges for rounds of every kind: batches and
// their rounds in mst, rounds of trimming in scc; a long cycle, for a search that is
// given up; a grid, which is thin.
func phasedGraphs(t *testing.T, r *rand.Rand) map[string]*graph.Graph {
	t.Helper()
	list := map[string]*graph.Graph{}
	add := func(name string, spec graphgen.Spec, o graphgen.Options) {
		g, err := graphgen.Generate(t.Context(), spec, o)
		if err != nil {
			t.Fatal(err)
		}
		list[name] = g
	}
	directed := true
	seed := r.Uint64()
	add("uniform", graphgen.Spec{Kind: "uniform", Scale: 13, EdgeFactor: 16, Seed: seed}, graphgen.Options{Weights: graphgen.HashWeights})
	add("uniform, directed", graphgen.Spec{Kind: "uniform", Scale: 15, EdgeFactor: 3, Seed: seed}, graphgen.Options{Directed: &directed})
	add("kronecker, directed", graphgen.Spec{Kind: "kronecker", Scale: 12, EdgeFactor: 10, Seed: seed}, graphgen.Options{Directed: &directed, Weights: graphgen.HashWeights})
	add("grid", graphgen.Spec{Kind: "grid", Rows: 70, Cols: 90}, graphgen.Options{Directed: &directed})
	list["strip"] = strip(20_000)
	list["cycle behind a crowd"] = cycleBehindCrowd(r)
	list["floats"] = list["uniform"].WithWeights(func(u, v uint32) int32 { return int32(graph.SplitMix64(uint64(u^v)) >> 40) })
	list["empty"] = build(nil, 0, true)
	list["one arc"] = build([]graph.Arc{{U: 0, V: 2}}, 3, true)
	return list
}

func build(list []graph.Arc, n int, directed bool) *graph.Graph {
	g, err := graph.FromArcs(n, graph.ArcList{List: list}, graph.Options{Directed: directed})
	if err != nil {
		panic(err)
	}
	return g
}

// strip joins each of n vertices to the next two: it is thin, undirected, and full of
// triangles.
func strip(n uint32) *graph.Graph {
	var list []graph.Arc
	for v := range n - 2 {
		list = append(list, graph.Arc{U: v, V: v + 1}, graph.Arc{U: v, V: v + 2})
	}
	return build(list, int(n), false)
}

// cycleBehindCrowd has a pivot whose component is a cycle of more supersteps than a
// search may have, through a dense part.
func cycleBehindCrowd(r *rand.Rand) *graph.Graph {
	const crowd, length = 6000, 3000
	var list []graph.Arc
	for range 8 * crowd {
		list = append(list, graph.Arc{U: r.Uint32N(crowd), V: r.Uint32N(crowd)})
	}
	for i := range uint32(length) {
		list = append(list, graph.Arc{U: crowd + i, V: crowd + (i+1)%length})
	}
	list = append(list, graph.Arc{U: 0, V: crowd}, graph.Arc{U: crowd + length - 1, V: 1})
	return build(list, crowd+length, true)
}

// A history is what can be seen of a job.
type history struct {
	answer  *pregel.Answer
	records []pregel.StepRecord
}

// live runs a job with some workers; s may be nil.
func (h *history) live(ctx context.Context, a pregel.Algorithm, g *graph.Graph, workers, most int, s *checkpoint.Store) error {
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers, Direction: pregel.Push}), MaxSupersteps: most,
		Observe: func(r pregel.StepRecord) {
			r.Time, r.Direction, r.List = 0, 0, false
			if r.Program == "wcc" {
				r.Arcs = 0 // they depend on the timing of workers
			}
			h.records = append(h.records, r)
		}}
	if s != nil {
		j.Checkpoints = s
	}
	var err error
	h.answer, err = a.Run(ctx, j)
	return err
}

// follows checks that a job which has gone on ends as the whole one: with the same
// answer, and with records that are its last.
func (h *history) follows(whole *history, name string) error {
	last := len(whole.records) - len(h.records)
	switch {
	case !reflect.DeepEqual(h.answer, whole.answer):
		return fmt.Errorf("%s: another answer: %v, want %v", name, h.answer.Stop, whole.answer.Stop)
	case last < 0 || !reflect.DeepEqual(h.records, whole.records[last:]):
		return fmt.Errorf("%s: records %v, want the last of %v", name, h.records, whole.records)
	}
	return nil
}

// A job of several phases that stops at any of its barriers goes on from there with
// other workers, and only the rest of it is done.
func TestPhases(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 9))
	stops := 0
	for graphName, g := range phasedGraphs(t, r) {
		for program, algorithm := range phased {
			if (testing.Short() || race.On) && r.IntN(10) > 0 {
				continue
			}
			name := graphName + ", " + program
			var whole history
			if err := whole.live(t.Context(), algorithm(), g, 2, 0, nil); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			total, step := whole.answer.Stop.Supersteps, 1
			if total > 10 || testing.Short() || race.On {
				step = 1 + total/3
			}
			for most := 1; most < total; most += 1 + r.IntN(2*step-1) {
				stops++
				stopAndGoOn(t, r, name, g, algorithm, &whole, most)
			}
		}
	}
	t.Logf("%d stops", stops)
}

// lag is how many supersteps may be done again: those of mst that select a batch.
const lag = 2

func stopAndGoOn(t *testing.T, r *rand.Rand, name string, g *graph.Graph, algorithm func() pregel.Algorithm, whole *history, most int) {
	t.Helper()
	name = fmt.Sprintf("%s, stopped after %d", name, most)
	o := options(t.TempDir())
	o.Supersteps = 1 + r.IntN(10)
	var first, rest history
	if err := first.live(t.Context(), algorithm(), g, 1+r.IntN(3), most, opened(t, o, false)); err != nil || first.answer.Stop.Reason != pregel.MaxSupersteps {
		t.Fatalf("%s: %v", name, err)
	}
	s := opened(t, o, true)
	from := 0
	if at := s.Report().Resumed; at != nil {
		from = at.Supersteps
	}
	if from > most || from < most-lag {
		t.Fatalf("%s: left is one after %d", name, from)
	}
	if err := rest.live(t.Context(), algorithm(), g, 1+r.IntN(3), 0, s); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(rest.records) != len(whole.records)-from {
		t.Fatalf("%s: %d supersteps were done again", name, len(rest.records)-len(whole.records)+from)
	}
	if err := rest.follows(whole, name); err != nil {
		t.Fatal(err)
	}
}

// A phase that takes long is left between two of its pieces, with a checkpoint there,
// and gone on with; the number of supersteps and of arcs is that of one that was not.
func TestPieces(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 11))
	graphs := phasedGraphs(t, r)
	directed := true
	large, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: 240, Cols: 250}, graphgen.Options{Directed: &directed})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		program string
		g       *graph.Graph
		writes  int // after so many the phase is under way
	}{{"lcc", graphs["uniform"], 6}, {"lcc", graphs["kronecker, directed"], 6}, {"lcc", graphs["strip"], 2}, {"scc", large, 1}} {
		var whole history
		if err := whole.live(t.Context(), phased[c.program](), c.g, 2, 0, nil); err != nil {
			t.Fatal(err)
		}
		o := options(t.TempDir())
		o.Supersteps, o.Interval = 0, time.Nanosecond
		pieces, records, left, workers := 0, 0, c.writes, 1 // who is asked whether one is due does pieces, too
		for end := false; !end; {
			ctx, cancel := context.WithCancel(t.Context())
			s := opened(t, o, true)
			if p := s.Report().Resumed; p != nil {
				pieces = max(pieces, p.Pieces)
			}
			s.OnStage(func(stage string) {
				if stage == "renamed" {
					left--
				}
				if left <= 0 {
					cancel()
				}
			})
			var h history
			if err := h.live(ctx, phased[c.program](), c.g, workers, 0, s); err != nil {
				t.Fatal(err)
			}
			cancel()
			left, workers = 1+r.IntN(4), 1+r.IntN(4)
			if records += len(h.records); h.answer.Stop.Reason == pregel.Cancelled {
				continue
			}
			end = true
			if err := h.follows(&whole, c.program); err != nil {
				t.Fatal(err)
			}
		}
		if pieces == 0 || records != len(whole.records) {
			t.Errorf("%s: gone on with after %d pieces, %d records, want %d", c.program, pieces, records, len(whole.records))
		}
	}
}

// What lies between the phases of a job, and what lies in the memory of a device, is
// not for an engine on which the job is another.
func TestOtherEngine(t *testing.T) {
	g := aGraph(40)
	o := options(t.TempDir())
	var h history
	if err := h.live(t.Context(), scc.New(), g, 2, 2, opened(t, o, false)); err != nil {
		t.Fatal(err)
	}
	o.Engine = "cuda, first"
	s := opened(t, o, true)
	_, err := s.Resume(&pregel.State{Program: "scc", Kept: []any{new(uint64)}})
	if err == nil || !strings.HasSuffix(err.Error(), "superstep-0000000002.checkpoint is between the phases of a job on the engine cpu, on cuda, first it has others") {
		t.Error(err)
	}
	o.Dir = t.TempDir()
	s = opened(t, o, false)
	one := uint64(1)
	bound := func() (pregel.State, error) {
		return pregel.State{Program: "scc", Supersteps: 1, Kept: []any{&one}, Exact: true, Bound: true}, nil
	}
	if err := s.Keep(pregel.Mark{Supersteps: 1}, bound); err != nil {
		t.Fatal(err)
	}
	opened(t, o, true)
	o.Engine = "cuda, second"
	_, err = checkpoint.Open(o, true)
	if err == nil || !strings.HasSuffix(err.Error(), " is of another run: engine (the state is that of its memory) was cuda, first then, is cuda, second now") {
		t.Error(err)
	}
}

// Whatever has become of the newest checkpoint of a job of several phases, the one
// before it is used, which is said.
func TestDamagedPhases(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 12))
	g := aGraph(3000)
	for program, algorithm := range phased {
		var whole history
		if err := whole.live(t.Context(), algorithm(), g, 2, 0, nil); err != nil {
			t.Fatal(err)
		}
		o := options(t.TempDir())
		var first history
		if err := first.live(t.Context(), algorithm(), g, 2, whole.answer.Stop.Supersteps-1, opened(t, o, false)); err != nil {
			t.Fatal(err)
		}
		names, content := files(t, o.Dir)
		if len(names) != 2 {
			t.Fatalf("%s: left are %v", program, names)
		}
		bad := slices.Clone(content[1])
		bad[r.IntN(len(bad))] ^= 1
		if err := os.WriteFile(names[1], bad, 0o644); err != nil {
			t.Fatal(err)
		}
		s := opened(t, o, true)
		if p := s.Report(); p.Resumed == nil || p.Resumed.File != names[0] || len(p.Problems) != 1 {
			t.Fatalf("%s: %+v", program, p)
		}
		var rest history
		if err := rest.live(t.Context(), algorithm(), g, 3, 0, s); err != nil {
			t.Fatalf("%s: %v", program, err)
		}
		if err := rest.follows(&whole, program); err != nil {
			t.Error(err)
		}
	}
}
