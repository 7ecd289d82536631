package cpu_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/bfs"
	"gopregel/runtime/cpu"
)

// Short supersteps have the records that they have one by one, but for the time, where
// nobody asks for details, and the answer, where nobody observes.
func TestBriefs(t *testing.T) {
	t.Parallel()
	for _, g := range []*graph.Graph{
		generated(t, "path", map[string]string{"n": "5000"}),
		generated(t, "grid", map[string]string{"rows": "4", "cols": "3000"}),
		generated(t, "grid", map[string]string{"rows": "80", "cols": "90"}),
		generated(t, "uniform", map[string]string{"n": "5000", "edge_factor": "2", "seed": "2"}),
		shuffledGrid(t, 4, 3000),
	} {
		for _, most := range []int{0, 7, 1000} {
			var lists [2][]pregel.StepRecord
			var depths, parents [3][]uint32
			for i := range depths {
				j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2}), MaxSupersteps: most, Batch: 64 * (i % 2)}
				if i < 2 {
					j.Observe = func(r pregel.StepRecord) {
						if r.Time < 0 {
							t.Errorf("superstep %d took %v", r.Superstep, r.Time)
						}
						r.Time = 0
						lists[i] = append(lists[i], r)
					}
				} else {
					j.Batch = 64
				}
				answer, err := (&bfs.BFS{Source: "0"}).Run(t.Context(), j)
				if err != nil {
					t.Fatal(err)
				}
				depths[i] = answer.Table.Columns[0].Counts
				parents[i] = answer.Table.Columns[1].Vertices
			}
			if !slices.Equal(lists[0], lists[1]) {
				t.Errorf("%d vertices, at most %d: records %v\none by one %v", g.N(), most, lists[1], lists[0])
			}
			if !slices.Equal(depths[0], depths[1]) || !slices.Equal(depths[0], depths[2]) {
				t.Errorf("%d vertices, at most %d: depths %v and %v, unobserved, one by one %v", g.N(), most, depths[1], depths[2], depths[0])
			}
			if !slices.Equal(parents[0], parents[1]) || !slices.Equal(parents[0], parents[2]) {
				t.Errorf("%d vertices, at most %d: parents %v and %v, unobserved, one by one %v", g.N(), most, parents[1], parents[2], parents[0])
			}
		}
	}
}

// shuffledGrid is a grid whose vertices are numbered at random: neighbours are reached
// in another order than that of their numbers.
func shuffledGrid(t *testing.T, rows, columns int) *graph.Graph {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	at := rand.New(rand.NewPCG(seed, 6)).Perm(rows * columns)
	list := graph.ArcList{}
	add := func(i, k int) { list.List = append(list.List, graph.Arc{U: uint32(at[i]), V: uint32(at[k])}) }
	for i := range at {
		if (i+1)%rows > 0 {
			add(i, i+1)
		}
		if i+rows < len(at) {
			add(i, i+rows)
		}
	}
	g, err := graph.FromArcs(len(at), list, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// When one of several short supersteps fails those before it are told of, and it is
// named.
func TestBriefsFail(t *testing.T) {
	t.Parallel()
	const n = 5000
	list := graph.ArcList{}
	for v := range uint32(n - 1) {
		list.List = append(list.List, graph.Arc{U: v, V: v + 1})
	}
	g, err := graph.FromArcs(n, list, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	for at := uint64(1000); at < 1020; at++ {
		seen, briefs := 0, 0
		j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2, Direction: pregel.Push}), Batch: 64}
		j.Detail = func(*pregel.StepRecord) { seen++ }
		j.Briefs = func(b *pregel.Briefs) {
			if b.Superstep != seen || b.Time <= 0 {
				t.Errorf("superstep %d: %+v", seen, b)
			}
			seen, briefs = seen+b.Count, briefs+b.Count
		}
		got, err := pregel.RunEdge(t.Context(), j, breaking{at: at, when: "hears"})
		var failed *pregel.VertexError
		if !errors.As(err, &failed) || failed.Superstep != int(at-1) || uint64(failed.Vertex) != at {
			t.Errorf("vertex %d: %+v, %v", at, failed, err)
		}
		if seen != int(at-1) || got.Stop.Supersteps != seen || briefs < 900 {
			t.Errorf("vertex %d: %d supersteps were told of, %d of them briefly; %+v", at, seen, briefs, got.Stop)
		}
	}
}

