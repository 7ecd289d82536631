package pregeltest

import (
	"slices"
	"sync"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// combinersAndOperations tries every named combiner with every edge operation,
// kind of weights and direction of sending, each with some type of messages.
func combinersAndOperations(s *suite) {
	d := randDice{newRand(s.seed)}
	var trials []trial
	for _, f := range forms() {
		g := randomArcs(d.Rand, 60+d.IntN(80), 400).random(f, d.Rand)
		for _, along := range directions() {
			list := [][]trial{
				combinations(d, g, along, integers[int32]()), combinations(d, g, along, integers[uint32]()),
				combinations(d, g, along, integers[int64]()), combinations(d, g, along, integers[uint64]()),
				combinations(d, g, along, numbers[float32]()), combinations(d, g, along, numbers[float64]()),
			}
			for i := range list[0] {
				of := list[d.IntN(len(list))]
				trials = append(trials, of[i%len(of)])
			}
		}
	}
	s.try(trials)
}

func combinations[M pregel.Number](d dice, g *graph.Graph, along pregel.Along, k kit[M]) []trial {
	var list []trial
	for _, c := range k.combiners {
		for _, op := range k.operations {
			m := machine[M]{
				spec:   pregel.Spec[M]{Combine: c, Edge: op, Along: along, Silent: d.pick("silent", 4) == 0},
				salt:   uint64(d.pick("salt", 1<<16)),
				asleep: []uint64{0, 8, 15}[d.pick("asleep", 3)],
				quiet:  []uint64{0, 8}[d.pick("quiet", 2)],
				steps:  3,
			}
			m.tame()
			list = append(list, against(g, m))
		}
	}
	return list
}

// A probe sends one and the same number from some vertices in superstep 0 and
// keeps what each vertex was told: 0 nothing, 1 that nothing came, 2 that
// something came, 3 something else than was sent.
type probe[M pregel.Number] struct {
	spec  pregel.Spec[M]
	every uint32 // each so many vertices are awake
	sent  M
}

func (p probe[M]) Spec() pregel.Spec[M] { return p.spec }
func (p probe[M]) Init(v pregel.Vertex[uint8]) (uint8, bool) {
	return 0, v.ID%p.every == 0
}
func (p probe[M]) Emit(pregel.Vertex[uint8]) M { return p.sent }
func (p probe[M]) Apply(_ pregel.Vertex[uint8], message M, got bool) (uint8, bool) {
	switch {
	case !got && message == p.spec.Combine.Identity:
		return 1, false
	case got && message == p.sent:
		return 2, false
	}
	return 3, false
}

// want counts messages arc by arc.
func (p probe[M]) want(g *graph.Graph) []uint8 {
	values := make([]uint8, g.N())
	for v := range values {
		if p.spec.Silent && uint32(v)%p.every == 0 {
			values[v] = 1
		}
	}
	for _, l := range links(g, p.spec.Along) {
		if l.from%p.every == 0 {
			values[l.to] = 2
		}
	}
	return values
}

// probes send the identity of each combiner: only the edge says that they do.
func probes[M pregel.Number](k kit[M], along pregel.Along, every uint32) []probe[M] {
	var list []probe[M]
	for _, c := range append(k.combiners, pregel.Any[M](), pregel.Combine("plus", 0, func(a, b M) M { return a + b })) {
		for _, silent := range []bool{false, true} {
			list = append(list, probe[M]{pregel.Spec[M]{Combine: c, Along: along, Silent: silent}, every, c.Identity})
		}
	}
	return list
}

func gotIsExact(s *suite) {
	r := newRand(s.seed)
	var trials []trial
	var graphs []*graph.Graph
	for _, f := range []form{{directed: true}, {}} {
		for _, n := range []int{70, 128, 1500} {
			graphs = append(graphs, randomArcs(r, n, n*3/2).random(f, r))
		}
	}
	for _, along := range directions() {
		trials = append(trials, gotEverywhere(graphs, along, integers[int32]())...)
		trials = append(trials, gotEverywhere(graphs, along, numbers[float64]())...)
	}
	s.try(trials)
}

// gotEverywhere makes a trial of each probe and number of vertices awake, on
// all graphs; those of one probe are neighbours.
func gotEverywhere[M pregel.Number](graphs []*graph.Graph, along pregel.Along, k kit[M]) []trial {
	var trials []trial
	for _, p := range probes(k, along, 1) {
		for _, every := range []uint32{1, 3, 40} {
			p.every = every
			var list []trial
			for _, g := range graphs {
				list = append(list, gotExactly(g, []probe[M]{p}))
			}
			trials = append(trials, all(list))
		}
	}
	return trials
}

// all makes one trial of several.
func all(list []trial) trial {
	return func(e *env) {
		for _, try := range list {
			try(e)
		}
	}
}

func gotExactly[M pregel.Number](g *graph.Graph, probes []probe[M]) trial {
	wants := sync.OnceValue(func() map[bool][]uint8 {
		list := map[bool][]uint8{}
		for _, p := range probes {
			list[p.spec.Silent] = p.want(g)
		}
		return list
	})
	return func(e *env) {
		want := wants()
		for _, p := range probes {
			if text := differs(runEdge(e, g, p).Values, want[p.spec.Silent]); text != "" {
				e.Errorf("%T identity of %s sent along %d, silent %v, every %d awake, %s: %s",
					p.sent, p.spec.Combine.Name, p.spec.Along, p.spec.Silent, p.every, describe(g), text)
			}
		}
	}
}

// chooser keeps the messages combined by Any.
type chooser struct {
	along pregel.Along
	edge  pregel.EdgeOp[int64]
}

func (p chooser) Spec() pregel.Spec[int64] {
	return pregel.Spec[int64]{Combine: pregel.Any[int64](), Edge: p.edge, Along: p.along}
}
func (chooser) Init(v pregel.Vertex[int64]) (int64, bool)                   { return -1, v.ID%3 != 0 }
func (chooser) Emit(v pregel.Vertex[int64]) int64                           { return 1000 * int64(v.ID) }
func (chooser) Apply(_ pregel.Vertex[int64], m int64, _ bool) (int64, bool) { return m, false }

// anyIsOneOfThem also wants the same one wherever the order is promised.
func anyIsOneOfThem(s *suite) {
	r := newRand(s.seed)
	blind := pregel.EdgeFunc("without weights", func(x int64, u, v uint32, w float64) (int64, bool) { return x + int64(w), u%2 == 1 || v%2 == 1 })
	blind.Weightless = true
	ops := []pregel.EdgeOp[int64]{blind, pregel.Copy[int64](), pregel.PlusWeight[int64](), pregel.SourceID[int64](),
		pregel.EdgeFunc("odd", func(x int64, u, v uint32, _ float64) (int64, bool) { return x + 1, (u+v)%2 == 1 })}
	var trials []trial
	for _, f := range forms() {
		g := randomArcs(r, 600, 3000).random(f, r)
		for _, along := range directions() {
			for _, op := range ops {
				trials = append(trials, choosing(g, chooser{along, op}))
			}
		}
	}
	s.try(trials)
}

func choosing(g *graph.Graph, p chooser) trial {
	possible := make([][]int64, g.N())
	for _, l := range links(g, p.along) {
		if l.from%3 == 0 {
			continue
		}
		if m, ok := p.edge.Send(1000*int64(l.from), l.from, l.to, l.w); ok {
			possible[l.to] = append(possible[l.to], m)
		}
	}
	var ordered []int64
	return func(e *env) {
		values := runEdge(e, g, p).Values
		for v, x := range values {
			if silent := len(possible[v]) == 0; silent && x != -1 || !silent && !slices.Contains(possible[v], x) {
				e.Fatalf("%s: vertex %d of a %s chose %d of %v", p.edge.Name, v, describe(g), x, possible[v])
			}
		}
		if !e.ordered() {
			return
		}
		if ordered == nil {
			ordered = values
		}
		if text := differs(values, ordered); text != "" {
			e.Errorf("%s: the order is promised, but another configuration chose otherwise: %s", p.edge.Name, text)
		}
	}
}
