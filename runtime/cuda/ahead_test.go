//go:build cuda || emulate

package cuda_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// relay adds up what neighbours say, and three tallies of the superstep before: how many
// values are odd, the least one, which from superstep quiet on nobody tells, and the greatest
// as a float. In superstep sleep a third falls asleep, in superstep halt it ends. What heard
// is told are the odd ones of each.
type relay[T int32 | int64] struct {
	halt, quiet, sleep int
	steps              int // what its twin says of these
	heard              func(superstep int, odd int64)
	odd                *pregel.Aggregator[int64]
	least              *pregel.Aggregator[int64]
	most               *pregel.Aggregator[float64]
}

const relayTwin = `
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) {
  awake = true;
  v.add_most(v.id);
  return v.id * 2654435761u;
}
__device__ Message emit(Vertex v, Value x, const Params &p) { return x ^ v.superstep; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) {
  awake = v.superstep != p.sleep || v.id % 3 != 0;
  x = (Value)((u64)x * 31 + (u64)m + (u64)p.last_odd * 5 + (u64)p.last_least * 3 + (u64)(i64)p.last_most);
  if (x & 1) v.add_odd(1);
  if (v.superstep < p.quiet) v.add_least(x);
  v.add_most((double)(x % 1000));
  return x;
}
`

func (*relay[T]) Name() string { return "relay" }

func (*relay[T]) Spec() pregel.Spec[T] {
	return pregel.Spec[T]{Combine: pregel.Sum[T](), Silent: true}
}

func (r *relay[T]) Setup(s *pregel.Setup) error {
	r.odd, r.least, r.most = pregel.NewAggregator(s, pregel.Sum[int64]()), pregel.NewAggregator(s, pregel.Min[int64]()), pregel.NewAggregator(s, pregel.Max[float64]())
	return nil
}

func (r *relay[T]) Init(v pregel.Vertex[T]) (T, bool) {
	r.most.Add(v.Place, float64(v.ID))
	return T(v.ID * 2654435761), true
}

func (*relay[T]) Emit(v pregel.Vertex[T]) T { return v.Value ^ T(v.Superstep) }

func (r *relay[T]) Apply(v pregel.Vertex[T], m T, got bool) (T, bool) {
	x := v.Value*31 + m + T(r.odd.Last())*5 + T(r.least.Last())*3 + T(int64(r.most.Last()))
	if x&1 != 0 {
		r.odd.Add(v.Place, 1)
	}
	if int(v.Superstep) < r.quiet {
		r.least.Add(v.Place, int64(x))
	}
	r.most.Add(v.Place, float64(x%1000))
	return x, int(v.Superstep) != r.sleep || v.ID%3 != 0
}

func (r *relay[T]) Barrier(s *pregel.Step) {
	if r.heard != nil {
		r.heard(s.Superstep, r.odd.Last())
	}
	if s.Superstep >= r.halt {
		s.Halt()
	}
}

func (r *relay[T]) Twin() pregel.Twin {
	return pregel.Twin{Name: "relay.cu", Source: relayTwin, Params: struct{ Quiet, Sleep int64 }{int64(r.quiet), int64(r.sleep)}, Local: true, Steps: r.steps,
		Tallies: []pregel.NamedTally{{Name: "odd", Tally: r.odd}, {Name: "least", Tally: r.least}, {Name: "most", Tally: r.most}}}
}

// A superstep that is begun ahead of the host is as any other, with the tallies of the one
// before; one begun in vain, as the run ends in between, or as tallies are not those that were
// foreseen, leaves nothing behind.
func TestAhead(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	for _, columns := range []bool{false, true} {
		e := open(t, cuda.Options{})
		if columns {
			e.ColumnAll(3)
		}
		for _, directed := range []bool{false, true} {
			g := random(t, r, 700, 9000, directed)
			for halt := range 7 {
				testAhead(t, e, g, &relay[int32]{halt: halt, quiet: 99, sleep: 99})
				testAhead(t, e, g, &relay[int64]{halt: halt, quiet: 3, sleep: 99})
				testAhead(t, e, g, &relay[int64]{halt: halt, quiet: 99, sleep: 2 + r.IntN(4)})
			}
		}
	}
}