// A token goes from vertex to vertex for ever.
type token struct{ listener }

func (token) Init(v pregel.Vertex[uint64]) (uint64, bool) { return 0, v.ID == 0 }
func (token) Apply(v pregel.Vertex[uint64], _ uint32, _ bool) (uint64, bool) {
	return v.Value + 1, true
}

// Short supersteps are by the rule that they have one by one, with its numbers: here
// that of who has pushed along all arcs twice is another.
func TestBriefsRules(t *testing.T) {
	t.Parallel()
	const n, most = 5000, 12_345
	list := graph.ArcList{}
	for v := range uint32(n) {
		list.List = append(list.List, graph.Arc{U: v, V: (v + 1) % n})
	}
	g, err := graph.FromArcs(n, list, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	var rules [2][]pregel.Choice
	for i := range rules {
		j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2}), Batch: 64, MaxSupersteps: most}
		j.Detail = func(r *pregel.StepRecord) { rules[i] = append(rules[i], r.Detail.Why) }
		if i == 1 {
			j.Briefs = func(b *pregel.Briefs) {
				why, left, pushed := rules[i][b.Superstep-1], b.Left, b.Pushed
				for _, s := range b.List {
					for range s.Times {
						left -= uint64(s.Done)
						why.Have, why.Limit = b.Law.Have(uint64(s.Arcs), pushed), b.Law.Limit(left)
						rules[i] = append(rules[i], why)
						pushed += uint64(s.Arcs)
					}
				}
			}
		}
		if _, err := pregel.RunEdge(t.Context(), j, token{}); err != nil {
			t.Fatal(err)
		}
	}
	if len(rules[0]) != most || len(rules[1]) != most {
		t.Fatalf("%d and %d supersteps, want %d", len(rules[0]), len(rules[1]), most)
	}
	for s := range rules[0] {
		if rules[0][s] != rules[1][s] {
			t.Fatalf("superstep %d: %v, one by one %v", s, rules[1][s], rules[0][s])
		}
	}
	if rules[0][0].Rule == rules[0][most-1].Rule {
		t.Errorf("the rule %q stays", rules[0][0].Rule)
	}
}

// Whoever is told of supersteps, in whatever company, is told of each once, in order:
// of short ones by Briefs only in place of Detail.
func TestBriefsCompany(t *testing.T) {
	t.Parallel()
	g := generated(t, "path", map[string]string{"n": "5000"})
	for company := range 8 {
		observed, detailed, briefs := 0, 0, 0
		j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1}), Batch: 64}
		next := func(told *int, superstep, n int) {
			if *told != superstep {
				t.Errorf("company %b: told of superstep %d after %d", company, superstep, *told)
			}
			*told += n
		}
		if company&1 != 0 {
			j.Observe = func(r pregel.StepRecord) { next(&observed, r.Superstep, 1) }
		}
		if company&2 != 0 {
			j.Detail = func(r *pregel.StepRecord) { next(&detailed, r.Superstep, 1) }
		}
		if company&4 != 0 {
			j.Briefs = func(b *pregel.Briefs) {
				briefs += b.Count
				next(&detailed, b.Superstep, b.Count)
			}
		}
		for range 2 { // programs of one job
			if _, err := (&bfs.BFS{Source: "0"}).Run(t.Context(), j); err != nil {
				t.Fatal(err)
			}
		}
		n := j.Supersteps()
		if n != 10_000 || observed != n*(company&1) || detailed != n*(company>>1&1) || briefs > 0 != (company&6 == 6) {
			t.Errorf("company %b: of %d supersteps %d were observed, %d detailed, %d of those briefly", company, n, observed, detailed, briefs)
		}
	}
}
