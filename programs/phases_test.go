package programs_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/pregel/trace"
	"gopregel/programs/internal/trial"
	"gopregel/programs/lcc"
	"gopregel/programs/mst"
	"gopregel/programs/scc"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
)

// phaseBytes are those of a phase on a graph of n vertices, by what it reads and writes:
// at a vertex, along an arc, and beside, as far as the record's arcs tell; atomic: it has
// atomic operations.
var phaseBytes = map[string]struct {
	vertex, arc uint64
	weighs      bool // an arc has a weight of 4
	beside      func(g *graph.Graph, arcs uint64) uint64
	atomic      bool
}{
	"wcc":           {vertex: 8, arc: 8, atomic: true},
	"scc trim":      {vertex: 2, arc: 5, beside: offsetsOfTrim},
	"scc reopen":    {vertex: 10, arc: 4},
	"scc label":     {vertex: 10, arc: 4},
	"scc finish":    {vertex: 16, arc: 8},
	"scc districts": {vertex: 16, arc: 8},
	"scc join":      {vertex: 8, arc: 8},
	"scc name":      {vertex: 8, arc: 8},
	"mst nearest":   {vertex: 16, arc: 8, weighs: true},
	"mst join":      {vertex: 16, arc: 8},
	"mst select":    {vertex: 8, arc: 8, weighs: true},
	"mst sift":      {arc: 20},
	"mst gather":    {arc: 4},
	"mst finish":    {arc: 40},
	"mst hook":      {},
	"mst flatten":   {},
	"mst name":      {vertex: 8, arc: 8},
	"lcc degrees":   {vertex: 8, arc: 4},
	"lcc order":     {vertex: 16, arc: 4},
	"lcc measure":   {vertex: 8, arc: 8},
	"lcc build":     {vertex: 8, arc: 8, beside: listed},
	"lcc sum":       {vertex: 16, arc: 4},
}

// listed are the lists of lower rank, one neighbour for each pair of vertices with an arc, and a number beside it
// in a directed graph.
func listed(g *graph.Graph, _ uint64) uint64 {
	pairs := map[[2]uint32]bool{}
	for u := range uint32(g.N()) {
		for _, v := range g.Out().Neighbors(u) {
			if u != v {
				pairs[[2]uint32{min(u, v), max(u, v)}] = true
			}
		}
	}
	if g.Directed() {
		return 8 * uint64(len(pairs))
	}
	return 4 * uint64(len(pairs))
}

// offsetsOfTrim are those of both directions, where no arcs are read; else those that are not of
// the formula.
func offsetsOfTrim(g *graph.Graph, arcs uint64) uint64 {
	width := g.In().Offsets.Width()
	if arcs == 0 {
		width += g.Out().Offsets.Width()
	}
	return 2 * width * uint64(g.N())
}

// The record of each phase has bytes, atomic operations and a reason that follow from
// what it is.
func TestRecordsOfPhases(t *testing.T) {
	r := trial.Rand(t)
	seen, rules := map[string]bool{}, map[string]bool{}
	for i := range 2 {
		directed := i%2 == 0
		for _, g := range phaseGraphs(t, r, directed) {
			for _, workers := range []int{1, 2, 5} {
				if race.On && workers == 5 { // one finds the rule for one worker
					continue
				}
				for _, a := range []pregel.Algorithm{wcc.New(), scc.New(), mst.New(), lcc.New(), &sssp.SSSP{Method: sssp.DeltaStepping, Source: busy(g)}} {
					what := fmt.Sprintf("%T, %d vertices, %d arcs, directed %v, %d workers", a, g.N(), g.Arcs(), directed, workers)
					if _, ok := a.(*lcc.LCC); g.Arcs() > 200_000 && (ok || workers != 2) {
						continue // with few vertices there is as much to see
					}
					g := g
					if _, ok := a.(*sssp.SSSP); ok {
						g = g.WithWeights(func(u, v uint32) int32 { return int32((u+v)%300) + 1 })
					}
					if workers == 2 {
						g = pregeltest.Widened(g)
					}
					for _, rec := range detailed(t, g, a, workers) {
						seen[rec.Program] = true
						checkPhase(t, what, g, rec, workers)
						checkReason(t, what, g, rec, rules)
					}
				}
			}
		}
	}
	for name := range phaseBytes {
		if !seen[name] && !slices.Contains([]string{"scc reopen", "scc districts", "scc join", "scc name"}, name) {
			t.Errorf("no phase %s", name)
		}
	}
	for _, word := range []string{"no hub is looked for", "skip the rest", "all vertices look", "all are taken", "the lightest are taken", "rounds of all workers",
		"in order of weight", "is thin", "is not thin", "fewer than {limit}: one worker finishes", "shows no thin graph", "one worker takes all buckets", "there is one worker"} {
		found := false
		for text := range rules {
			found = found || strings.Contains(text, word)
		}
		if !found {
			t.Errorf("no rule with %q: %v", word, rules)
		}
	}
}

