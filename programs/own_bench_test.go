package programs_test

import (
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/mem"
	"gopregel/programs/bfs"
	"gopregel/programs/pagerank"
	"gopregel/programs/sssp"
	"gopregel/runtime/cpu"
)

// BenchmarkOwn compares the built-in programs with programs of one's own, whose
// combiners are named ones, or functions, of one or of many too, and whose edge operations
// are named ones, or functions likewise, or that have loops over rows, and with those that have
// the calls for many vertices that the built-in ones have, too. Each run has the memory of the one before.
//
// Before that each answers once, and is held to that (own_reference_test.go).
//
//	go test -run - -bench Own -count 5 ./programs
func BenchmarkOwn(b *testing.B) {
	for _, spec := range []graphgen.Spec{{Kind: "kronecker", Scale: 18, EdgeFactor: 16}, {Kind: "grid", Rows: 500, Cols: 500}} {
		g, err := graphgen.Generate(b.Context(), spec, graphgen.Options{Weights: graphgen.HashWeights})
		if err != nil {
			b.Fatal(err)
		}
		source := uint32(0)
		for g.Out().Degree(source) == 0 {
			source++
		}
		for _, lines := range [][]line{rankings(b, g), searches(b, g, source), paths(b, g, source)} {
			for _, l := range lines {
				b.Run(spec.Kind+"/"+l.name, func(b *testing.B) { l.time(b, g) })
			}
		}
	}
}

// A line is a contender with its name, behind that of what it computes, and its schedule.
type line struct {
	name     string
	schedule pregel.Schedule
	contender
}

// time times it, once its answer has been checked.
func (l line) time(b *testing.B, g *graph.Graph) {
	e := cpu.New(cpu.Options{Workers: 2, Schedule: l.schedule})
	once := func() {
		if err := l.run(&pregel.Job{Graph: g, Engine: e}); err != nil {
			b.Fatal(err)
		}
	}
	l.check(b, &pregel.Job{Graph: g, Engine: e})
	for range 3 { // later ones have the memory of those before
		once()
	}
	for b.Loop() {
		once()
	}
}

func rankings(b *testing.B, g *graph.Graph) []line {
	right := rightRanks(g)
	rank := &pagerank.PageRank{Damping: 0.85, Iterations: 10, Precision: pagerank.Float64}
	return []line{
		{"pagerank/built-in", 0, builtIn(rank, func(j *pregel.Job) error {
			r, err := rank.Rank(b.Context(), j)
			mem.Give(r.Values)
			return err
		})},
		{"pagerank/named", 0, own(b, &ranks{combine: pregel.Sum[float64]()}, 10, right)},
		{"pagerank/blocks", 0, own(b, &rankBlocks{ranks{combine: pregel.Sum[float64]()}}, 10, right)},
		{"pagerank/sweeps", 0, own(b, &rankSweeps{ranks{combine: pregel.Sum[float64]()}}, 10, right)},
		{"pagerank/functions", 0, own(b, &ranks{pregel.Combine("plus", 0, sum), pregel.EdgeFunc("same", same)}, 10, right)},
		{"pagerank/many", 0, own(b, &rankBlocks{manyRanks()}, 10, right)},
		{"pagerank/rows", 0, own(b, &rankRows{rankBlocks{ranks{pregel.Combine("plus", 0, sum), weightless("same", same)}}}, 10, right)},
		{"pagerank/combiner, rows", 0, own(b, &rankRows{rankBlocks{ranks{combine: pregel.Combine("plus", 0, sum)}}}, 10, right)},
		{"pagerank/combiner", 0, own(b, &ranks{combine: pregel.Combine("plus", 0, sum)}, 10, right)},
		{"pagerank/combiner, sweeps", 0, own(b, &rankSweeps{ranks{combine: pregel.Combine("plus", 0, sum)}}, 10, right)},
		{"pagerank/combiner, blocks", 0, own(b, &rankBlocks{ranks{combine: pregel.Combine("plus", 0, sum)}}, 10, right)},
		{"pagerank/combiner, many", 0, own(b, &rankBlocks{ranks{combine: manyRanks().combine}}, 10, right)},
	}
}

