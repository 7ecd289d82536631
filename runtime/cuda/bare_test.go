//go:build cuda || emulate

package cuda_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// renewal makes values of what neighbours say and of how many were odd in the superstep before, never of
// those before; by how much they change it tallies. In superstep sleep a third falls asleep; it ends, or
// fails, after superstep halt, which says nothing of the steps that its twin tells.
type renewal[V, M int32 | int64] struct {
	halt, sleep, steps int
	fails              bool
	heard              func(superstep int) // at barriers
	odd                *pregel.Aggregator[int64]
	moved              *pregel.Aggregator[float64]

	odds  []int64 // of each superstep
	moves []float64
}

const renewalTwin = `
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = true; return v.id * 7 + 1; }
__device__ Message emit(Vertex v, Value x, const Params &p) { return (Message)(x ^ v.superstep) % 1000003; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) {
  awake = v.superstep != p.sleep || v.id % 3 != 0;
  Value next = (Value)(((u64)m * 31 + (u64)p.last_odd * 5 + v.id) % 2000003);
  if (next & 1) v.add_odd(1);
  v.add_moved((double)(next > x ? next - x : x - next));
  return next;
}
`

var errRenewal = errors.New("enough")

func (*renewal[V, M]) Name() string { return "renewal" }
func (*renewal[V, M]) Spec() pregel.Spec[M] {
	return pregel.Spec[M]{Combine: pregel.Sum[M](), Silent: true, Local: true}
}
func (*renewal[V, M]) Init(v pregel.Vertex[V]) (V, bool) { return V(v.ID)*7 + 1, true }
func (*renewal[V, M]) Emit(v pregel.Vertex[V]) M         { return M(v.Value^V(v.Superstep)) % 1000003 }

func (r *renewal[V, M]) Setup(s *pregel.Setup) error {
	r.odd, r.moved = pregel.NewAggregator(s, pregel.Sum[int64]()), pregel.NewAggregator(s, pregel.Sum[float64]())
	return nil
}

func (r *renewal[V, M]) Apply(v pregel.Vertex[V], m M, _ bool) (V, bool) {
	next := V((uint64(m)*31 + uint64(r.odd.Last())*5 + uint64(v.ID)) % 2000003)
	if next&1 != 0 {
		r.odd.Add(v.Place, 1)
	}
	r.moved.Add(v.Place, math.Abs(float64(next)-float64(v.Value)))
	return next, int(v.Superstep) != r.sleep || v.ID%3 != 0
}

func (r *renewal[V, M]) Barrier(s *pregel.Step) {
	if s.Superstep >= 0 {
		r.odds, r.moves = append(r.odds, r.odd.Last()), append(r.moves, r.moved.Last())
	}
	if r.heard != nil {
		r.heard(s.Superstep)
	}
	if s.Superstep >= r.halt {
		if s.Halt(); r.fails {
			s.Fail(errRenewal)
		}
	}
}

func (r *renewal[V, M]) Twin() pregel.Twin {
	return pregel.Twin{Name: "renewal.cu", Source: renewalTwin, Params: struct{ Sleep int64 }{int64(r.sleep)}, Local: true, Anew: true, Steps: r.steps,
		Tallies: []pregel.NamedTally{{Name: "odd", Tally: r.odd}, {Name: "moved", Tally: r.moved, Change: true}}}
}

// blind counts the supersteps of which it was not told what they change.
func (r *renewal[V, M]) blind() (n int) {
	for _, x := range r.moves {
		if math.IsNaN(x) {
			n++
		}
	}
	return n
}

// Supersteps that keep no values leave those of the last one, whichever way a run ends: after as many
// as its program says, at a limit, halted or failed sooner, cancelled; with vertices asleep, a superstep begun
// ahead of the host, or room for none; and what the last one changes is known if it was foreseen.
func TestBare(t *testing.T) {
	r := rand.New(rand.NewPCG(seeded(t), 11))
	for _, columns := range []bool{false, true} {
		e := open(t, cuda.Options{})
		if columns {
			e.ColumnAll(3)
		}
		for _, directed := range []bool{false, true} {
			g := random(t, r, 700, 9000, directed)
			for steps := range 8 {
				renewed(t, e, g, &renewal[int64, int64]{halt: steps - 1, steps: steps, sleep: 99}, 0)
				renewed(t, e, g, &renewal[int32, int64]{halt: steps - 1, steps: steps, sleep: 99}, 0)
				renewed(t, e, g, &renewal[int64, int32]{halt: steps - 1, steps: steps, sleep: r.IntN(8)}, 0)
				renewed(t, e, g, &renewal[int64, int64]{halt: steps - 1, steps: 8 + r.IntN(2), sleep: 99, fails: true}, 0)
				renewed(t, e, g, &renewal[int64, int64]{halt: steps - 1, steps: 8 + r.IntN(2), sleep: r.IntN(9)}, 0)
				renewed(t, e, g, &renewal[int32, int32]{halt: 99, steps: 2 + r.IntN(9), sleep: 99}, steps+1)
			}
		}
	}
}