// phaseGraphs are thin ones and dense ones, with several batches of edges, and one in
// pieces.
func phaseGraphs(t *testing.T, r *rand.Rand, directed bool) []*graph.Graph {
	grid, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: 60, Cols: 100}, graphgen.Options{Directed: &directed})
	if err != nil {
		t.Fatal(err)
	}
	kronecker, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "kronecker", Scale: 13, EdgeFactor: 32, Seed: r.Uint64()}, graphgen.Options{Directed: &directed})
	if err != nil {
		t.Fatal(err)
	}
	var cycles []graph.Arc
	for u := range uint32(1000) {
		cycles = append(cycles, graph.Arc{U: u, V: u&^3 + (u+1)&3})
	}
	return []*graph.Graph{grid, trial.Build(1000, graph.ArcList{List: cycles}, directed), trial.Random(r, 500+r.IntN(3000), 20_000, 1000, directed), trial.Random(r, 3000, 60_000, 0, directed), trial.Random(r, 2000, 3000, 10, directed), kronecker}
}

func busy(g *graph.Graph) pregel.ID {
	u, _ := g.Out().MaxDegree()
	return pregel.ID(g.IDs().Text(u))
}

// estimated is a record with the bytes that its task makes of it.
type estimated struct {
	pregel.StepRecord
	bytes uint64
}

// written are the bytes of the supersteps of a trace.
type written []uint64

func (w *written) Write(r trace.Record) error {
	if s, ok := r.(*trace.Superstep); ok {
		*w = append(*w, s.Bytes)
	}
	return nil
}

// detailed runs a on g, and holds a trace of it to what the tasks tell.
func detailed(t *testing.T, g *graph.Graph, a pregel.Algorithm, workers int) (list []estimated) {
	t.Helper()
	var task pregel.Measured
	e := cpu.New(cpu.Options{Workers: workers})
	j := &pregel.Job{Graph: g, Engine: e, Detail: func(*pregel.StepRecord) {}, Begun: func(begun pregel.Task) { task = begun.(pregel.Measured) },
		Observe: func(r pregel.StepRecord) {
			bytes, d := pregel.WidthsOf(e, task).Bytes(r, g.N()), *r.Detail
			if d.Atomics != nil {
				d.Atomics = new(*d.Atomics)
			}
			r.Detail = &d // that of the engine is good until now
			list = append(list, estimated{r, bytes})
		}}
	var traced written
	recorder := trace.NewRecorder(&traced, g, trace.Header{}, trace.Options{Values: trace.None})
	recorder.Watch(j)
	answer, err := a.Run(t.Context(), j)
	if err = errors.Join(err, recorder.Close(answer, g.IDs(), err)); err != nil || len(traced) != len(list) {
		t.Fatalf("%T: %v; %d supersteps, %d of them traced", a, err, len(list), len(traced))
	}
	for i, rec := range list {
		if traced[i] != rec.bytes {
			t.Errorf("%T: superstep %d (%s) has %d bytes in a trace, want %d", a, i, rec.Program, traced[i], rec.bytes)
		}
	}
	return list
}

