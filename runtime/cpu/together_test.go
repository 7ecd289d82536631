package cpu_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/programs/bfs"
	"gopregel/runtime/cpu"
)

func generated(t *testing.T, kind string, params map[string]string) *graph.Graph {
	t.Helper()
	spec, err := graphgen.Parse(kind, params)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A noted superstep is its record, with what its detail points to.
type noted struct {
	pregel.StepRecord
	why            pregel.Choice
	sent, combined uint64
	whole          string
	timed          int
}

// watched runs a search and notes its supersteps.
func watched(t *testing.T, g *graph.Graph, j *pregel.Job) (list []noted, stop pregel.Stop) {
	t.Helper()
	j.Graph, j.Engine = g, cpu.New(cpu.Options{Workers: 2})
	j.Detail = func(r *pregel.StepRecord) {
		n := noted{StepRecord: *r, why: r.Detail.Why, sent: *r.Detail.Sent, whole: r.Detail.Whole, timed: r.Detail.Timed}
		if r.Detail.Combined != nil {
			n.combined = *r.Detail.Combined
		}
		n.Detail = nil
		list = append(list, n)
	}
	answer, err := (&bfs.BFS{Source: "0"}).Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	return list, answer.Stop
}

// Short supersteps that are done at once have the records that they have one by one, but
// for the time: of those timed together each has an equal part.
func TestTogether(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, kind string
		params     map[string]string
		together   int // supersteps at least
	}{
		{"path", "path", map[string]string{"n": "5000"}, 4980},
		{"thin grid", "grid", map[string]string{"rows": "4", "cols": "3000"}, 2980},
		{"small", "path", map[string]string{"n": "500"}, 0}, // could be pulled
		{"grid", "grid", map[string]string{"rows": "80", "cols": "90"}, 8},
		{"random", "uniform", map[string]string{"n": "5000", "edge_factor": "2", "seed": "2"}, 0},
	} {
		g := generated(t, c.kind, c.params)
		for _, most := range []int{0, 7, 1000} {
			alone, want := watched(t, g, &pregel.Job{MaxSupersteps: most})
			at, stop := watched(t, g, &pregel.Job{MaxSupersteps: most, Batch: 64})
			if stop != want {
				t.Errorf("%s: %+v, one by one %+v", c.name, stop, want)
			}
			together := parts(t, c.name, at)
			if most == 0 && together+slowed(at) < c.together || together > 0 && c.name == "small" {
				t.Errorf("%s: %d supersteps were timed together, want %d; %d were not, after slow ones", c.name, together, c.together, slowed(at))
			}
			for i := range alone {
				if alone[i].timed != 0 {
					t.Errorf("%s: superstep %d, done by itself, was timed with %d", c.name, i, alone[i].timed)
				}
			}
			if !slices.Equal(timeless(at), timeless(alone)) {
				t.Errorf("%s, at most %d: records %v\none by one %v", c.name, most, at, alone)
			}
		}
	}
}

// parts checks that supersteps timed together follow each other and have equal times,
// but for the first, which has the rest, and counts them.
func parts(t *testing.T, name string, list []noted) (together int) {
	t.Helper()
	for i := 0; i < len(list); i++ {
		k := list[i].timed
		if k == 0 {
			continue
		}
		if k < 2 || k > 16 || i+k > len(list) {
			t.Fatalf("%s: superstep %d was timed with %d of %d", name, i, k, len(list))
		}
		for _, r := range list[i+1 : i+k] {
			if rest := list[i].Time - r.Time; r.timed != k || r.Time != list[i+1].Time || rest < 0 || rest >= time.Duration(k) {
				t.Fatalf("%s: superstep %d, timed with %d from %d on, took %v; %d of them took %v", name, i, k, i, list[i].Time, r.timed, r.Time)
			}
		}
		together += k
		i += k - 1
	}
	return together
}

// slowed counts the supersteps that are done one by one since those before took more than
// 3 ms each, which they do where others have the machine.
func slowed(list []noted) (n int) {
	for i, r := range list {
		if i > 0 && r.timed == 0 && list[i-1].Time > 3*time.Millisecond {
			n++
		}
	}
	return n
}

