package trace_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
	"gopregel/pregel/trace"
	"gopregel/programs/bfs"
	"gopregel/programs/cdlp"
	"gopregel/programs/pagerank"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
)

// randomGraph is small, maybe with loops, double edges and vertices without any.
func randomGraph(t testing.TB, r *rand.Rand) *graph.Graph {
	t.Helper()
	n := 1 + r.IntN(40)
	var e graph.Columns
	kind := r.IntN(3)
	for range r.IntN(3*n + 1) {
		e.U, e.V = append(e.U, uint32(r.IntN(n))), append(e.V, uint32(r.IntN(n)))
		switch kind {
		case 1:
			e.Weights.Int = append(e.Weights.Int, r.Int32N(9))
		case 2:
			e.Weights.Float = append(e.Weights.Float, float32(r.IntN(64))/8)
		}
	}
	g, err := graph.Build(t.Context(), graph.RangeIDs(100, n), e, graph.Options{Directed: r.IntN(2) == 0})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// draw calls f with random graphs and the id of a vertex in each.
func draw(t *testing.T, times int, f func(g *graph.Graph, source pregel.ID)) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range times {
		g := randomGraph(t, r)
		f(g, pregel.ID(g.IDs().Text(uint32(r.IntN(g.N())))))
	}
}

// recordTo runs an algorithm and has it recorded.
func recordTo(t testing.TB, sink trace.Sink, j *pregel.Job, a pregel.Algorithm, o trace.Options) (*pregel.Answer, error) {
	t.Helper()
	r := trace.NewRecorder(sink, j.Graph, trace.Header{Program: "test", Params: map[string]any{"a": "b"}}, o)
	r.Watch(j)
	answer, err := a.Run(t.Context(), j)
	if err := r.Close(answer, j.Graph.IDs(), err); err != nil {
		t.Fatal(err)
	}
	return answer, err
}

// record runs an algorithm with all its values traced.
func record(t testing.TB, g *graph.Graph, a pregel.Algorithm, o cpu.Options, values string) (*trace.Run, error) {
	t.Helper()
	run := &trace.Run{}
	_, err := recordTo(t, run, &pregel.Job{Graph: g, Engine: cpu.New(o)}, a, trace.Options{Values: values, Messages: true})
	return run, err
}

