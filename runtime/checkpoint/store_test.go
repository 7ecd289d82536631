package checkpoint_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/runtime/checkpoint"
	"gopregel/runtime/cpu"
)

// A checkpoint of something else is refused, with all that differs, and older ones
// are not tried.
func TestMismatch(t *testing.T) {
	g := aGraph(40)
	dir := begun(t, g, 5)
	for _, c := range []struct {
		change func(o *checkpoint.Options)
		want   string
	}{
		{func(o *checkpoint.Options) { o.Of[0].Value = "trees" }, "program was ranks then, is trees now"},
		{func(o *checkpoint.Options) { o.Of = append(o.Of, checkpoint.Fact{Name: "graph", Value: "new"}) }, "graph was not there then, is new now"},
		{func(o *checkpoint.Options) { o.Of = nil }, "program was ranks then, is not there now"},
		{func(o *checkpoint.Options) { o.Of[0].Value = ""; o.Engine = "cuda" }, "program was ranks then, is not there now; engine (determinism is strict, and floats are added up) was cpu then, is cuda now"},
	} {
		o := options(dir)
		c.change(&o)
		_, err := checkpoint.Open(o, true)
		var mismatch *checkpoint.MismatchError
		if !errors.As(err, &mismatch) || !strings.HasSuffix(err.Error(), " is of another run: "+c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	o := options(dir)
	o.Engine, o.Strict = "cuda", false
	opened(t, o, true)
	if now, _ := files(t, dir); len(now) != 2 {
		t.Errorf("left are %v", now)
	}
}

// Another program under the same facts is found out by its types.
func TestOtherTypes(t *testing.T) {
	g := aGraph(40)
	s := opened(t, options(begun(t, g, 5)), true)
	_, _, err := run(t.Context(), &single{}, g, s, 0)
	if err == nil || !strings.Contains(err.Error(), "part 0 of the program pagerank is values of float64, here values of float32") {
		t.Error(err)
	}
}

// single has values of another type, under the same name.
type single struct{}

func (*single) Name() string { return "pagerank" }
func (*single) Spec() pregel.Spec[float32] {
	return pregel.Spec[float32]{Combine: pregel.Sum[float32](), Silent: true}
}
func (*single) Setup(s *pregel.Setup) error {
	pregel.NewAggregator(s, pregel.Sum[float64]())
	pregel.NewAggregator(s, pregel.Sum[float64]())
	pregel.Keep(s, &struct {
		Least float64
		Since int64
	}{})
	return nil
}
func (*single) Init(pregel.Vertex[float32]) (float32, bool)                       { return 1, true }
func (*single) Emit(v pregel.Vertex[float32]) float32                             { return v.Value }
func (*single) Apply(_ pregel.Vertex[float32], m float32, _ bool) (float32, bool) { return m, true }
func (p *single) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	r, err := pregel.RunEdge(ctx, j, p)
	return &pregel.Answer{Stop: r.Stop}, err
}

// A folder with checkpoints is not written to by a run that does not go on from them.
func TestUnfinished(t *testing.T) {
	dir := begun(t, aGraph(40), 5)
	_, err := checkpoint.Open(options(dir), false)
	var unfinished *checkpoint.UnfinishedError
	if !errors.As(err, &unfinished) || unfinished.Newest.Supersteps != 5 {
		t.Error(err)
	}
	if s := opened(t, options(t.TempDir()), true); s.Report().Resumed != nil {
		t.Error("resumed from nothing")
	}
}

// Checkpoints are written when they are due, as many stay as are to, and a run that
// has ended early leaves one of its last barrier.
func TestDue(t *testing.T) {
	g := aGraph(40)
	for _, c := range []struct {
		every    int
		interval time.Duration
		count    int
		most     int
		written  int
		left     string
	}{
		{every: 4, count: 3, written: 2, left: "4 8"},
		{every: 4, count: 1, written: 2, left: "8"},
		{every: 5, count: 2, most: 7, written: 2, left: "5 7"},
		{every: 100, count: 2, most: 7, written: 1, left: "7"},
		{every: 100, count: 2, written: 0, left: ""},
		{interval: time.Nanosecond, count: 20, written: 11, left: "1 2 3 4 5 6 7 8 9 10 11"},
		{interval: time.Hour, count: 2, written: 0, left: ""},
	} {
		o := options(t.TempDir())
		o.Supersteps, o.Interval, o.Count = c.every, c.interval, c.count
		s := opened(t, o, false)
		if _, _, err := run(t.Context(), ranks(12), g, s, c.most); err != nil {
			t.Fatal(err)
		}
		var left []string
		names, _ := files(t, o.Dir)
		for _, name := range names {
			var n int
			if _, err := fmt.Sscanf(filepath.Base(name), "superstep-%d.checkpoint", &n); err != nil {
				t.Fatal(err)
			}
			left = append(left, fmt.Sprint(n))
		}
		if got := strings.Join(left, " "); got != c.left || s.Report().Written != c.written {
			t.Errorf("%+v: %d written, left are %s", c, s.Report().Written, got)
		}
		if err := s.Remove(); err != nil {
			t.Error(err)
		}
		if names, _ := files(t, o.Dir); len(names) > 0 {
			t.Errorf("not removed: %v", names)
		}
	}
}

// What keeps a checkpoint from being written is told, and the run goes on; what is
// there stays. Without anybody to tell it ends.
func TestNotWritten(t *testing.T) {
	g := aGraph(40)
	want, _, err := run(t.Context(), ranks(12), g, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, warns := range []bool{true, false} {
		o := options(filepath.Join(t.TempDir(), "state"))
		told := 0
		if warns {
			o.Warn = func(error) { told++ }
		}
		s := opened(t, o, false)
		if err := os.Remove(o.Dir); err != nil {
			t.Fatal(err)
		}
		got, _, err := run(t.Context(), ranks(12), g, s, 0)
		switch {
		case warns && (err != nil || got != want || told != 11 || len(s.Report().Problems) != 11):
			t.Errorf("%v; told %d times, %+v", err, told, s.Report())
		case !warns && !errors.Is(err, os.ErrNotExist):
			t.Errorf("error %v", err)
		}
	}
}

// A program whose values cannot be kept is refused before its first superstep.
func TestTypes(t *testing.T) {
	for _, c := range []struct {
		p    interface{ run(*pregel.Job) error }
		want string
	}{
		{holding[string]{}, "program holding cannot be kept in a checkpoint: its values: string is no type of fixed size"},
		{holding[[]int]{}, "its values: []int is no type of fixed size"},
		{holding[*int]{}, "its values: *int is no type of fixed size"},
		{holding[map[int]int]{}, "its values: map[int]int is no type of fixed size"},
		{holding[struct{ A [2]struct{ B any } }]{}, "its values: field A of struct { A [2]struct { B interface {} } }: field B of struct { B interface {} }: interface {} is no type of fixed size"},
		{holding[[3]int16]{}, ""},
		{holding[struct {
			A bool
			B complex64
			C int
		}]{}, ""},
	} {
		s := opened(t, options(t.TempDir()), false)
		err := c.p.run(&pregel.Job{Graph: aGraph(10), Engine: cpu.New(cpu.Options{}), Checkpoints: s})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), c.want)) {
			t.Errorf("%T: error %v, want %s", c.p, err, c.want)
		}
	}
}

