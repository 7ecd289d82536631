package trace_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest/race"
	"gopregel/pregel/trace"
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

// An unfolding tells of each short superstep by a record of its own.
type unfolding struct {
	to     func(*pregel.StepRecord)
	last   pregel.StepRecord
	detail pregel.Detail
	briefs int
}

func (u *unfolding) record(r *pregel.StepRecord) {
	u.last, u.detail = *r, *r.Detail
	u.to(r)
}

func (u *unfolding) list(b *pregel.Briefs) {
	var all []pregel.Brief
	for _, s := range b.List {
		all = append(all, slices.Repeat([]pregel.Brief{s}, int(s.Times))...)
	}
	u.briefs += len(all)
	left, pushed := b.Left, b.Pushed
	for i, s := range all {
		arcs, none := uint64(s.Arcs), uint64(0)
		left -= uint64(s.Done)
		d := pregel.Detail{Why: u.detail.Why, Sent: &arcs, Atomics: &none, Whole: u.detail.Whole}
		if d.Why.Have = arcs * b.Law.Each; b.Law.Pushed {
			d.Why.Have = pushed
		}
		if d.Why.Limit = b.Law.Plus; b.Law.Share > 0 {
			d.Why.Limit += left / b.Law.Share
		}
		d.Why.Limit = max(d.Why.Limit, b.Law.Least)
		pushed += arcs
		if len(all) > 1 {
			d.Timed = len(all)
		}
		u.detail = d
		u.last.Superstep, u.last.Time = b.Superstep+i, b.Part(i)
		if u.last.Next = b.Next; i+1 < len(all) {
			u.last.Next = uint64(all[i+1].Awake)
		}
		u.last.Awake, u.last.Arcs, u.last.Detail = uint64(s.Awake), arcs, &d
		u.to(&u.last)
	}
}

// briefly traces one run as it is told of short supersteps, and by records of each.
func briefly(t *testing.T, g *graph.Graph, a pregel.Algorithm, j *pregel.Job) (traces [2]*trace.Run, briefs int) {
	t.Helper()
	var texts [2]bytes.Buffer
	var jobs [2]pregel.Job
	var recorders [2]*trace.Recorder
	for i := range jobs {
		recorders[i] = trace.NewRecorder(trace.NewWriter(&texts[i]), g, trace.Header{}, trace.Options{Values: trace.None})
		recorders[i].Watch(&jobs[i])
	}
	u := &unfolding{to: jobs[1].Detail}
	j.Graph, j.Begun = g, func(task pregel.Task) { jobs[0].Begun(task); jobs[1].Begun(task) }
	j.Detail = func(r *pregel.StepRecord) { jobs[0].Detail(r); u.record(r) }
	j.Briefs = func(b *pregel.Briefs) { jobs[0].Briefs(b); u.list(b) }
	answer, err := a.Run(t.Context(), j)
	for i, r := range recorders {
		if err := r.Close(answer, g.IDs(), err); err != nil {
			t.Fatal(err)
		}
		if traces[i], err = trace.Read("", bytes.NewReader(texts[i].Bytes())); err != nil {
			t.Fatal(err)
		}
	}
	return traces, u.briefs
}

// timeless are supersteps but for their times, whose barrier they share, and how many
// operations were atomic: how long the supersteps before took decides whether workers do
// a thin one together.
func timeless(list []trace.Step) []trace.Step {
	list = slices.Clone(list)
	for i := range list {
		s := list[i].Superstep
		s.Nanoseconds, s.Timed, s.Phases = 0, 0, slices.Clone(s.Phases)
		if s.Atomics != nil {
			s.Atomics = new(uint64)
		}
		for k := range s.Phases {
			s.Phases[k].Workers = nil
		}
		list[i].Superstep = s
	}
	return list
}

// Short supersteps that are told of several at once have the records that they have
// when each is told of, and, but for what depends on time, those of a run that does them one by
// one.
func TestBriefs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind   string
		params map[string]string
		briefs int // at least: fewer than there can be, as after a slow superstep one is done alone
	}{
		{"path", map[string]string{"n": "20000"}, 19900},
		{"grid", map[string]string{"rows": "4", "cols": "3000"}, 2900},
		{"grid", map[string]string{"rows": "80", "cols": "90"}, 5},
		{"uniform", map[string]string{"n": "5000", "edge_factor": "1", "seed": "2"}, 0},
		{"path", map[string]string{"n": "500"}, 0}, // could be pulled
	} {
		g := generated(t, c.kind, c.params)
		for _, o := range []cpu.Options{{Workers: 1}, {Workers: 2}, {Workers: 2, Direction: pregel.Push}} {
			if race.On && (o.Workers == 1 || c.briefs > 10_000) {
				continue
			}
			for _, most := range race.Some(0, 1000) {
				traces, briefs := briefly(t, g, &bfs.BFS{Source: "0"}, &pregel.Job{Engine: cpu.New(o), Batch: 64, MaxSupersteps: most})
				if !reflect.DeepEqual(traces[0].Steps, traces[1].Steps) {
					t.Errorf("%s %v, %+v: supersteps are others than each told of", c.kind, c.params, o)
				}
				if most == 0 && briefs < c.briefs {
					t.Errorf("%s %v, %+v: %d short supersteps, want %d", c.kind, c.params, o, briefs, c.briefs)
				}
				alone, none := briefly(t, g, &bfs.BFS{Source: "0"}, &pregel.Job{Engine: cpu.New(o), MaxSupersteps: most})
				if none != 0 || !reflect.DeepEqual(timeless(traces[0].Steps), timeless(alone[0].Steps)) {
					t.Errorf("%s %v, %+v: supersteps are others than those done one by one, of which %d were short", c.kind, c.params, o, none)
				}
			}
		}
	}
}