func checkPhase(t *testing.T, what string, g *graph.Graph, rec estimated, workers int) {
	t.Helper()
	d, n := rec.Detail, uint64(g.N())
	if idle := rec.Arcs == 0 && phaseBytes[rec.Program].vertex == 0; d.Atomics == nil || rec.bytes == 0 && !idle {
		t.Fatalf("%s: %s has atomics %v, %d bytes", what, rec.Program, d.Atomics, rec.bytes)
	}
	p, ok := phaseBytes[rec.Program]
	if !ok {
		return
	}
	want := rec.Arcs*p.arc + n*p.vertex
	if p.weighs && g.Weighted() != graph.Unweighted {
		want += 4 * rec.Arcs
	}
	if rec.Arcs > 0 && p.vertex > 0 {
		want += 2 * g.Out().Offsets.Width() * n
	}
	if p.beside != nil {
		want += p.beside(g, rec.Arcs)
	}
	switch exact := rec.Program != "mst nearest" && rec.Program != "mst sift" && rec.Program != "mst select" && rec.Program != "mst gather" && rec.Program != "mst finish" && p.vertex+p.arc > 0; {
	case exact && rec.bytes != want, rec.bytes < want:
		t.Errorf("%s: %s has %d bytes, want %d", what, rec.Program, rec.bytes, want)
	case !p.atomic && *d.Atomics > 0, *d.Atomics > 2*(n+rec.Arcs) && workers == 1:
		t.Errorf("%s: %s has %d atomics with %d arcs", what, rec.Program, *d.Atomics, rec.Arcs)
	case rec.Direction != pregel.Auto, d.Sent != nil:
		t.Errorf("%s: %s has a direction, or messages: %+v", what, rec.Program, rec)
	}
}

// checkReason holds the numbers of a reason to each other.
func checkReason(t *testing.T, what string, g *graph.Graph, rec estimated, rules map[string]bool) {
	t.Helper()
	why := rec.Detail.Why
	rules[why.Rule] = true
	for word, holds := range map[string]bool{
		"{have} arcs, fewer than {limit}": why.Have == g.Out().Arcs() && why.Limit == 8*uint64(g.N()) && why.Have < why.Limit,
		"not fewer than {limit}":          why.Have >= why.Limit, "more than {limit}": why.Have > why.Limit, "not more than {limit}": why.Have <= why.Limit,
		"of {limit} draws of a vertex": why.Have <= why.Limit && why.Have > 0, "vertices, below {limit}": why.Have < why.Limit,
		"one worker goes on": *rec.Detail.Atomics == 0,
	} {
		if strings.Contains(strings.ReplaceAll(why.Rule, "not "+word, ""), word) && !holds {
			t.Errorf("%s: %s: %q does not hold: %s", what, rec.Program, word, why)
		}
	}
	if text := why.String(); strings.ContainsAny(text, "{}") {
		t.Errorf("%s: %s", what, text)
	}
}

// afterOne counts the vertices that are no longer alone after the first phase of wcc.
func afterOne(t *testing.T, g *graph.Graph) (joined uint64) {
	t.Helper()
	r, err := wcc.New().(*wcc.WCC).Components(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1}), MaxSupersteps: 1})
	if err != nil {
		t.Fatal(err)
	}
	for v, root := range r.Values {
		if root != uint32(v) {
			joined++
		}
	}
	return joined
}

// With one worker every compare-and-swap of wcc joins two trees, of those that its first
// phase has left, and a round of mst proposes a link at most twice.
func TestAtomicsOfPhases(t *testing.T) {
	r := trial.Rand(t)
	times := 20
	if race.On { // there is one worker
		times = 2
	}
	for range times {
		g := trial.Random(r, 200+r.IntN(3000), 100+r.IntN(60_000), 1000, r.IntN(2) == 0)
		var joins uint64
		records := detailed(t, g, wcc.New(), 1)
		for _, rec := range records {
			joins += *rec.Detail.Atomics
		}
		want := uint64(g.N()) - afterOne(t, g) - components(g)
		if joins != want {
			t.Errorf("%d compare-and-swaps join %d trees", joins, want)
		}
		for _, rec := range detailed(t, g, mst.New(), 1) {
			if proposed := *rec.Detail.Atomics; rec.Program == "mst lightest" && proposed > 2*rec.Arcs {
				t.Errorf("%d links were proposed %d times", rec.Arcs, proposed)
			}
		}
	}
}

// components counts them by following arcs, both ways.
func components(g *graph.Graph) (count uint64) {
	parent := make([]uint32, g.N())
	for v := range parent {
		parent[v] = uint32(v)
	}
	var root func(v uint32) uint32
	root = func(v uint32) uint32 {
		if parent[v] != v {
			parent[v] = root(parent[v])
		}
		return parent[v]
	}
	for u := range uint32(g.N()) {
		for _, v := range g.Out().Neighbors(u) {
			parent[root(u)] = root(v)
		}
	}
	for v := range parent {
		if parent[v] == uint32(v) {
			count++
		}
	}
	return count
}
