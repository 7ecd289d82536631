//go:build cuda || emulate

package cuda_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/bfs"
	"gopregel/programs/wcc"
	"gopregel/runtime/cuda"
)

// copied is a record with a detail of its own.
func copied(r *pregel.StepRecord) pregel.StepRecord {
	c := *r
	if c.Detail != nil {
		d := *c.Detail
		d.Phases = append([]pregel.PhaseTime(nil), d.Phases...)
		for k, p := range d.Phases {
			d.Phases[k].Workers = append(p.Workers[:0:0], p.Workers...)
		}
		number := func(x **uint64) {
			if *x != nil {
				n := **x
				*x = &n
			}
		}
		number(&d.Sent)
		number(&d.Combined)
		number(&d.Atomics)
		c.Detail = &d
	}
	return c
}

// twice runs two programs, one after the other.
type twice [2]pregel.Algorithm

func (a twice) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	if answer, err := a[0].Run(ctx, j); err != nil {
		return answer, err
	}
	return a[1].Run(ctx, j)
}

// Supersteps between which nothing is asked come as backlogs: whenever their records are
// made, and however often, they are those that others are told of one by one. Who observes
// is told of each at once.
func TestBacklog(t *testing.T) {
	e := open(t, cuda.Options{})
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 15))
	list := []*graph.Graph{random(t, r, 3000, 9000, true), random(t, r, 500, 700, false)}
	for _, g := range list {
		source := &bfs.BFS{Source: pregel.ID(g.IDs().Text(r.Uint32N(uint32(g.N()))))}
		a := twice{source, &wcc.WCC{Method: wcc.Propagate}}
		var want, got, observed []pregel.StepRecord
		var kept []*pregel.Backlog
		one := &pregel.Job{Graph: g, Engine: e, Batch: 1 << 12, Detail: func(s *pregel.StepRecord) { want = append(want, copied(s)) }}
		many := &pregel.Job{Graph: g, Engine: e, Batch: 1 << 12, Detail: func(s *pregel.StepRecord) { t.Errorf("superstep %d came alone", s.Superstep) },
			Backlog: func(b *pregel.Backlog) { kept = append(kept, b) }, Observe: func(s pregel.StepRecord) { observed = append(observed, s) }}
		for _, j := range []*pregel.Job{one, many} {
			if _, err := a.Run(t.Context(), j); err != nil {
				t.Fatal(err)
			}
		}
		for _, b := range kept {
			before := len(got)
			b.Each(true, func(s *pregel.StepRecord) { got = append(got, copied(s)) })
			again := before
			b.Each(true, func(s *pregel.StepRecord) {
				if x := copied(s); !reflect.DeepEqual(x, got[again]) {
					t.Errorf("made again: %+v, before %+v", x, got[again])
				}
				again++
			})
			if n := len(got) - before; n != b.Count || again != len(got) {
				t.Errorf("%d records of a backlog of %d, then %d", n, b.Count, again-before)
			}
		}
		compareRecords(t, "of backlogs", got, want, true)
		compareRecords(t, "observed", observed, want, false)
	}
}

func compareRecords(t *testing.T, what string, got, want []pregel.StepRecord, detailed bool) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d records, want %d", what, len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g.Superstep != i || w.Superstep != i || g.Program != w.Program || g.Awake != w.Awake || g.Next != w.Next || (g.Detail != nil) != detailed {
			t.Fatalf("%s, superstep %d: %+v, want %+v", what, i, g, w)
		}
		if detailed && (g.Detail.Sent == nil || len(g.Detail.Phases) == 0 || g.Detail.Why.Rule == "") {
			t.Fatalf("%s, superstep %d: %+v", what, i, g.Detail)
		}
	}
}