func renewed[V, M int32 | int64](t *testing.T, e *cuda.Engine, g *graph.Graph, p *renewal[V, M], limit int) {
	t.Helper()
	want := *p
	values, supersteps := renew(t, cpu.New(cpu.Options{Workers: 2}), g, &want, limit)
	last := p.steps
	if limit > 0 {
		last = min(last, limit)
	}
	for _, most := range []time.Duration{0, time.Hour} {
		e.AheadMost(most)
		q := *p
		got, n := renew(t, e, g, &q, limit)
		what := fmt.Sprintf("%T, directed %v, halted after %d, asleep after %d, its twin says %d, limit %d, fails %v, supersteps up to %v ahead",
			p, g.Directed(), p.halt, p.sleep, p.steps, limit, p.fails, most)
		if n != supersteps || !slices.Equal(got, values) || !slices.Equal(q.odds, want.odds) {
			t.Errorf("%s: %d supersteps, want %d; values are right: %v; odd ones %v, want %v", what, n, supersteps, slices.Equal(got, values), q.odds, want.odds)
		}
		for s, x := range q.moves {
			blind := last >= 3 && s <= last-2 // of two supersteps one keeps no values
			if math.IsNaN(x) != blind && (p.sleep > s || !blind) || !math.IsNaN(x) && x != want.moves[s] {
				t.Errorf("%s: superstep %d changed values by %v, want %v, not to be known: %v", what, s, x, want.moves[s], blind)
			}
		}
	}
}

func renew[V, M int32 | int64](t *testing.T, e pregel.Engine, g *graph.Graph, p *renewal[V, M], limit int) ([]V, int) {
	t.Helper()
	result, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e, Batch: 100, MaxSupersteps: limit}, p)
	if p.fails != errors.Is(err, errRenewal) {
		t.Fatal(err)
	}
	return result.Values, result.Stop.Supersteps
}

// Nor does it matter what the graph is: empty, of one vertex, with self-loops, a hub, or vertices alone.
func TestBareOfAnyGraph(t *testing.T) {
	e := open(t, cuda.Options{})
	for _, c := range pregeltest.Graphs(seeded(t)) {
		renewed(t, e, c.Graph, &renewal[int64, int64]{halt: 5, steps: 6, sleep: 99}, 0)
		renewed(t, e, c.Graph, &renewal[int64, int64]{halt: 3, steps: 9, sleep: 99}, 0)
	}
}

// Nor does it matter that a run is cancelled.
func TestBareCancelled(t *testing.T) {
	g := random(t, rand.New(rand.NewPCG(seeded(t), 12)), 500, 4000, false)
	for stop := range 9 {
		want, _ := renew(t, cpu.New(cpu.Options{Workers: 2}), g, &renewal[int64, int64]{halt: stop - 1, sleep: 99}, 0)
		e := open(t, cuda.Options{})
		e.AheadMost(time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		p := &renewal[int64, int64]{halt: 99, steps: 9, sleep: 99, heard: func(superstep int) {
			if superstep == stop-1 {
				cancel()
			}
		}}
		got, err := pregel.RunEdge(ctx, &pregel.Job{Graph: g, Engine: e, Batch: 100}, p)
		if err != nil || got.Stop.Reason != pregel.Cancelled || got.Stop.Supersteps != stop || !slices.Equal(got.Values, want) {
			t.Errorf("cancelled after %d: %v, error %v, values are right: %v", stop, got.Stop, err, slices.Equal(got.Values, want))
		}
	}
}

// Where states are looked at, all supersteps keep their values.
func TestBareLookedAt(t *testing.T) {
	g := random(t, rand.New(rand.NewPCG(seeded(t), 13)), 500, 4000, true)
	e := open(t, cuda.Options{})
	p := &renewal[int64, int64]{halt: 5, steps: 6, sleep: 99}
	looks := 0
	look := func(state func() (pregel.State, error)) error {
		s, err := state()
		if err != nil {
			return err
		}
		want, _ := renew(t, cpu.New(cpu.Options{Workers: 2}), g, &renewal[int64, int64]{halt: s.Supersteps - 1, sleep: 99}, 0)
		if looks++; !slices.Equal(s.Values.([]int64), want) {
			t.Errorf("values after %d supersteps are not right", s.Supersteps)
		}
		return nil
	}
	if _, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e, Barrier: look}, p); err != nil || looks != 7 || p.blind() > 0 {
		t.Errorf("%d looks, %d supersteps without values: %v", looks, p.blind(), err)
	}
	q := &renewal[int64, int64]{halt: 5, steps: 6, sleep: 99}
	if _, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e, Bounds: pregel.Bounds{NaN: true}}, q); err != nil || q.blind() > 0 {
		t.Errorf("looked for NaN: %d supersteps without values: %v", q.blind(), err)
	}
	q = &renewal[int64, int64]{halt: 5, steps: 6, sleep: 99}
	if _, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e, Detail: func(*pregel.StepRecord) {}}, q); err != nil || q.blind() > 0 {
		t.Errorf("traced: %d supersteps without values: %v", q.blind(), err)
	}
}

// Where there is no room for a third place of offers, none is begun ahead of the host.
func TestBareWithoutRoom(t *testing.T) {
	g := random(t, rand.New(rand.NewPCG(seeded(t), 14)), 700, 9000, false)
	want, _ := renew(t, cpu.New(cpu.Options{Workers: 2}), g, &renewal[int64, int64]{halt: 3, sleep: 99}, 0)
	memory := uint64(0)
	for _, short := range []uint64{0, 1} {
		e := open(t, cuda.Options{Memory: memory - min(memory, short)})
		e.AheadMost(time.Hour)
		p := &renewal[int64, int64]{halt: 3, steps: 8, sleep: 99}
		got, _ := renew(t, e, g, p, 0)
		if ahead := e.Ahead(2); ahead != (short == 0) || p.blind() != 4 || !slices.Equal(got, want) {
			t.Errorf("%d bytes less than needed: begun ahead %v, %d not known, values are right: %v", short, ahead, p.blind(), slices.Equal(got, want))
		}
		memory = e.Used()
	}
}
