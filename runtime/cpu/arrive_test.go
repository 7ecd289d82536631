package cpu_test

import (
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// landing is a breadth-first search whose values hold what makes of superstep and
// least sender.
type landing[V comparable] struct {
	rest  V
	seeds []uint32
	makes func(superstep, from uint32) V
}

func (landing[V]) Name() string { return "landing" }
func (landing[V]) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.SourceID[uint32]()}
}
func (p landing[V]) Init(v pregel.Vertex[V]) (V, bool) {
	if slices.Contains(p.seeds, v.ID) {
		return p.makes(0, v.ID), true
	}
	return p.rest, false
}
func (landing[V]) Emit(v pregel.Vertex[V]) uint32 { return v.ID }
func (p landing[V]) Apply(v pregel.Vertex[V], from uint32, _ bool) (V, bool) {
	if v.Value != p.rest {
		return v.Value, false
	}
	return p.makes(uint32(v.Superstep)+1, from), true
}
func (p landing[V]) Settled(x V) bool                      { return x != p.rest }
func (p landing[V]) Seeds() (V, []uint32)                  { return p.rest, p.seeds }
func (p landing[V]) Arrive(superstep int32, from uint32) V { return p.makes(uint32(superstep)+1, from) }

var _ pregel.Arriver[uint32, uint32] = landing[uint32]{}

type pair struct{ a, b uint32 }

// Values of four and eight bytes that take messages themselves, in whichever half the
// message lies, and values of which that cannot be: all are what a slow interpreter
// makes of the program, by any number of workers, in shares and pieces.
func TestArrive(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 8))
	for name, g := range landscapes(t, r) {
		n := uint32(g.N())
		seeds := []uint32{r.Uint32N(n), r.Uint32N(n)}[:1+r.IntN(2)]
		arrives(t, name+", depth", g, landing[uint32]{graph.None, seeds, func(s, _ uint32) uint32 { return s }})
		arrives(t, name+", depth and sender", g, landing[pair]{pair{graph.None, graph.None}, seeds, func(s, u uint32) pair { return pair{s, u} }})
		arrives(t, name+", sender and depth", g, landing[pair]{pair{graph.None, 7}, seeds, func(s, u uint32) pair { return pair{u, s | 1<<31} }})
		arrives(t, name+", depth in eight bytes", g, landing[int64]{-1, seeds, func(s, _ uint32) int64 { return int64(s) << 40 }})
		if race.On { // values of four and of eight bytes have been tried
			continue
		}
		arrives(t, name+", sender alone", g, landing[uint32]{graph.None, seeds, func(_, u uint32) uint32 { return u }})
		arrives(t, name+", sender beside a constant", g, landing[pair]{pair{graph.None, 7}, seeds, func(_, u uint32) pair { return pair{u, 8} }})
		arrives(t, name+", sender doubled", g, landing[uint64]{1, seeds, func(s, u uint32) uint64 { return uint64(s)<<40 | uint64(u)<<1 }})
		arrives(t, name+", sender and a bit of it", g, landing[pair]{pair{graph.None, graph.None}, seeds, func(s, u uint32) pair { return pair{s<<1 | u&1, u} }})
		arrives(t, name+", in two bytes", g, landing[uint16]{0, seeds, func(s, _ uint32) uint16 { return uint16(s) + 1 }})
	}
}

// binned is, for a number of shares, that all is thrown into bins.
const binned = 4

func arrives[V comparable](t *testing.T, name string, g *graph.Graph, p landing[V]) {
	t.Helper()
	want := pregeltest.Reference[V, uint32](g, p, nil, 1<<20)
	for _, o := range []cpu.Options{{Workers: 1}, {Workers: 2}, {Workers: 3, Direction: pregel.Push}} {
		if race.On && o.Workers == 1 {
			continue
		}
		for _, shares := range []int{0, 1, 3, binned} {
			e := cpu.New(o)
			if e.Bin(shares == binned); shares != binned {
				e.Share(shares)
			}
			var sent, asked uint64
			j := &pregel.Job{Graph: g, Engine: e, Batch: 1 + shares, Observe: func(s pregel.StepRecord) {
				asked += s.Awake
				sent += s.Arcs
			}}
			got, err := pregel.RunEdge(t.Context(), j, p)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Values, want.Values) || got.Stop.Supersteps != want.Supersteps {
				t.Fatalf("%s, %+v, %d shares: %v, the reference %v; the values are the same: %v",
					name, o, shares, got.Stop, want.Supersteps, slices.Equal(got.Values, want.Values))
			}
			if reached := settled(got.Values, p.rest); asked != reached {
				t.Fatalf("%s, %+v, %d shares: %d were awake in all supersteps, of %d reached", name, o, shares, asked, reached)
			}
			if want := arcsOf(g, got.Values, p.rest); o.Direction == pregel.Push && sent != want {
				t.Fatalf("%s, %+v, %d shares: %d arcs were pushed along, those reached have %d", name, o, shares, sent, want)
			}
		}
	}
}

