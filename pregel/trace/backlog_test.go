package trace_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
	"gopregel/pregel/trace"
)

// synthetic are records of supersteps, such as a device has.
func synthetic(r *rand.Rand, n int) []pregel.StepRecord {
	list := make([]pregel.StepRecord, n)
	rules := []string{"few vertices", "many vertices"}
	for i := range list {
		sent, heard, atomics := r.Uint64N(1000), r.Uint64N(9), r.Uint64N(3)
		d := &pregel.Detail{Why: pregel.Choice{Rule: rules[r.IntN(2)], Have: r.Uint64N(50), Limit: 99}, Sent: &sent, Atomics: &atomics}
		if r.IntN(3) > 0 {
			d.Combined = &heard
		}
		for range r.IntN(3) {
			d.Phases = append(d.Phases, pregel.PhaseTime{Name: rules[r.IntN(2)], Workers: []time.Duration{time.Duration(r.IntN(5000))}})
		}
		list[i] = pregel.StepRecord{Program: "p", Superstep: i, Awake: r.Uint64N(8), Arcs: sent, Next: r.Uint64N(8),
			Direction: pregel.Push + pregel.Direction(r.IntN(2)), List: r.IntN(2) == 0, Time: time.Duration(r.IntN(9000)), Detail: d}
	}
	return list
}

// backlogOf has records to be made of a list. What was handed out is overwritten when it
// is no longer good.
func backlogOf(list []pregel.StepRecord) *pregel.Backlog {
	return &pregel.Backlog{Superstep: list[0].Superstep, Count: len(list), Make: func(first int, detailed bool, f func(*pregel.StepRecord)) {
		for i, rec := range list {
			d := *rec.Detail
			if rec.Superstep, rec.Detail = first+i, &d; !detailed {
				rec.Detail = nil
			}
			f(&rec)
			rec, d = pregel.StepRecord{Program: "over"}, pregel.Detail{}
		}
	}}
}

// A trace of supersteps that come as backlogs, of any size, between others that come one
// by one, is that of all one by one.
func TestBacklog(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 15))
	g := generated(t, "path", map[string]string{"n": "20"})
	for round := range max(race.Times(12), 3) {
		records := synthetic(r, 1+r.IntN([]int{10, 300, 6000}[round%3]))
		want, got := told(t, g, records, nil), told(t, g, records, r)
		if !reflect.DeepEqual(got.Steps, want.Steps) {
			t.Fatalf("round %d: %d supersteps, want %d, or others", round, len(got.Steps), len(want.Steps))
		}
		if len(got.Steps) != len(records) {
			t.Fatalf("round %d: %d supersteps of %d", round, len(got.Steps), len(records))
		}
	}
}

// told traces records: one by one, or with r in pieces, backlogs among them.
func told(t *testing.T, g *graph.Graph, records []pregel.StepRecord, r *rand.Rand) *trace.Run {
	t.Helper()
	var text bytes.Buffer
	var j pregel.Job
	x := trace.NewRecorder(trace.NewWriter(&text), g, trace.Header{}, trace.Options{Values: trace.None})
	x.Watch(&j)
	for from := 0; from < len(records); {
		end := len(records)
		if r != nil {
			end = from + 1 + r.IntN(min(end-from, []int{3, 200, 5000}[r.IntN(3)]))
		}
		if piece := records[from:end]; r != nil && r.IntN(3) > 0 {
			j.Backlog(backlogOf(piece))
		} else {
			for i := range piece {
				j.Detail(&piece[i])
			}
		}
		from = end
	}
	if err := x.Close(nil, g.IDs(), nil); err != nil {
		t.Fatal(err)
	}
	run, err := trace.Read("", &text)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// Who else wants the details of each superstep has them, in place of backlogs; who takes
// backlogs too is told of the same.
func TestBacklogCompany(t *testing.T) {
	t.Parallel()
	g := generated(t, "path", map[string]string{"n": "20"})
	watched := func(j *pregel.Job) {
		x := trace.NewRecorder(new(trace.Run), g, trace.Header{}, trace.Options{Values: trace.None})
		x.Watch(j)
		t.Cleanup(func() { x.Close(nil, g.IDs(), nil) })
	}
	alone := pregel.Job{Detail: func(*pregel.StepRecord) {}}
	if watched(&alone); alone.Backlog != nil {
		t.Error("who has asked for each record would be told of none of a backlog")
	}
	seen := 0
	both := pregel.Job{Detail: func(*pregel.StepRecord) {}, Backlog: func(b *pregel.Backlog) { seen += b.Count }}
	watched(&both)
	both.Backlog(backlogOf(synthetic(rand.New(rand.NewPCG(1, 1)), 7)))
	if seen != 7 {
		t.Errorf("the other was told of %d supersteps of a backlog of 7", seen)
	}
}

// A retold task has other widths with each superstep.
type retold struct {
	pregel.Task
	g    *graph.Graph
	told uint64
}

func (*retold) Retold()               {}
func (*retold) Aggregates() []any     { return nil }
func (t *retold) Graph() *graph.Graph { return t.g }
func (t *retold) Widths() pregel.Widths {
	t.told++
	return pregel.Widths{Value: t.told}
}

// What is measured anew for each superstep is not left until later.
func TestBacklogRetold(t *testing.T) {
	t.Parallel()
	g := generated(t, "path", map[string]string{"n": "20"})
	records := synthetic(rand.New(rand.NewPCG(1, 2)), 5)
	var runs [2]trace.Run
	for i := range runs {
		var j pregel.Job
		x := trace.NewRecorder(&runs[i], g, trace.Header{}, trace.Options{Values: trace.None})
		x.Watch(&j)
		task := &retold{g: g}
		if j.Begun(task); i == 0 {
			j.Backlog(backlogOf(records))
		} else {
			for k := range records {
				j.Detail(&records[k])
			}
		}
		task.told = 100 // the run goes on
		if err := x.Close(nil, g.IDs(), nil); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(runs[0].Steps, runs[1].Steps) {
		t.Errorf("as a backlog %+v, one by one %+v", runs[0].Steps, runs[1].Steps)
	}
}
