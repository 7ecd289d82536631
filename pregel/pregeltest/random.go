package pregeltest

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"

	"pgregory.net/rapid"
)

// A dice makes the choices of a random program: from a seed, or by rapid, which
// makes them smaller until the failure goes away.
type dice interface {
	pick(label string, n int) int // from 0 to n-1
}

type randDice struct{ *rand.Rand }

func (d randDice) pick(_ string, n int) int { return d.IntN(n) }

type rapidDice struct{ *rapid.T }

func (d rapidDice) pick(label string, n int) int { return rapid.IntRange(0, n-1).Draw(d.T, label) }

// A kit is what random programs with messages of one type are made of.
type kit[M pregel.Number] struct {
	combiners  []pregel.Monoid[M]
	operations []pregel.EdgeOp[M]
}

func integers[M pregel.Integer]() kit[M] {
	k := numbers[M]()
	k.combiners = append(k.combiners, pregel.Or[M]())
	k.operations = append(k.operations, pregel.SourceID[M]())
	return k
}

func numbers[M pregel.Number]() kit[M] {
	return kit[M]{
		combiners:  []pregel.Monoid[M]{pregel.Min[M](), pregel.Max[M](), pregel.Sum[M]()},
		operations: []pregel.EdgeOp[M]{pregel.Copy[M](), pregel.PlusWeight[M](), pregel.TimesWeight[M](), pregel.MinWeight[M]()},
	}
}

// unnamed adds what costs a call an edge.
func (k kit[M]) unnamed() kit[M] {
	k.combiners = append(k.combiners, pregel.Combine("plus", 0, func(a, b M) M { return a + b }), pregel.Any[M]())
	blind := pregel.EdgeFunc("scramble without weights", scramble[M])
	blind.Weightless = true
	k.operations = append(k.operations, pregel.EdgeFunc("scramble", scramble[M]), blind)
	return k
}

// scramble sends a small number that hangs on all it is told, or nothing.
func scramble[M pregel.Number](x M, u, v uint32, w float64) (M, bool) {
	h := mix(bitsOf(x), uint64(u), uint64(v), math.Float64bits(w))
	return M(h % 8), h>>8%4 != 0
}

// A trial runs a program in one configuration and compares it with what the reference
// finds, once, when a configuration first needs it: many trials are those of other parts.
type trial func(e *env)

// against makes a trial of an edge program.
func against[V, M any](g *graph.Graph, p sender[V, M]) trial {
	want := sync.OnceValue(func() Outcome[V] { return interpret(g, p, nil, 0) })
	return func(e *env) {
		e.Helper()
		compare(e, g, p, want())
	}
}

// randomTrial draws a program. Its results must be the same in every
// configuration.
func randomTrial(d dice, g *graph.Graph) trial {
	switch d.pick("type of messages", 6) {
	case 0:
		return drawTrial(d, g, integers[int32]())
	case 1:
		return drawTrial(d, g, integers[uint32]())
	case 2:
		return drawTrial(d, g, integers[int64]())
	case 3:
		return drawTrial(d, g, integers[uint64]())
	case 4:
		return drawTrial(d, g, numbers[float32]())
	default:
		return drawTrial(d, g, numbers[float64]())
	}
}

func drawTrial[M pregel.Number](d dice, g *graph.Graph, k kit[M]) trial {
	k = k.unnamed()
	m := machine[M]{
		spec: pregel.Spec[M]{
			Combine: k.combiners[d.pick("combiner", len(k.combiners))],
			Edge:    k.operations[d.pick("edge operation", len(k.operations))],
			Along:   pregel.Along(d.pick("along", 3)),
			Silent:  d.pick("silent", 2) == 1,
		},
		salt:   uint64(d.pick("salt", 1<<16)),
		asleep: []uint64{0, 3, 12, 15, 16}[d.pick("asleep", 5)],
		quiet:  []uint64{0, 2, 8, 14}[d.pick("quiet", 4)],
		steps:  int32(d.pick("steps", 8)),
	}
	m.tame()
	switch d.pick("kind of program", 4) {
	case 0:
		return against(g, m)
	case 1:
		return against(g, settling[M]{m})
	case 2:
		return against(g, waiting[M]{m})
	default:
		return against(g, collecting[M]{m})
	}
}

// tame keeps a program from what has no one answer: sums of infinities, and
// which one is any.
func (m *machine[M]) tame() {
	switch m.spec.Combine.Name {
	case "any":
		m.constant, m.spec.Edge = true, pregel.Copy[M]()
	case "sum", "plus":
	default:
		m.special = true
	}
}

// drawGraph draws a graph of at most limit vertices.
func drawGraph(t *rapid.T, limit int) *graph.Graph {
	n := rapid.IntRange(0, limit).Draw(t, "vertices")
	f := form{rapid.Bool().Draw(t, "directed"), graph.WeightKind(rapid.IntRange(0, 2).Draw(t, "weights"))}
	return drawArcs(t, n, f)
}

func drawArcs(t *rapid.T, n int, f form) *graph.Graph {
	l := arcList{n: n}
	if n == 0 {
		return l.build(f, nil)
	}
	type arc struct{ u, v, weight int }
	drawn := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) arc {
		vertex := rapid.IntRange(0, n-1)
		return arc{vertex.Draw(t, "u"), vertex.Draw(t, "v"), rapid.IntRange(-8, 15).Draw(t, "weight")}
	}), 0, 3*n).Draw(t, "arcs")
	for _, a := range drawn {
		l.add(a.u, a.v)
	}
	return l.build(f, func(i int) int { return drawn[i].weight })
}

func randomEdgePrograms(s *suite) {
	s.each(func(e *env) {
		rapid.Check(e.tester.(*testing.T), func(r *rapid.T) {
			f := *e
			f.tester = r
			randomTrial(rapidDice{r}, drawGraph(r, 140))(&f)
		})
	})
}

// largerEdgePrograms has frontiers of all sizes: lists, long enough to be
// shared by the workers, and bitmaps.
func largerEdgePrograms(s *suite) {
	r := newRand(s.seed)
	var trials []trial
	for _, f := range forms() {
		g := randomArcs(r, 6000, 24000).random(f, r)
		for range s.times(5) {
			trials = append(trials, randomTrial(randDice{r}, g))
		}
	}
	s.try(trials)
}

// shapedEdgePrograms runs on every shape of graph.
func shapedEdgePrograms(s *suite) {
	r := newRand(s.seed)
	var trials []trial
	for _, c := range Graphs(s.seed) {
		for range s.times(3) {
			trials = append(trials, randomTrial(randDice{r}, c.Graph))
		}
	}
	s.try(trials)
}