// Of a sender that makes the value of the rest, nobody could tell whom it has reached: such values take no messages.
func TestArriveAtTheRest(t *testing.T) {
	for name, g := range landscapes(t, rand.New(rand.NewPCG(4, 9))) {
		var seeds []uint32
		for v := uint32(4); v < uint32(g.N()); v += 2 {
			seeds = append(seeds, v)
		}
		p := landing[pair]{pair{1, 4}, seeds, func(s, u uint32) pair { return pair{s, u} }}
		want := pregeltest.Reference[pair, uint32](g, p, nil, 1<<20)
		got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})}, p)
		if err != nil || !slices.Equal(got.Values, want.Values) {
			t.Fatalf("%s: %v, %v, the reference %v", name, err, got.Stop, want.Supersteps)
		}
	}
}

// Who is settled is known at each barrier, as checkpoints and those who pull next need it.
func TestArrivedAreSettled(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 9))
	for name, g := range landscapes(t, r) {
		p := landing[pair]{pair{graph.None, graph.None}, []uint32{0}, func(s, u uint32) pair { return pair{s, u} }}
		for _, workers := range race.Workers(1, 3) {
			every, barriers := 1, 0
			e := cpu.New(cpu.Options{Workers: workers})
			e.Bin(r.IntN(2) == 0)
			j := &pregel.Job{Graph: g, Engine: e, Barrier: func(state func() (pregel.State, error)) error {
				if barriers++; barriers%every != 0 {
					return nil
				}
				every += 3 // some are marked together
				s, err := state()
				for v, x := range s.Values.([]pair) {
					if s.Settled.Has(uint32(v)) != p.Settled(x) {
						t.Fatalf("%s, barrier %d: vertex %d is %v; it is said to be settled: %v", name, barriers, v, x, s.Settled.Has(uint32(v)))
					}
				}
				return err
			}}
			if _, err := pregel.RunEdge(t.Context(), j, p); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func settled[V comparable](values []V, rest V) (n uint64) {
	for _, x := range values {
		if x != rest {
			n++
		}
	}
	return n
}

func arcsOf[V comparable](g *graph.Graph, values []V, rest V) (arcs uint64) {
	for v, x := range values {
		if x != rest {
			arcs += g.Out().Degree(uint32(v))
		}
	}
	return arcs
}

// landscapes are thin graphs, such that behind them comes a dense one, which is pulled
// when more have been reached than are listed, and a hub among many others.
func landscapes(t *testing.T, r *rand.Rand) iter.Seq2[string, *graph.Graph] {
	var names []string
	var graphs []*graph.Graph
	add := func(name string, n int, directed bool, arcs []graph.Arc) {
		g, err := graph.FromArcs(n, graph.ArcList{List: arcs}, graph.Options{Directed: directed})
		if err != nil {
			t.Fatal(err)
		}
		names, graphs = append(names, name), append(graphs, g)
	}
	var thin []graph.Arc
	for range 6000 {
		thin = append(thin, graph.Arc{U: r.Uint32N(3000), V: r.Uint32N(3000)})
	}
	add("random", 3000, false, thin)
	add("random, directed", 3000, true, thin)
	rows := uint32(90)
	grid := []graph.Arc{}
	for u := range rows * rows {
		if u%rows+1 < rows {
			grid = append(grid, graph.Arc{U: u, V: u + 1})
		}
		if u+rows < rows*rows {
			grid = append(grid, graph.Arc{U: u, V: u + rows})
		}
	}
	add("grid", int(rows*rows), false, grid)
	behind := slices.Clone(grid)
	for range 60000 {
		behind = append(behind, graph.Arc{U: rows*rows + r.Uint32N(3000), V: rows*rows + r.Uint32N(3000)})
	}
	behind = append(behind, graph.Arc{U: rows*rows - 1, V: rows * rows})
	add("grid and behind it a dense one", int(rows*rows)+3000, false, behind)
	hub := []graph.Arc{}
	for v := range uint32(5000) {
		hub = append(hub, graph.Arc{U: 0, V: 1 + v}, graph.Arc{U: 1 + v, V: 5001 + v})
	}
	for v := range uint32(20000) {
		hub = append(hub, graph.Arc{U: 17, V: 10001 + v})
	}
	add("hub", 30001, true, hub)
	add("one vertex", 1, false, nil)
	add("a loop", 1, true, []graph.Arc{{U: 0, V: 0}})
	return func(yield func(string, *graph.Graph) bool) {
		for i, name := range names {
			if !yield(name, graphs[i]) {
				return
			}
		}
	}
}

// Arcs of those who were reached by a pull count as done, too: what may be pushed thereafter follows from
// those that are left.
func TestPulledAreDone(t *testing.T) {
	for name, g := range landscapes(t, rand.New(rand.NewPCG(5, 10))) {
		seed, pulls, after := uint32(g.N()-1), 0, 0 // of the dense part, where there is one
		p := landing[pair]{pair{graph.None, graph.None}, []uint32{seed}, func(s, u uint32) pair { return pair{s, u} }}
		depths := pregeltest.Reference[pair, uint32](g, p, nil, 1<<20).Values
		rule := ""
		j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1}), Detail: func(r *pregel.StepRecord) {
			if rule == "" {
				rule = r.Detail.Why.Rule
			}
			if r.Direction == pregel.Pull {
				pulls++
			} else if pulls > 0 && r.Detail.Why.Rule == rule {
				after++
				left := uint64(0)
				for v, x := range depths {
					if int(x.a) > r.Superstep {
						left += g.Out().Degree(uint32(v))
					}
				}
				if got, want := r.Detail.Why.Limit, max(left/15, uint64(g.N()/64)); got != want {
					t.Fatalf("%s, superstep %d: up to %d arcs are pushed, want %d: %d are left", name, r.Superstep, got, want, left)
				}
			}
		}}
		if _, err := pregel.RunEdge(t.Context(), j, p); err != nil {
			t.Fatal(err)
		}
		if name == "grid and behind it a dense one" && (pulls == 0 || after < 10) {
			t.Errorf("%d supersteps were pulled, %d pushed by what was left then: nothing was tried", pulls, after)
		}
	}
}

