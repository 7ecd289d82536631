package superstep_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
	"gopregel/runtime/superstep"
)

// A postponer does so many supersteps, up to atOnce of them at a time, and fails where it
// is to.
type postponer struct {
	left, atOnce, breaks int
}

var errBroken = errors.New("broken")

func (r *postponer) Init() error     { return nil }
func (r *postponer) Pending() uint64 { return uint64(r.left) }

func (r *postponer) Run(s, most int, records []pregel.StepRecord) ([]pregel.StepRecord, error) {
	b, err := r.Postpone(s, most)
	if err == nil {
		b.Each(true, func(rec *pregel.StepRecord) { records = append(records, *rec) })
	}
	return records, err
}

func (r *postponer) Postpone(s, most int) (*pregel.Backlog, error) {
	n := min(most, r.left, r.atOnce)
	if r.breaks > 0 && s+n > r.breaks {
		return nil, errBroken
	}
	r.left -= n
	return &pregel.Backlog{Superstep: s, Count: n, Make: func(first int, detailed bool, f func(*pregel.StepRecord)) {
		for i := range n {
			rec := pregel.StepRecord{Superstep: first + i, Awake: uint64(s + i), Time: 1}
			if detailed {
				rec.Detail = &pregel.Detail{}
			}
			f(&rec)
		}
	}}, nil
}

// postponing runs each program by a postponer of its own.
type postponing struct {
	*cpu.Engine
	runs []postponer
}

func (e *postponing) Run(ctx context.Context, t pregel.Task, l pregel.Limits) pregel.Stop {
	r := e.runs[0]
	e.runs = e.runs[1:]
	return superstep.Drive(ctx, t, &r, l)
}

// idle is a program with nothing to do at a barrier.
type idle struct{}

func (idle) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.Copy[uint32]()}
}
func (idle) Init(pregel.Vertex[uint32]) (uint32, bool)                      { return 0, false }
func (idle) Emit(pregel.Vertex[uint32]) uint32                              { return 0 }
func (idle) Apply(v pregel.Vertex[uint32], _ uint32, _ bool) (uint32, bool) { return v.Value, false }

// Whoever watches is told of each superstep once, in turn, over several programs, whether
// records are made later or not, up to the bound, and up to an error.
func TestBacklog(t *testing.T) {
	t.Parallel()
	g, err := graph.FromArcs(3, graph.ArcList{}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name        string
		runs        []postponer
		most, batch int
		want        int
		err         error
	}{
		{"two programs", []postponer{{left: 10, atOnce: 4}, {left: 7, atOnce: 7}}, 0, 100, 17, nil},
		{"small batches", []postponer{{left: 10, atOnce: 4}, {left: 7, atOnce: 7}}, 0, 3, 17, nil},
		{"one by one", []postponer{{left: 10, atOnce: 4}, {left: 7, atOnce: 7}}, 0, 1, 17, nil},
		{"bounded", []postponer{{left: 10, atOnce: 4}, {left: 7, atOnce: 7}}, 13, 100, 13, nil},
		{"one left", []postponer{{left: 10, atOnce: 4}, {left: 7, atOnce: 7}}, 14, 3, 14, nil},
		{"broken", []postponer{{left: 10, atOnce: 4}, {left: 9, atOnce: 2, breaks: 5}}, 0, 100, 14, errBroken},
		{"over at once", []postponer{{}, {left: 2, atOnce: 2}}, 0, 100, 2, nil},
	} {
		for _, asked := range []string{"observed", "detailed", "both", "later", "later and observed"} {
			var seen [2][]int
			e := &postponing{cpu.New(cpu.Options{Workers: 1}), slices.Clone(c.runs)}
			j := &pregel.Job{Graph: g, Engine: e, Batch: c.batch, MaxSupersteps: c.most}
			see := func(i int, s *pregel.StepRecord, detailed bool) {
				if seen[i] = append(seen[i], s.Superstep); detailed && s.Detail == nil {
					t.Errorf("%s, %s: superstep %d has no detail", c.name, asked, s.Superstep)
				}
			}
			var kept []*pregel.Backlog
			later := func() {
				for _, b := range kept {
					b.Each(true, func(s *pregel.StepRecord) { see(0, s, true) })
				}
				kept = nil
			}
			if asked == "observed" || asked == "both" || asked == "later and observed" {
				j.Observe = func(s pregel.StepRecord) { see(1, &s, false) }
			}
			if asked != "observed" {
				j.Detail = func(s *pregel.StepRecord) { later(); see(0, s, true) }
			}
			if asked == "later" || asked == "later and observed" {
				j.Backlog = func(b *pregel.Backlog) { kept = append(kept, b) }
			}
			var failed error
			for range c.runs {
				if _, err := pregel.RunEdge(t.Context(), j, idle{}); err != nil {
					failed = err
				}
			}
			later()
			if !errors.Is(failed, c.err) {
				t.Errorf("%s, %s: found %v, want %v", c.name, asked, failed, c.err)
			}
			for i, on := range []bool{j.Detail != nil, j.Observe != nil} {
				if on && !slices.Equal(seen[i], upTo(c.want)) || !on && seen[i] != nil {
					t.Errorf("%s, %s: told of %v, want 0 to %d", c.name, asked, seen[i], c.want-1)
				}
			}
			if j.Supersteps() != c.want {
				t.Errorf("%s, %s: %d supersteps, want %d", c.name, asked, j.Supersteps(), c.want)
			}
		}
	}
}

func upTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}
