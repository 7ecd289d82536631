//go:build cuda || emulate

package cuda_test

import (
	"math"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/runtime/cuda"
)

// checkForms compares what an engine tells of the forms of a graph that has had one run with
// what is there.
func checkForms(t *testing.T, what string, e *cuda.Engine) {
	t.Helper()
	made := e.Made()
	delete(made, "in-arcs") // arcs, not a form of theirs
	for _, f := range e.Forms() {
		if f.Took <= 0 {
			t.Errorf("%s: %s took %v", what, f.Name, f.Took)
		}
		if bytes, ok := made[f.Name]; f.Name != "values of a superstep ahead" && (!ok || bytes != f.Bytes) {
			t.Errorf("%s: %d bytes of %s were told, and %d are there", what, f.Bytes, f.Name, bytes)
		}
		delete(made, f.Name)
	}
	if len(made) > 0 {
		t.Errorf("%s: %v is there, and was not told", what, made)
	}
}

// leaveOut runs a program once without each form that its last run has used: the answer is the
// same, and the form is not there. In the end it may be made again.
func leaveOut(t *testing.T, what string, e *cuda.Engine, want *pregel.Answer, run func() *pregel.Answer) {
	t.Helper()
	for _, f := range e.Forms() {
		if err := e.LeaveOut(f.Name); err != nil {
			t.Fatal(err)
		}
		answer := run()
		for _, other := range e.Forms() {
			if other.Name == f.Name {
				t.Errorf("%s: %s was left out, and used", what, f.Name)
			}
		}
		if _, made := e.Made()[f.Name]; made {
			t.Errorf("%s: %s was left out, and made", what, f.Name)
		}
		sameAnswers(t, what+", without "+f.Name, &want.Table, &answer.Table)
	}
	if err := e.LeaveOut(); err != nil {
		t.Fatal(err)
	}
}

// sameAnswers compares what cannot differ, and floats but for the order of a sum.
func sameAnswers(t *testing.T, what string, want, got *pregel.Table) {
	t.Helper()
	if len(want.Columns) != len(got.Columns) {
		t.Fatalf("%s: %d columns, want %d", what, len(got.Columns), len(want.Columns))
	}
	near := func(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-9 }
	for i, a := range want.Columns {
		b := got.Columns[i]
		if !slices.Equal(a.Vertices, b.Vertices) || !slices.Equal(a.Counts, b.Counts) || !slices.Equal(a.Ints, b.Ints) || !slices.EqualFunc(a.Floats, b.Floats, near) {
			t.Errorf("%s: another %s", what, a.Name)
		}
	}
}