func timeless(list []noted) []noted {
	list = slices.Clone(list)
	for i := range list {
		list[i].Time, list[i].timed = 0, 0
	}
	return list
}

// Those who ask at each barrier are asked at each.
func TestTogetherAsked(t *testing.T) {
	t.Parallel()
	g := generated(t, "path", map[string]string{"n": "3000"})
	for name, j := range map[string]*pregel.Job{
		"a batch of 1": {Batch: 1},
		"NaN":          {Batch: 64, Bounds: pregel.Bounds{NaN: true}},
		"time":         {Batch: 64, Bounds: pregel.Bounds{Time: time.Hour}},
	} {
		list, _ := watched(t, g, j)
		if n := parts(t, name, list); n != 0 || len(list) != 3000 {
			t.Errorf("%s: %d of %d supersteps were done at once", name, n, len(list))
		}
	}
}

// A run is cancelled within a few supersteps.
func TestTogetherCancelled(t *testing.T) {
	t.Parallel()
	g := generated(t, "path", map[string]string{"n": "5000"})
	ctx, cancel := context.WithCancel(t.Context())
	seen := 0
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2}), Batch: 64, Observe: func(pregel.StepRecord) {
		if seen++; seen == 100 {
			cancel()
		}
	}}
	answer, err := (&bfs.BFS{Source: "0"}).Run(ctx, j)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Stop.Reason != pregel.Cancelled || seen < 100 || seen >= 164 || j.Supersteps() != seen {
		t.Errorf("%d supersteps were observed of %d: %v", seen, j.Supersteps(), answer.Stop)
	}
}

// A dawdling search takes its time at each vertex.
type dawdling struct{ sated }

func (dawdling) Init(v pregel.Vertex[uint64]) (uint64, bool) {
	if v.ID == 0 {
		return 1, true
	}
	return 0, false
}

func (dawdling) Apply(pregel.Vertex[uint64], uint32, bool) (uint64, bool) {
	time.Sleep(15 * time.Millisecond)
	return 1, true
}

func (dawdling) Settled(x uint64) bool { return x == 1 }

// Who has few vertices, but takes long for them, is cancelled after the one superstep.
func TestTogetherSlow(t *testing.T) {
	t.Parallel()
	g := generated(t, "path", map[string]string{"n": "5000"})
	ctx, cancel := context.WithCancel(t.Context())
	seen := 0
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2, Direction: pregel.Push}), Batch: 64, Observe: func(pregel.StepRecord) {
		if seen++; seen == 5 {
			cancel()
		}
	}}
	got, err := pregel.RunEdge(ctx, j, dawdling{})
	if err != nil || got.Stop.Reason != pregel.Cancelled || seen != 5 {
		t.Errorf("%d supersteps were observed, the context was cancelled after 5: %v, %v", seen, got.Stop, err)
	}
}

// When one of several supersteps fails those before it are observed, and it is named.
func TestTogetherFails(t *testing.T) {
	t.Parallel()
	const n = 5000
	list := graph.ArcList{}
	for v := range uint32(n - 1) {
		list.List = append(list.List, graph.Arc{U: v, V: v + 1})
	}
	g, err := graph.FromArcs(n, list, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	for at := uint64(1000); at < 1020; at++ {
		seen, together := 0, 0
		j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2, Direction: pregel.Push}), Batch: 64}
		j.Detail = func(r *pregel.StepRecord) {
			if r.Superstep != seen || r.Awake != 1 || r.Arcs != 1 || r.Next != 1 || r.Time <= 0 {
				t.Errorf("superstep %d: %+v", seen, r)
			}
			if seen++; r.Detail.Timed > 0 {
				together++
			}
		}
		got, err := pregel.RunEdge(t.Context(), j, breaking{at: at, when: "hears"})
		var failed *pregel.VertexError
		if !errors.As(err, &failed) || failed.Superstep != int(at-1) || uint64(failed.Vertex) != at {
			t.Errorf("vertex %d: %+v, %v", at, failed, err)
		}
		if seen != int(at-1) || got.Stop.Supersteps != seen || together < 900 {
			t.Errorf("vertex %d: %d supersteps were observed, %d of them timed with others; %+v", at, seen, together, got.Stop)
		}
	}
}
