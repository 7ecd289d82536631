package cpu_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// A run in waves goes on from any of its supersteps with other workers, in another direction.
func TestWavesResumed(t *testing.T) {
	r := newSeed(t)
	total := 0
	for name, g := range landscapes(t, r) {
		for _, odd := range []uint32{graph.None, 2} {
			p := &rounds{seeds: 1 + r.Uint32N(uint32(g.N())), odd: odd, own: r.IntN(2) == 0}
			want := pregeltest.Reference[taken, uint32](g, p, nil, 0)
			var last pregel.Result[taken]
			job := func() (pregel.Algorithm, *pregel.Job) {
				run := algorithm(func(j *pregel.Job) (_ *pregel.Answer, err error) {
					last, err = pregel.RunEdge(t.Context(), j, p)
					return nil, err
				})
				o := cpu.Options{Workers: 1 + r.IntN(4), Direction: pregel.Direction(r.IntN(3)), Strict: r.IntN(2) == 0}
				return run, &pregel.Job{Graph: g, Engine: cpu.New(o)}
			}
			_, times, err := pregeltest.Interrupted(t.Context(), r, 1+r.IntN(4), job)
			if err != nil || !slices.Equal(last.Values, want.Values) || last.Stop.Supersteps != want.Supersteps {
				t.Fatalf("%s, %+v: interrupted %d times: %v, %v, the values are the same: %v", name, p, times, last.Stop, err, slices.Equal(last.Values, want.Values))
			}
			total += times
		}
	}
	if total == 0 {
		t.Error("nothing was interrupted")
	}
}

// faulty is a search that fails at a vertex in a superstep.
type faulty struct {
	at        uint32
	superstep int32
	when      string
	own       bool // the combiner is a function
}

func (p faulty) Spec() pregel.Spec[int32] {
	if p.own {
		return pregel.Spec[int32]{Combine: owned(pregel.Min[int32]())}
	}
	return pregel.Spec[int32]{Combine: pregel.Min[int32]()}
}
func (p faulty) Init(v pregel.Vertex[int32]) (int32, bool) {
	return int32(v.ID), v.ID == 0
}
func (p faulty) Emit(v pregel.Vertex[int32]) int32 {
	if p.when == "emits" && v.ID == p.at && v.Superstep == p.superstep {
		panic("as it must")
	}
	return v.Superstep
}
func (p faulty) Apply(v pregel.Vertex[int32], _ int32, _ bool) (int32, bool) {
	if p.when == "applies" && v.ID == p.at && v.Superstep == p.superstep {
		panic("as it must")
	}
	return v.Value + 1_000_000, true
}
func (p faulty) Settled(x int32) bool {
	if p.when == "settles" && x == int32(p.at)+1_000_000 {
		panic("as it must")
	}
	return x >= 3_000_000
}

// Whoever fails is named, with the superstep, and another run of the engine is as if there had been
// no failure.
func TestWavesFail(t *testing.T) {
	const n = 5000
	var arcs []graph.Arc
	for v := range uint32(n - 1) {
		arcs = append(arcs, graph.Arc{V: v + 1}, graph.Arc{U: v + 1, V: (v*7 + 1) % n})
	}
	g, err := graph.FromArcs(n, graph.ArcList{List: arcs}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	want := pregeltest.Reference[int32, int32](g, faulty{}, nil, 0).Values
	for _, workers := range race.Workers(1, 3) {
		for shares := range 3 {
			e := cpu.New(cpu.Options{Workers: workers, Direction: pregel.Push})
			e.Share(shares)
			for _, when := range []string{"emits", "applies", "settles"} {
				for _, at := range []uint32{1, 64, 2222, n - 1} {
					p := faulty{at: at, when: when, own: at%2 == 0}
					if when == "emits" {
						p.superstep = 1
					}
					_, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e}, p)
					var failed *pregel.VertexError
					if !errors.As(err, &failed) || failed.Superstep != int(p.superstep) || failed.Vertex != at {
						t.Errorf("%+v, %d workers, %d shares: %+v, %v", p, workers, shares, failed, err)
					}
				}
			}
			if got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e}, faulty{}); err != nil || !slices.Equal(got.Values, want) {
				t.Errorf("%d workers, %d shares: after failures %v, the values are the same: %v", workers, shares, err, slices.Equal(got.Values, want))
			}
		}
	}
}

// nothings is a search by messages that the combiner makes its identity of.
type nothings struct{ combine pregel.Monoid[float64] }

func (p nothings) Spec() pregel.Spec[float64] { return pregel.Spec[float64]{Combine: p.combine} }
func (nothings) Init(v pregel.Vertex[float64]) (float64, bool) {
	return -1, v.ID == 0
}
func (nothings) Emit(pregel.Vertex[float64]) float64 { return math.NaN() }
func (nothings) Apply(_ pregel.Vertex[float64], m float64, _ bool) (float64, bool) {
	return m, true
}
func (nothings) Settled(x float64) bool { return x != -1 }

// Messages that are all one are combined nevertheless: NaNs are the identity of Min and Max.
func TestWavesOfNaN(t *testing.T) {
	r := newSeed(t)
	for name, g := range landscapes(t, r) {
		for _, m := range []pregel.Monoid[float64]{pregel.Min[float64](), pregel.Max[float64]()} {
			want := pregeltest.Reference[float64, float64](g, nothings{m}, nil, 0)
			for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
				got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2, Direction: d})}, nothings{m})
				if err != nil || !slices.Equal(got.Values, want.Values) {
					t.Errorf("%s, %s, %v: error %v, the values are the same: %v", name, m.Name, d, err, slices.Equal(got.Values, want.Values))
				}
			}
		}
	}
}

// tallied adds up fractions of those it applies messages to.
type tallied struct {
	rounds
	tally *pregel.Aggregator[float64]
}

func (p *tallied) Setup(s *pregel.Setup) error {
	p.tally = pregel.NewPersistentAggregator(s, pregel.Sum[float64]())
	return p.rounds.Setup(s)
}
func (p *tallied) Apply(v pregel.Vertex[taken], m uint32, got bool) (taken, bool) {
	p.tally.Add(v.Place, 1/float64(v.ID+1))
	return p.rounds.Apply(v, m, got)
}

// Sums of fractions are in one order, whoever applies messages.
func TestWavesInOrder(t *testing.T) {
	r := newSeed(t)
	for name, g := range landscapes(t, r) {
		var want []float64
		for _, workers := range []int{1, 3} {
			for shares := range 4 {
				p := &tallied{rounds: rounds{seeds: 1 + uint32(g.N())/3, odd: graph.None}}
				e := cpu.New(cpu.Options{Workers: workers, Direction: pregel.Push})
				e.Share(shares)
				if _, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e}, p); err != nil {
					t.Fatal(err)
				}
				if want = append(want, p.tally.Last()); want[0] != p.tally.Last() {
					t.Errorf("%s: %d workers, %d shares: %v, by one worker %v", name, workers, shares, p.tally.Last(), want[0])
				}
			}
		}
	}
}