// A wave reaches whoever has not been reached.
type wave struct{}

func (wave) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.SourceID[uint32]()}
}
func (wave) Init(v pregel.Vertex[uint32]) (uint32, bool) { return v.ID, v.ID == 0 }
func (wave) Emit(v pregel.Vertex[uint32]) uint32         { return v.ID }
func (wave) Apply(v pregel.Vertex[uint32], from uint32, _ bool) (uint32, bool) {
	return from, v.Value == v.ID && v.ID != 0
}

// traversals are breadth-first search, and a program of another name after it.
type traversals struct{}

func (traversals) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	answer, err := (&bfs.BFS{Source: "0"}).Run(ctx, j)
	if err == nil {
		_, err = pregel.RunEdge(ctx, j, wave{})
	}
	return answer, err
}

// beads is a graph in layers of many widths, each vertex next to one of the layer
// before: supersteps are short, too wide for that, and, now and then, pulled.
func beads(t *testing.T, r *rand.Rand, layers int, directed bool) *graph.Graph {
	t.Helper()
	list, before, n := graph.ArcList{}, []uint32{0}, uint32(1)
	for range layers {
		width := 1 + r.IntN(12)
		switch r.IntN(20) {
		case 0:
			width = 13 + r.IntN(40)
		case 1:
			width = 1
		}
		if r.IntN(layers) < 3 {
			width = 3000
		}
		layer := make([]uint32, width)
		for i := range layer {
			layer[i] = n
			list.List = append(list.List, graph.Arc{U: before[r.IntN(len(before))], V: n})
			n++
		}
		before = layer
	}
	g, err := graph.FromArcs(int(n), list, graph.Options{Directed: directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The same where short supersteps come and go, and programs follow each other.
func TestBriefsBetweenOthers(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 5))
	for _, directed := range race.Some(false, true) {
		g := beads(t, r, 3000, directed)
		o := cpu.Options{Workers: 2}
		traces, briefs := briefly(t, g, traversals{}, &pregel.Job{Engine: cpu.New(o), Batch: 64})
		if !reflect.DeepEqual(traces[0].Steps, traces[1].Steps) {
			t.Errorf("directed %v: supersteps are others than each told of", directed)
		}
		alone, _ := briefly(t, g, traversals{}, &pregel.Job{Engine: cpu.New(o)})
		if !reflect.DeepEqual(timeless(traces[0].Steps), timeless(alone[0].Steps)) {
			t.Errorf("directed %v: supersteps are others than those done one by one", directed)
		}
		if n := len(traces[0].Steps); n < 5000 || briefs < n/2 || briefs > n*99/100 {
			t.Errorf("directed %v: %d of %d supersteps were short", directed, briefs, n)
		}
	}
}

// An engine may give more short supersteps at once than wait for who writes.
func TestManyBriefs(t *testing.T) {
	t.Parallel()
	g := generated(t, "path", map[string]string{"n": "20"})
	for _, n := range []int{100, 128, 3000, 10_000} {
		var text bytes.Buffer
		var j pregel.Job
		r := trace.NewRecorder(trace.NewWriter(&text), g, trace.Header{}, trace.Options{Values: trace.None})
		r.Watch(&j)
		list := make([]pregel.Brief, n)
		for i := range list {
			list[i] = pregel.Brief{Awake: uint8(i % 7), Times: 1}
		}
		j.Detail(&pregel.StepRecord{Program: "p", Detail: &pregel.Detail{Whole: "push"}})
		j.Briefs(&pregel.Briefs{Superstep: 1, Count: n, List: list})
		if err := r.Close(nil, g.IDs(), nil); err != nil {
			t.Fatal(err)
		}
		run, err := trace.Read("", &text)
		if err != nil || len(run.Steps) != n+1 {
			t.Fatalf("%d at once: %v", n, err)
		}
		for i, s := range list {
			if got := run.Steps[i+1].Awake; got != uint64(s.Awake) {
				t.Fatalf("%d at once: %d awake in number %d, want %d", n, got, i, s.Awake)
			}
		}
	}
}

// A disk that is full fails the trace, not the run, which goes on to its end.
func TestBriefsFull(t *testing.T) {
	t.Parallel()
	g := generated(t, "path", map[string]string{"n": "100000"})
	full := errors.New("no space left on device")
	for _, room := range []int{200, 600, 5000} {
		r := trace.NewRecorder(trace.NewWriter(&disk{room, full}), g, trace.Header{}, trace.Options{Values: trace.None})
		j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1}), Batch: 64}
		r.Watch(j)
		answer, err := (&bfs.BFS{Source: "0"}).Run(t.Context(), j)
		if err != nil || j.Supersteps() != 100_000 {
			t.Errorf("%d supersteps: %v", j.Supersteps(), err)
		}
		if err := r.Close(answer, g.IDs(), err); !errors.Is(err, full) {
			t.Errorf("room for %d bytes: found %v, want %v", room, err, full)
		}
	}
}

// A disk has room for so many bytes.
type disk struct {
	room int
	full error
}

func (d *disk) Write(p []byte) (int, error) {
	if d.room -= len(p); d.room < 0 {
		return 0, d.full
	}
	return len(p), nil
}