// numbered is a landing whose Apply counts those who are reached.
type numbered struct {
	landing[pair]
	reached *pregel.Aggregator[uint64]
}

func (c *numbered) Setup(s *pregel.Setup) error {
	c.reached = pregel.NewPersistentAggregator(s, pregel.Sum[uint64]())
	return nil
}

func (c *numbered) Apply(v pregel.Vertex[pair], from uint32, ok bool) (pair, bool) {
	x, awake := c.landing.Apply(v, from, ok)
	if awake {
		c.reached.Add(v.Place, 1)
	}
	return x, awake
}

// What Apply adds to an aggregator is added for every vertex, though Arrive could say what becomes of it.
func TestArriveAndCount(t *testing.T) {
	for name, g := range landscapes(t, rand.New(rand.NewPCG(6, 11))) {
		seed := uint32(g.N() - 1)
		p := &numbered{landing: landing[pair]{pair{graph.None, graph.None}, []uint32{seed}, func(s, u uint32) pair { return pair{s, u} }}}
		want := pregeltest.Reference[pair, uint32](g, p.landing, nil, 1<<20)
		for _, o := range []cpu.Options{{Workers: 1}, {Workers: 2}, {Workers: 2, Direction: pregel.Push}, {Workers: 1, Direction: pregel.Pull}} {
			got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(o)}, p)
			if err != nil || !slices.Equal(got.Values, want.Values) {
				t.Fatalf("%s, %+v: %v, %v, the reference %v", name, o, err, got.Stop, want.Supersteps)
			}
			if n := settled(got.Values, p.rest) - 1; p.reached.Last() != n {
				t.Errorf("%s, %+v: %d were counted, %d reached", name, o, p.reached.Last(), n)
			}
		}
	}
}
