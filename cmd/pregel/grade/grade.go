// Package grade holds the programs of the course in docs/ to what its exercises ask
// for: `pregel grade`.
//
// An exercise is a row of the table in exercises.go: points, and criteria in the
// order in which they are looked at. Most are of a program, which is run on hidden
// graphs that follow from a seed (drawing.go, execution.go) and held to a slow
// reference (reference.go), to budgets, to other workers and directions, and to the
// laws of package check (criteria.go). A criterion that fails comes with the smallest
// graph that shows it. Exercise warp is answered in numbers (warp.go), reach is CUDA C
// (kernel.go).
package grade

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/programs"
)

// Options say what is graded, and how.
type Options struct {
	Programs []programs.Entry // those of the course among them
	Folder   string           // of the course: docs
	Names    []string         // of exercises and lessons, or folders of these; none: all
	Seed     uint64
	Graphs   int // hidden graphs beside the fixed ones; 0: 40
	// Time is how long one run may take; 0: 10 s, a thousand times what is usual. Stuck is
	// told of a superstep that goes on for as long again, and cannot be stopped; nil:
	// nobody.
	Time  time.Duration
	Stuck func(error)
	// Open makes the engine of a GPU for a job; its error says what is missing.
	Open  func(j *job.Job) (engine pregel.Engine, done func(), err error)
	Calls Calls
	// Hidden is given each counter-example, and returns the job that it has written for
	// it; nil: nobody.
	Hidden func(exercise string, d *Drawing) (job string, err error)
}

// Calls are the commands that a reader is told to type.
type Calls struct {
	Grade  string // that grades; "": go run ./docs grade
	Course string // the course's own; "": go run ./docs
	Far    bool   // it runs in another folder than this, so files are named in full
}

// A Report is what was found.
type Report struct {
	Seed      uint64   `json:"seed"`
	Points    int      `json:"points"`
	Of        int      `json:"of"`
	Exercises []Result `json:"exercises"`
}

// A Result is that of an exercise. Points are all of it, or none.
type Result struct {
	Lesson   string    `json:"lesson"`
	Exercise string    `json:"exercise"`
	Asks     string    `json:"asks"`
	Points   int       `json:"points"`
	Of       int       `json:"of"`
	LeftOut  string    `json:"left_out,omitempty"` // why some of it, and its points, are
	Criteria []Verdict `json:"criteria"`
}

// A Verdict is that on a criterion.
type Verdict struct {
	Criterion string `json:"criterion"`
	Status    string `json:"status"` // ok, failed, or unseen: one before has failed
	Says      string `json:"says"`
	Miss      *Miss  `json:"miss,omitempty"`
}

// A Miss is how a criterion is missed.
type Miss struct {
	On     string `json:"on,omitempty"` // the graph, the parameters and the engine
	Found  string `json:"found"`
	Wanted string `json:"wanted"`
	Hint   string `json:"hint"`
	Look   string `json:"look,omitempty"` // a command
}

// The statuses of a criterion.
const (
	OK     = "ok"
	Failed = "failed"
	Unseen = "unseen"
)

// Passed tells whether nothing has failed.
func (r *Report) Passed() bool { return r.Points == r.Of }

// An exercise is a row of the table.
type exercise struct {
	lesson, name, asks string
	points             int
	grader
}

// A grader looks at the criteria of an exercise. leftOut says what could not be looked
// at here, and why.
type grader interface {
	grade(ctx context.Context, x *exam) (list []Verdict, leftOut string, err error)
}

// An exam is the grading of an exercise.
type exam struct {
	Options
	exercise
}

// Run grades. The error is that of the context, or of an exercise that is not there.
func Run(ctx context.Context, o Options) (*Report, error) {
	if o.Graphs == 0 {
		o.Graphs = 40
	}
	if o.Time == 0 {
		o.Time = 10 * time.Second
	}
	if o.Calls.Course == "" {
		o.Calls.Course = "go run ./docs"
	}
	if o.Calls.Grade == "" {
		o.Calls.Grade = o.Calls.Course + " grade"
	}
	list, err := chosen(o.Names)
	if err != nil {
		return nil, err
	}
	report := &Report{Seed: o.Seed}
	for _, e := range list {
		r, err := (&exam{o, e}).result(ctx)
		if err != nil {
			return nil, err
		}
		report.Points, report.Of = report.Points+r.Points, report.Of+r.Of
		report.Exercises = append(report.Exercises, *r)
	}
	return report, nil
}

func (x *exam) result(ctx context.Context) (*Result, error) {
	r := &Result{Lesson: x.lesson, Exercise: x.name, Asks: x.asks, Of: x.points}
	var err error
	if r.Criteria, r.LeftOut, err = x.grade(ctx, x); err != nil {
		return nil, err
	}
	failed := slices.ContainsFunc(r.Criteria, func(v Verdict) bool { return v.Status != OK })
	switch {
	case failed:
	case r.LeftOut != "": // what cannot be seen counts for neither
		r.Of = 0
	default:
		r.Points = r.Of
	}
	return r, nil
}

// chosen are the exercises with the given names, or of the given lessons.
func chosen(names []string) (list []exercise, err error) {
	all := exercises()
	for _, name := range names {
		base := filepath.Base(filepath.Clean(name))
		named := func(e exercise) bool { return e.name == base || e.lesson == base }
		if !slices.ContainsFunc(all, named) {
			return nil, fmt.Errorf("found %q, allowed: %s", name, strings.Join(allowed(all), ", "))
		}
	}
	if len(names) == 0 {
		return all, nil
	}
	for _, e := range all {
		if slices.ContainsFunc(names, func(name string) bool {
			base := filepath.Base(filepath.Clean(name))
			return e.name == base || e.lesson == base
		}) {
			list = append(list, e)
		}
	}
	return list, nil
}

// allowed lists lessons and exercises.
func allowed(all []exercise) (names []string) {
	for _, e := range all {
		if !slices.Contains(names, e.lesson) {
			names = append(names, e.lesson)
		}
		names = append(names, e.name)
	}
	return names
}

// Known returns an error for a name of Options.Names that is none.
func Known(names []string) error {
	_, err := chosen(names)
	return err
}

// Missing returns the first program of the course that is not in a list, "" if all
// are: the list is then not that of the course's command.
func Missing(list []programs.Entry) string {
	for _, e := range exercises() {
		if _, ok := e.grader.(program); ok && !slices.ContainsFunc(list, func(p programs.Entry) bool { return p.Name == e.name }) {
			return e.name
		}
	}
	return ""
}