func testAhead[T int32 | int64](t *testing.T, e *cuda.Engine, g *graph.Graph, p *relay[T]) {
	t.Helper()
	want, wantSteps := relayed(t, cpu.New(cpu.Options{Workers: 2}), g, p)
	for _, most := range []time.Duration{0, time.Hour} {
		e.AheadMost(most)
		got, steps := relayed(t, e, g, p)
		if ahead := e.Ahead(3); ahead != (most > 0 && p.halt > 0) {
			t.Errorf("%T, halted after %d: begun ahead %v, with supersteps of up to %v", p, p.halt, ahead, most)
		}
		if !slices.Equal(got, want) || !slices.Equal(steps, wantSteps) {
			t.Errorf("%T, directed %v, halted after %d, quiet from %d, asleep after %d, supersteps up to %v ahead: values or odd ones differ: %v, want %v",
				p, g.Directed(), p.halt, p.quiet, p.sleep, most, steps, wantSteps)
		}
	}
}

// relayed gives the values, and how many were odd after each superstep.
func relayed[T int32 | int64](t *testing.T, e pregel.Engine, g *graph.Graph, p *relay[T]) ([]T, []int64) {
	t.Helper()
	var list []int64
	p.heard = func(_ int, odd int64) { list = append(list, odd) }
	result, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e, Batch: 100}, p)
	if err != nil {
		t.Fatal(err)
	}
	return result.Values, list
}

// Where there is no room for a second place of values, none is begun ahead.
func TestAheadWithoutRoom(t *testing.T) {
	g := random(t, rand.New(rand.NewPCG(5, 6)), 700, 9000, false)
	p := &relay[int64]{halt: 5, quiet: 99, sleep: 99}
	want, _ := relayed(t, cpu.New(cpu.Options{Workers: 2}), g, p)
	memory := uint64(0)
	for _, short := range []uint64{0, 1} {
		e := open(t, cuda.Options{Memory: memory - min(memory, short)})
		e.AheadMost(time.Hour)
		got, _ := relayed(t, e, g, p)
		if ahead := e.Ahead(3); ahead != (short == 0) || !slices.Equal(got, want) {
			t.Errorf("%d bytes less than needed: begun ahead %v, values are right: %v", short, ahead, slices.Equal(got, want))
		}
		memory = e.Used()
	}
}

// Nor does it where the limit of supersteps, or the caller, ends the run: the values are those
// of the last superstep that counts, and none is begun behind the limit: the third would be
// the first.
func TestAheadEnds(t *testing.T) {
	g := random(t, rand.New(rand.NewPCG(3, 4)), 500, 4000, false)
	for stop := 1; stop < 7; stop++ {
		want, _ := relayed(t, cpu.New(cpu.Options{Workers: 2}), g, &relay[int64]{halt: stop - 1, quiet: 99, sleep: 99})
		e := open(t, cuda.Options{})
		e.AheadMost(time.Hour)
		limited, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e, Batch: 100, MaxSupersteps: stop}, &relay[int64]{halt: 99, quiet: 99, sleep: 99})
		if err != nil {
			t.Fatal(err)
		}
		if stop == 2 && e.Ahead(3) {
			t.Error("a superstep behind the limit was begun")
		}
		ctx, cancel := context.WithCancel(t.Context())
		heard := func(superstep int, _ int64) {
			if superstep == stop-1 {
				cancel()
			}
		}
		cancelled, err := pregel.RunEdge(ctx, &pregel.Job{Graph: g, Engine: e, Batch: 100}, &relay[int64]{halt: 99, quiet: 99, sleep: 99, heard: heard})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(limited.Values, want) || limited.Stop.Supersteps != stop {
			t.Errorf("limit of %d: %v, values are right: %v", stop, limited.Stop, slices.Equal(limited.Values, want))
		}
		if !slices.Equal(cancelled.Values, want) || cancelled.Stop.Reason != pregel.Cancelled || cancelled.Stop.Supersteps != stop {
			t.Errorf("cancelled after %d: %v, values are right: %v", stop, cancelled.Stop, slices.Equal(cancelled.Values, want))
		}
	}
}

// Behind the superstep that a program says is its last none is begun.
func TestAheadKnowsTheLast(t *testing.T) {
	e := open(t, cuda.Options{})
	g := random(t, rand.New(rand.NewPCG(seeded(t), 9)), 700, 4000, false)
	e.AheadMost(time.Hour)
	for _, c := range []struct {
		halt, steps int
		ahead       bool
	}{{1, 0, true}, {1, 2, false}, {2, 3, true}, {1, 3, true}} {
		p := &relay[int64]{halt: c.halt, quiet: 99, sleep: 99, steps: c.steps}
		r, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e, Batch: 100}, p)
		if err != nil || r.Stop.Reason != pregel.Halted || r.Stop.Supersteps != c.halt+1 {
			t.Fatalf("%+v: %v, error %v", c, r.Stop, err)
		}
		if ahead := e.Ahead(3); ahead != c.ahead {
			t.Errorf("%+v: begun ahead of the host: %v", c, ahead)
		}
	}
}