// recorded is record where nothing may fail.
func recorded(t testing.TB, g *graph.Graph, a pregel.Algorithm, o cpu.Options, values string) *trace.Run {
	t.Helper()
	run, err := record(t, g, a, o, values)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// A message as the models see it: the number that came from a vertex.
type message struct {
	from uint32
	x    float64
}

// A model computes the value of a vertex at the end of superstep s in its own way:
// of the values before and of the messages in the trace.
type model func(g *graph.Graph, s int, before []trace.Value, v uint32, in []message) string

func number(t trace.Value) float64 {
	x, ok := trace.Number(t)
	if !ok {
		return math.Inf(1)
	}
	return x
}

func least(in []message) float64 {
	x := math.Inf(1)
	for _, m := range in {
		x = min(x, m.x)
	}
	return x
}

func bfsModel(_ *graph.Graph, s int, before []trace.Value, v uint32, in []message) string {
	if string(before[v]) != `{"depth":null,"parent":null}` || len(in) == 0 {
		return string(before[v])
	}
	return fmt.Sprintf(`{"depth":%d,"parent":%.0f}`, s+1, least(in))
}

// leastModel is that of shortest paths, and of labels.
func leastModel(_ *graph.Graph, _ int, before []trace.Value, v uint32, in []message) string {
	if x := least(in); x < number(before[v]) {
		return fmt.Sprint(x)
	}
	return string(before[v])
}

func pagerankModel(g *graph.Graph, _ int, before []trace.Value, _ uint32, in []message) string {
	sinks, sum, n := 0.0, 0.0, float64(g.N())
	for u, x := range before {
		if g.Out().Degree(uint32(u)) == 0 {
			sinks += number(x)
		}
	}
	for _, m := range in {
		sum += m.x
	}
	return fmt.Sprint(0.15/n + 0.85*(sum+sinks/n))
}

func cdlpModel(_ *graph.Graph, _ int, before []trace.Value, v uint32, in []message) string {
	count := map[float64]int{}
	for _, m := range in {
		if m.from != v {
			count[m.x]++
		}
	}
	best, most := number(before[v]), 0
	for x, k := range count {
		if k > most || k == most && x < best {
			best, most = x, k
		}
	}
	return fmt.Sprint(best)
}

func subjects() map[string]struct {
	new   func(source pregel.ID) pregel.Algorithm
	model model
} {
	type subject = struct {
		new   func(source pregel.ID) pregel.Algorithm
		model model
	}
	return map[string]subject{
		"bfs":          {func(s pregel.ID) pregel.Algorithm { return &bfs.BFS{Source: s} }, bfsModel},
		"bellman-ford": {func(s pregel.ID) pregel.Algorithm { return &sssp.SSSP{Source: s, Method: sssp.BellmanFord} }, leastModel},
		"delta":        {func(s pregel.ID) pregel.Algorithm { return &sssp.SSSP{Source: s, Method: sssp.DeltaStepping, Delta: 2} }, leastModel},
		"wcc":          {func(pregel.ID) pregel.Algorithm { return &wcc.WCC{Method: wcc.Propagate} }, leastModel},
		"pagerank": {func(pregel.ID) pregel.Algorithm {
			return &pagerank.PageRank{Damping: 0.85, Iterations: 6, Precision: pagerank.Float64}
		}, pagerankModel},
		"cdlp":  {func(pregel.ID) pregel.Algorithm { return &cdlp.CDLP{Iterations: 5} }, cdlpModel},
		"reach": {func(pregel.ID) pregel.Algorithm { return reach{} }, reachModel},
		"odd":   {func(pregel.ID) pregel.Algorithm { return odd{} }, leastModel},
	}
}

// What the trace says was sent, put together by a model, gives the values that it
// says came of it; the last of them are the answer.
func TestMessagesGiveValues(t *testing.T) {
	t.Parallel()
	draw(t, race.Times(30), func(g *graph.Graph, source pregel.ID) {
		for name, s := range subjects() {
			run := recorded(t, g, s.new(source), cpu.Options{Workers: 2, Schedule: pregel.BSP, Strict: name == "pagerank"}, trace.All)
			checkRun(t, name, g, run, s.model)
		}
	})
}

func checkRun(t *testing.T, name string, g *graph.Graph, run *trace.Run, m model) {
	t.Helper()
	before := run.Init
	for s, step := range run.Steps {
		if step.Values == nil || step.Program != run.Steps[0].Program {
			break // phases after the program
		}
		in := make([][]message, g.N())
		for i, to := range step.Messages.To {
			in[to] = append(in[to], message{step.Messages.From[i], number(step.Messages.Message[i])})
		}
		for v := range uint32(g.N()) {
			want, got := m(g, s, before.Values, v, in[v]), string(step.Values.Values[v])
			x, y := number(trace.Value(want)), number(trace.Value(got))
			if want != got && !(math.Abs(x-y) <= 1e-12*math.Abs(x)) {
				t.Fatalf("%s, superstep %d, vertex %d: the messages %v to %s give %s, the trace has %s", name, s, v, in[v], before.Values[v], want, got)
			}
		}
		checkSent(t, name, g, run, s, before.Awake)
		before = step.Values
	}
	checkAnswer(t, name, g, run, before)
}

// checkSent holds the messages and the numbers of a superstep to the arcs of those
// who were awake.
func checkSent(t *testing.T, name string, g *graph.Graph, run *trace.Run, s int, awake []uint32) {
	t.Helper()
	step, p := run.Steps[s], run.ProgramAt(s)
	if uint64(len(awake)) != step.Awake || uint64(len(step.Values.Awake)) != step.Next {
		t.Errorf("%s, superstep %d: %d awake before and %d after, the record says %d and %d", name, s, len(awake), len(step.Values.Awake), step.Awake, step.Next)
	}
	arcs := []graph.CSR{g.Out()}
	if p.Along == "both" && g.Directed() {
		arcs = append(arcs, g.In())
	}
	var want [][2]uint32
	for _, u := range awake {
		for _, c := range arcs {
			for _, v := range c.Neighbors(u) {
				if p.Edge != "odd" || v%2 == 1 {
					want = append(want, [2]uint32{u, v})
				}
			}
		}
	}
	var got [][2]uint32
	for i, u := range step.Messages.From {
		got = append(got, [2]uint32{u, step.Messages.To[i]})
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s, superstep %d: the messages are from and to %v, want %v", name, s, got, want)
	}
	if p.Edge == "odd" && float64(step.Metric.Value) != float64(len(awake)) {
		t.Errorf("%s, superstep %d: %d vertices awake have added up to %v", name, s, len(awake), step.Metric.Value)
	}
	if p.Edge != "odd" && *step.Sent != uint64(len(want)) {
		t.Errorf("%s, superstep %d: %d messages, the record says %d", name, s, len(want), *step.Sent)
	}
}

// checkAnswer holds the last values to the table.
func checkAnswer(t *testing.T, name string, g *graph.Graph, run *trace.Run, last *trace.Values) {
	t.Helper()
	for v, row := range run.Stop.Answer {
		if row[0] != g.IDs().Text(uint32(v)) {
			t.Fatalf("%s: row %d is of %v", name, v, row[0])
		}
		text := run.Text(&trace.Program{Vertices: run.ProgramAt(0).Vertices}, last.Values[v])
		want := fmt.Sprint(row[1])
		if x, ok := row[1].(trace.Float); ok {
			want = run.Text(nil, trace.Value(fmt.Sprint(float64(x))))
		}
		if name == "bfs" {
			want = fmt.Sprintf("depth %v, parent %v", row[1], row[2])
		}
		if want = replaceNil(want); strings.ReplaceAll(text, "+Inf", trace.Nothing) != want {
			t.Fatalf("%s: the last value of %v is %s, the answer has %s", name, row[0], text, want)
		}
	}
}

// The same values and messages come of any number of workers and any direction.
func TestSameTrace(t *testing.T) {
	t.Parallel()
	draw(t, 8, func(g *graph.Graph, source pregel.ID) {
		for name, s := range subjects() {
			var first *trace.Run
			for _, o := range []cpu.Options{{Workers: 1}, {Workers: 3, Direction: pregel.Push}, {Workers: 2, Direction: pregel.Pull}} {
				o.Schedule, o.Strict = pregel.BSP, true
				for _, values := range []string{trace.All, trace.Changed} {
					run := recorded(t, g, s.new(source), o, values)
					if first == nil {
						first = run
					}
					same(t, name, g, first, run)
				}
			}
		}
	})
}

func same(t *testing.T, name string, g *graph.Graph, a, b *trace.Run) {
	t.Helper()
	if len(a.Steps) != len(b.Steps) {
		t.Fatalf("%s: %d supersteps, and %d", name, len(a.Steps), len(b.Steps))
	}
	for s := -1; s < len(a.Steps); s++ {
		for v := range uint32(g.N()) {
			x, since, _ := a.At(s, v)
			y, since2, _ := b.At(s, v)
			if string(x) != string(y) || since != since2 {
				t.Fatalf("%s, superstep %d, vertex %d: %s since %d, and %s since %d", name, s, v, x, since, y, since2)
			}
		}
		if !slices.Equal(a.Changes(s), b.Changes(s)) {
			t.Errorf("%s, superstep %d: %v change, and %v", name, s, a.Changes(s), b.Changes(s))
		}
		if s >= 0 && !reflect.DeepEqual(a.Steps[s].Messages, b.Steps[s].Messages) {
			t.Errorf("%s, superstep %d: the messages are %v, and %v", name, s, a.Steps[s].Messages, b.Steps[s].Messages)
		}
	}
}

// Looking at a run changes nothing: neither the answer nor what supersteps do.
func TestLookingChangesNothing(t *testing.T) {
	t.Parallel()
	draw(t, 8, func(g *graph.Graph, source pregel.ID) {
		g.In() // who finds in-arcs made pulls sooner
		for name, s := range subjects() {
			for _, values := range []string{trace.None, trace.All} {
				plain, steps, err := observed(t, g, s.new(source), "")
				traced, again, err2 := observed(t, g, s.new(source), values)
				if err := errors.Join(err, err2); err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(steps, again) || !reflect.DeepEqual(plain.Table, traced.Table) {
					t.Errorf("%s, values %s: %+v\nand, traced, %+v", name, values, steps, again)
				}
			}
		}
	})
}

// observed runs an algorithm, traced if there are values to trace, and keeps what its
// supersteps do, their times apart.
func observed(t *testing.T, g *graph.Graph, a pregel.Algorithm, values string) (answer *pregel.Answer, steps []pregel.StepRecord, err error) {
	t.Helper()
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2, Schedule: pregel.BSP, Strict: true})}
	j.Observe = func(s pregel.StepRecord) {
		s.Time, s.Detail = 0, nil
		steps = append(steps, s)
	}
	if values == "" {
		answer, err = a.Run(t.Context(), j)
	} else {
		answer, err = recordTo(t, &trace.Run{}, j, a, trace.Options{Values: values, Messages: true})
	}
	return answer, steps, err
}
