// Package diff finds the first superstep and vertex at which two engines
// disagree about a job, and writes a Go test that shows it.
//
// Supersteps are deterministic, so a run stopped after k of them is the run at
// that point: Find compares the answers after 1, 2, 4, … supersteps, and where
// they differ looks between for two neighbouring numbers, after the first of
// which they agree and after the second not. Algorithms whose supersteps are
// phases of their own (Lockstep) are compared by their answers alone.
package diff

import (
	"context"
	"fmt"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/lcc"
	"gopregel/programs/mst"
	"gopregel/programs/scc"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
)

// A Side is one of the two engines, by the name it has in messages.
type Side struct {
	Name   string
	Engine pregel.Engine
}

// A Question is what is compared.
type Question struct {
	Graph *graph.Graph
	New   func() (pregel.Algorithm, error)
	Sides [2]Side
	Limit int    // supersteps; 0: none
	ULPs  uint64 // by which floats may differ
	All   bool   // only whole runs are compared
}

// A Finding is the answer to a Question.
type Finding struct {
	Supersteps int // compared, where the engines agree
	Stops      [2]pregel.Stop
	Rows       int
	Difference *Difference // nil: there is none
}

// A Difference is the first place where the engines disagree.
type Difference struct {
	Superstep int // after which the values differ, from 0; -1: only whole runs were compared
	Row       int // the vertex, in a table of vertices; -1: the stop records differ
	Cells     []Cell
	Before    []Cell // the values after the superstep before; none for the first
	What      string // in words, when it is of no row
}

// Lockstep tells whether two engines take the same supersteps of an algorithm,
// with the same values after each: not where they are phases of the algorithm's
// own, nor where devices order the work differently.
func Lockstep(a pregel.Algorithm, one, other pregel.Engine) bool {
	switch a := a.(type) {
	case *mst.MST, *scc.SCC, *lcc.LCC:
		return false
	case *wcc.WCC:
		return a.Method == wcc.Propagate
	case *sssp.SSSP:
		return one.Name() == other.Name()
	}
	return true
}

// Find answers the question.
func Find(ctx context.Context, q Question) (*Finding, error) {
	if q.All {
		f, err := q.after(ctx, q.Limit)
		if err == nil && f.Difference != nil {
			f.Difference.Superstep = -1
		}
		return f, err
	}
	agree := 0
	for k := 1; ; k *= 2 {
		if q.Limit > 0 {
			k = min(k, q.Limit)
		}
		f, err := q.after(ctx, k)
		switch {
		case err != nil:
			return nil, err
		case f.Difference != nil:
			return q.between(ctx, agree, k, f)
		case f.ended() || k == q.Limit:
			return f, nil
		}
		agree = k
	}
}

// ended tells whether both runs are over.
func (f *Finding) ended() bool {
	return f.Stops[0].Reason != pregel.MaxSupersteps && f.Stops[1].Reason != pregel.MaxSupersteps
}

// between narrows down where the engines begin to disagree: they agree after
// low supersteps and not, as found says, after high.
func (q *Question) between(ctx context.Context, low, high int, found *Finding) (*Finding, error) {
	for high-low > 1 {
		mid := low + (high-low)/2
		f, err := q.after(ctx, mid)
		if err != nil {
			return nil, err
		}
		if f.Difference != nil {
			high, found = mid, f
		} else {
			low = mid
		}
	}
	d := found.Difference
	d.Superstep = high - 1
	before, err := q.reached(ctx, low)
	if before != nil && d.Row >= 0 && d.Row < before.Table.Rows() {
		d.Before = cells(&before.Table, d.Row)
		for i := range d.Before {
			d.Before[i].Single = d.Cells[i].Single
		}
	}
	return found, err
}

// Reference is the side whose values stand for what was before: the CPU's, if
// one is.
func (q *Question) Reference() int {
	if q.Sides[0].Engine.Name() != "cpu" && q.Sides[1].Engine.Name() == "cpu" {
		return 1
	}
	return 0
}

// reached returns the answer of the reference after k supersteps, for 0 that
// after Init, which only the CPU engine gives; nil when there is none.
func (q *Question) reached(ctx context.Context, k int) (*pregel.Answer, error) {
	side := q.Reference()
	switch {
	case k > 0:
		return q.run(ctx, side, k)
	case k < 0 || q.Sides[side].Engine.Name() != "cpu":
		return nil, nil
	}
	first := *q
	first.Sides[side].Engine = initOnly{q.Sides[side].Engine}
	return first.run(ctx, side, 1)
}

// initOnly is an engine that does no supersteps.
type initOnly struct{ pregel.Engine }

// Run runs the task's Init.
func (e initOnly) Run(ctx context.Context, t pregel.Task, l pregel.Limits) pregel.Stop {
	l.MaxSupersteps = -1
	return e.Engine.Run(ctx, t, l)
}

// after compares the answers after k supersteps.
func (q *Question) after(ctx context.Context, k int) (*Finding, error) {
	var answers [2]*pregel.Answer
	f := &Finding{}
	for i := range answers {
		a, err := q.run(ctx, i, k)
		if err != nil {
			return nil, err
		}
		answers[i], f.Stops[i] = a, a.Stop
	}
	f.Supersteps, f.Rows = f.Stops[0].Supersteps, answers[0].Table.Rows()
	f.Difference = compare(&answers[0].Table, &answers[1].Table, q.ULPs)
	if f.Difference == nil && !q.All && (f.Stops[0].Reason != f.Stops[1].Reason || f.Stops[0].Supersteps != f.Stops[1].Supersteps) {
		f.Difference = &Difference{Row: -1, What: fmt.Sprintf("%s: %v; %s: %v", q.Sides[0].Name, f.Stops[0], q.Sides[1].Name, f.Stops[1])}
	}
	return f, nil
}

func (q *Question) run(ctx context.Context, side, k int) (*pregel.Answer, error) {
	a, err := q.New()
	if err != nil {
		return nil, err
	}
	s := q.Sides[side]
	answer, err := a.Run(ctx, &pregel.Job{Graph: q.Graph, Engine: s.Engine, MaxSupersteps: k})
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	case answer.Stop.Reason == pregel.Cancelled:
		return nil, context.Cause(ctx)
	}
	return answer, nil
}
