//go:build cuda || emulate

package cuda_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/programs/mst"
	"gopregel/programs/pagerank"
	"gopregel/programs/wcc"
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

// Forms are told of the last task, whichever tasks have run on the graph before: those of another
// program, and of another width, are not.
func TestFormsAreOfTheLastTask(t *testing.T) {
	e := open(t, cuda.Options{})
	e.OrderAll(3)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 5))
	g := hubbed(t, r, 600, false).WithWeights(func(u, v uint32) int32 { return 1 + int32((u*7^v*7)%100) })
	prepared, err := pregel.Prepare(t.Context(), g, "degree", 1)
	if err != nil {
		t.Fatal(err)
	}
	told := func(a pregel.Algorithm) (names []string, bytes uint64) {
		t.Helper()
		if _, err := prepared.Run(t.Context(), a, &pregel.Job{Engine: e, Batch: 100}); err != nil {
			t.Fatal(err)
		}
		for _, f := range e.Forms() {
			names = append(names, f.Name)
			bytes += f.Bytes
		}
		return names, bytes
	}
	ranks := func(precision string) pregel.Algorithm {
		return &pagerank.PageRank{Damping: 0.85, Iterations: 6, Precision: precision}
	}
	e.AheadMost(0)
	_, wide := told(ranks(pagerank.Float64))
	for _, c := range []struct {
		a     pregel.Algorithm
		ahead time.Duration
		want  []string
	}{
		{wcc.New(), 0, []string{"first neighbours", cuda.OwnOrder}},
		{mst.New(), 0, []string{"arcs sorted by weight"}},
		{wcc.New(), 0, []string{"first neighbours", cuda.OwnOrder}},
		{mst.New(), 0, []string{"arcs sorted by weight"}},
		{ranks(pagerank.Float32), 0, []string{"arcs in columns", cuda.OwnOrder}},
		{ranks(pagerank.Float64), 0, []string{"arcs in columns", cuda.OwnOrder}},
		{ranks(pagerank.Float64), time.Hour, []string{"arcs in columns", cuda.OwnOrder, "values of a superstep ahead"}},
	} {
		e.AheadMost(c.ahead)
		names, bytes := told(c.a)
		if !slices.Equal(names, c.want) {
			t.Errorf("%T: told %q, want %q", c.a, names, c.want)
		}
		if p, ok := c.a.(*pagerank.PageRank); ok && p.Precision == pagerank.Float64 && c.ahead == 0 && bytes != wide {
			t.Errorf("%d bytes of columns, which were %d", bytes, wide)
		}
	}
}

// A name that no form has leaves nothing out.
func TestLeaveOutWhatThereIs(t *testing.T) {
	e := open(t, cuda.Options{})
	if err := e.LeaveOut("first neighbors"); err == nil || !strings.Contains(err.Error(), `found "first neighbors", want one of ["arcs sorted by weight"`) {
		t.Errorf("error %v", err)
	}
}