func searches(b *testing.B, g *graph.Graph, source uint32) []line {
	right := rightHops(b.Context(), g, source)
	return []line{
		{"bfs/built-in", 0, builtIn(&bfs.BFS{Source: pregel.ID(g.IDs().Text(source))}, func(j *pregel.Job) error {
			r, err := bfs.Traverse(b.Context(), j, source)
			mem.Give(r.Values)
			return err
		})},
		{"bfs/named", 0, own(b, &hops{source: source, combine: pregel.Min[uint32]()}, 0, right)},
		{"bfs/sets", 0, own(b, &hopSets{hops{source: source}}, 0, right)},
		{"bfs/functions", 0, own(b, &hops{source, least(), pregel.EdgeFunc("step", step)}, 0, right)},
		{"bfs/any", 0, own(b, &hops{source, pregel.Any[uint32](), pregel.EdgeFunc("step", step)}, 0, right)},
		{"bfs/any, sets", 0, own(b, &hopBlocks{hops{source, pregel.Any[uint32](), weightless("step", step)}}, 0, right)},
		{"bfs/many", 0, own(b, &hopBlocks{manyHops(source)}, 0, right)},
		{"bfs/rows", 0, own(b, &hopRows{hopBlocks{manyHops(source)}}, 0, right)},
		{"bfs/combiner", 0, own(b, &hops{source: source, combine: least()}, 0, right)},
		{"bfs/combiner, sets", 0, own(b, &hopBlocks{hops{source: source, combine: least()}}, 0, right)},
	}
}

func paths(b *testing.B, g *graph.Graph, source uint32) []line {
	right := rightLengths(b.Context(), g, source)
	lengthsOf := &sssp.SSSP{Source: pregel.ID(g.IDs().Text(source))}
	step := g.WeightRange().Most / (float64(g.Arcs()) / float64(g.N())) // as wide as delta-stepping is told to be
	named := lengths{source, step, pregel.Min[float64](), pregel.PlusWeight[float64]()}
	return []line{
		{"sssp/built-in", 0, builtIn(lengthsOf, func(j *pregel.Job) error {
			a, err := lengthsOf.Run(b.Context(), j)
			if err == nil {
				a.Table.Release()
			}
			return err
		})},
		{"sssp/named", pregel.Relaxed, own(b, &named, 0, right)},
		{"sssp/kept", pregel.Relaxed, own(b, &lengthsKept{named}, 0, right)},
		{"sssp/functions", pregel.Relaxed, own(b, &lengths{source, step, nearer(), pregel.EdgeFunc("longer", longer)}, 0, right)},
		{"sssp/many", pregel.Relaxed, own(b, &lengthsKept{manyLengths(source, step)}, 0, right)},
		{"sssp/combiner", pregel.Relaxed, own(b, &lengths{source, step, nearer(), pregel.PlusWeight[float64]()}, 0, right)},
		{"sssp/combiner, kept", pregel.Relaxed, own(b, &lengthsKept{lengths{source, step, nearer(), pregel.PlusWeight[float64]()}}, 0, right)},
		{"sssp/combiner, many", pregel.Relaxed, own(b, &lengthsKept{lengths{source, step, manyLengths(source, step).combine, pregel.PlusWeight[float64]()}}, 0, right)},
	}
}

// A contender is what is timed, and how it is checked that its answer is right.
type contender struct {
	run   func(*pregel.Job) error
	check func(t testing.TB, j *pregel.Job)
}

func own[V pregel.Number, M any](b *testing.B, p pregel.EdgeProgram[V, M], most int, right func([]V) error) contender {
	edge := func(j *pregel.Job) (pregel.Result[V], error) {
		j.MaxSupersteps = most
		return pregel.RunEdge(b.Context(), j, p)
	}
	return contender{func(j *pregel.Job) error {
		r, err := edge(j)
		mem.Give(r.Values)
		return err
	}, func(t testing.TB, j *pregel.Job) {
		r, err := edge(j)
		if err == nil {
			err = right(r.Values)
		}
		if err != nil {
			t.Fatal(err)
		}
	}}
}

// builtIn is a program of ours, run so.
func builtIn(a pregel.Algorithm, run func(*pregel.Job) error) contender {
	return contender{run, func(t testing.TB, j *pregel.Job) {
		answer, err := a.Run(t.Context(), j)
		if err == nil {
			err = a.(pregel.Certifier).Certify(t.Context(), j.Graph, &answer.Table)
			answer.Table.Release()
		}
		if err != nil {
			t.Fatal(err)
		}
	}}
}