type holding[V any] struct{}

func (holding[V]) Name() string                                 { return "holding" }
func (holding[V]) Init(v pregel.Vertex[V]) (V, bool)            { return v.Value, true }
func (holding[V]) Compute(c *pregel.Context[V, bool], _ []bool) { c.VoteToHalt() }
func (p holding[V]) run(j *pregel.Job) error {
	_, err := pregel.RunVertex[V, bool](context.Background(), j, p)
	return err
}

// twice runs one program after the other, and a phase between them.
type twice struct{ commits bool }

func (p twice) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	var done struct{ Stage, Sum int32 }
	column := make([]float64, j.Graph.N())
	if p.commits {
		if _, err := j.Continue(&done, &column); err != nil {
			return nil, err
		}
	}
	var stop pregel.Stop
	for ; done.Stage < 3; done.Stage++ {
		if p.commits {
			if err := j.Commit(&done, &column); err != nil {
				return nil, err
			}
		}
		switch done.Stage {
		case 1:
			var err error
			stop, err = j.Phase(ctx, "double", func(lo, hi uint32, _ *pregel.Worker) {
				for v := lo; v < hi; v++ {
					column[v] *= 2
				}
			})
			if err != nil {
				return nil, err
			}
		default:
			a, err := ranks(4+int(done.Stage)).Run(ctx, j)
			if err != nil {
				return nil, err
			}
			for v, x := range a.Table.Columns[0].Floats {
				column[v] += x
			}
			stop = a.Stop
		}
		done.Sum += done.Stage
		if stop.Reason != pregel.Halted {
			break
		}
	}
	stop.Supersteps = j.Supersteps()
	return &pregel.Answer{Stop: stop, Table: pregel.Table{Columns: []pregel.Column{{Floats: column}, {Ints: []int64{int64(done.Sum)}}}}}, nil
}

// A job of several programs goes on in the one that was under way, or behind its last
// commit.
func TestSeveralPrograms(t *testing.T) {
	g := aGraph(40)
	for _, commits := range []bool{false, true} {
		want, whole, err := run(t.Context(), twice{commits}, g, nil, 0)
		if err != nil || whole.Supersteps != 4+1+6 {
			t.Fatal(whole, err)
		}
		for most := 1; most < whole.Supersteps; most++ {
			o := options(t.TempDir())
			if _, stop, err := run(t.Context(), twice{commits}, g, opened(t, o, false), most); err != nil || stop.Reason != pregel.MaxSupersteps {
				t.Fatal(stop, err)
			}
			s := opened(t, o, true)
			got, stop, err := run(t.Context(), twice{commits}, g, s, 0)
			if err != nil || got != want || stop != whole || s.Report().Resumed == nil {
				t.Errorf("commits %v, stopped after %d: %v, want %v; another answer: %v; resumed %v; %v", commits, most, stop, whole, got != want, s.Report().Resumed, err)
			}
		}
	}
}
