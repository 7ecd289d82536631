//go:build cuda || emulate

package cuda_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gopregel/kernels"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/trace"
	"gopregel/programs/bfs"
	"gopregel/programs/pagerank"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// traceOf runs an algorithm and returns its trace.
func traceOf(t *testing.T, what string, g *graph.Graph, e pregel.Engine, batch int, values string, a pregel.Algorithm) *trace.Run {
	t.Helper()
	run := &trace.Run{}
	j := &pregel.Job{Graph: g, Engine: e, Batch: batch, MaxSupersteps: 30} // round a cycle of negative weight there is no end
	r := trace.NewRecorder(run, g, trace.Header{Program: "test"}, trace.Options{Values: values, Messages: true})
	r.Watch(j)
	answer, err := a.Run(t.Context(), j)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if err := r.Close(answer, g.IDs(), nil); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if run.Stop.Supersteps != len(run.Steps) || run.Stop.Supersteps != j.Supersteps() {
		t.Fatalf("%s: %d records of %d supersteps", what, len(run.Steps), j.Supersteps())
	}
	return run
}

// An own algorithm is one program of these tests. Its values are in the trace.
type own struct {
	run func(j *pregel.Job) ([]byte, error)
}

func (o own) Run(_ context.Context, j *pregel.Job) (*pregel.Answer, error) {
	o.run(j) // which does not end where the number of supersteps is bounded
	return &pregel.Answer{Stop: pregel.Stop{Reason: pregel.Halted, Supersteps: j.Supersteps()}}, nil
}

// traced are algorithms whose programs run on a device superstep by superstep.
func traced(r *rand.Rand, g *graph.Graph) map[string]pregel.Algorithm {
	p := hearer{r.Uint32N(3), 3 + r.Uint32N(30), 3}
	list := map[string]pregel.Algorithm{
		"labels": &wcc.WCC{Method: wcc.Propagate}, "ranks": &pagerank.PageRank{Damping: 0.85, Iterations: 3, Precision: pagerank.Float64},
		"hearer": own{func(j *pregel.Job) ([]byte, error) {
			result, err := pregel.RunEdge(context.Background(), j, p)
			return nil, errors.Join(err, result.Stop.Err)
		}},
	}
	if n := g.N(); n > 0 {
		list["bfs"] = &bfs.BFS{Source: pregel.ID(g.IDs().Text(r.Uint32N(uint32(n))))}
		list["depths"] = &bfs.BFS{Source: pregel.ID(g.IDs().Text(r.Uint32N(uint32(n)))), Parents: new(false)}
	}
	programs := relaxingPrograms(g.Weighted() != graph.Unweighted)
	names := slices.Sorted(maps.Keys(programs))
	for _, name := range []string{"shortest", names[r.IntN(len(names))]} {
		list[name] = own{programs[name].run}
	}
	return list
}

// A trace of the device is that of the CPU, record by record, but for times, for
// what is said of a frontier's form, and for numbers that only one of them counts.
func TestTraceIsThatOfTheCPU(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 9))
	cases := pregeltest.Graphs(seed)
	if testing.Short() {
		r.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
		cases = cases[:min(len(cases), 2)]
	}
	cases = append(cases, pregeltest.Case{Name: "random", Graph: random(t, r, 1000, 8000, r.IntN(2) == 0)})
	for _, direction := range []pregel.Direction{pregel.Push, pregel.Pull} {
		device := open(t, cuda.Options{Direction: direction, Schedule: pregel.BSP, Strict: true})
		host := cpu.New(cpu.Options{Workers: 2, Direction: direction, Schedule: pregel.BSP, Strict: true})
		for _, c := range cases {
			for name, a := range traced(r, c.Graph) {
				for _, values := range []string{trace.All, trace.None} {
					what := fmt.Sprintf("%s, %s, %v, values %s", c.Name, name, direction, values)
					got, want := traceOf(t, what, c.Graph, device, 7, values, a), traceOf(t, what+", on the CPU", c.Graph, host, 1, values, a)
					sameTrace(t, what, got, want)
				}
			}
		}
	}
}

func sameTrace(t *testing.T, what string, got, want *trace.Run) {
	t.Helper()
	sameSteps(t, what, got, want)
	if g, w := got.Stop, want.Stop; g.Reason != w.Reason || !near(metric(g.Metric), metric(w.Metric)) || len(g.Answer) != len(w.Answer) {
		t.Fatalf("%s: the end is %+v, on the CPU %+v", what, g, w)
	}
}

func sameSteps(t *testing.T, what string, got, want *trace.Run) {
	t.Helper()
	if len(got.Steps) != len(want.Steps) || !reflect.DeepEqual(got.Graph, want.Graph) || !reflect.DeepEqual(got.Programs, want.Programs) {
		t.Fatalf("%s: %d supersteps of %v, on the CPU %d of %v", what, len(got.Steps), got.Programs, len(want.Steps), want.Programs)
	}
	if !sameValues(got.Init, want.Init) {
		t.Fatalf("%s: Init gives other values than on the CPU", what)
	}
	for s := range got.Steps {
		g, w := &got.Steps[s], &want.Steps[s]
		what := fmt.Sprintf("%s, superstep %d", what, s)
		sameStep(t, what, got.Header.Graph.Vertices, &g.Superstep, &w.Superstep)
		if !sameValues(g.Values, w.Values) || !sameMessages(g.Messages, w.Messages) {
			t.Fatalf("%s: other values or messages than on the CPU", what)
		}
	}
}

func metric(m *trace.Metric) float64 {
	if m == nil {
		return 0
	}
	return float64(m.Value)
}

func sameValues(a, b *trace.Values) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.Equal(a.Awake, b.Awake) && slices.Equal(a.Vertices, b.Vertices) && a.Init == b.Init && a.Superstep == b.Superstep &&
		slices.EqualFunc(a.Values, b.Values, sameNumber)
}

func sameMessages(a, b *trace.Messages) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Superstep == b.Superstep && a.Next == b.Next && slices.Equal(a.From, b.From) && slices.Equal(a.To, b.To) && slices.EqualFunc(a.Message, b.Message, sameNumber)
}

// sameNumber allows floats what sums in another order cost.
func sameNumber(x, y trace.Value) bool {
	v, number := trace.Number(x)
	w, _ := trace.Number(y)
	return string(x) == string(y) || number && near(v, w)
}

// sameStep holds records to each other, and those of the device to what they must
// say of it.
func sameStep(t *testing.T, what string, n int, got, want *trace.Superstep) {
	t.Helper()
	g, w := *got, *want
	fail := func(key string, a, b any) {
		t.Helper()
		t.Fatalf("%s: %s %v, on the CPU %v\n%+v\n%+v", what, key, a, b, g, w)
	}
	for _, x := range []struct {
		key  string
		a, b any
	}{
		{"program", g.Program, w.Program}, {"direction", g.Direction, w.Direction}, {"awake", g.Awake, w.Awake}, {"arcs", g.Arcs, w.Arcs},
		{"next", g.Next, w.Next}, {"sent", g.Sent, w.Sent}, {"contention", g.Contention, w.Contention},
		{"bytes without the frontier", g.Bytes - frontierBytes(&g, n), w.Bytes - frontierBytes(&w, n)},
		{"metric", metric(g.Metric)-metric(w.Metric) < 1e-9, true},
	} {
		if !reflect.DeepEqual(x.a, x.b) {
			fail(x.key, x.a, x.b)
		}
	}
	if g.Combined != nil && w.Combined != nil && *g.Combined != *w.Combined {
		fail("combined", *g.Combined, *w.Combined)
	}
	if w.Direction == "" { // a plain phase, on the host
		return
	}
	if *w.Atomics != 0 && *g.Atomics != *w.Atomics {
		fail("atomics", *g.Atomics, *w.Atomics)
	}
	if atomics := map[bool]uint64{true: g.Arcs, false: 0}[g.Direction == "push"]; *g.Atomics != atomics {
		fail("atomics", *g.Atomics, atomics)
	}
	if g.Why == "" || strings.ContainsAny(g.Why, "{}") {
		fail("why", g.Why, w.Why)
	}
}

func frontierBytes(s *trace.Superstep, n int) uint64 {
	if s.Frontier == "list" {
		return 8 * s.Awake
	}
	return uint64(n) / 4
}

// What the loop notes of each superstep: phases that are parts of its time and fit
// its direction, and rules with numbers that hold.
func TestTraceOfTheLoop(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 10))
	e, seen := open(t, cuda.Options{Schedule: pregel.BSP}), map[string]int{}
	for i := 0; i < 5 || seen["seek"] == 0 && i < 40; i++ { // in one of a hundred nobody seeks
		g := line(t, 300)
		if i > 0 {
			g = seekers(t, r, r.IntN(2) == 0)
		}
		g.In()
		for _, a := range []pregel.Algorithm{&bfs.BFS{Source: sender(g)}, &wcc.WCC{Method: wcc.Propagate}} {
			run := traceOf(t, fmt.Sprintf("%T", a), g, e, 64, trace.None, a)
			for i := range run.Steps {
				if s := &run.Steps[i].Superstep; s.Direction != "" && s.Phases != nil {
					checkLoop(t, g, s, seen)
				}
			}
		}
	}
	for _, key := range []string{"pull", "push", "apply", "push and apply", "seek", "fused", "share", "cost"} {
		if seen[key] == 0 {
			t.Errorf("no superstep with %q: %v", key, seen)
		}
	}
}

// sender is a vertex that reaches others.
func sender(g *graph.Graph) pregel.ID {
	best := uint32(0)
	for v := range uint32(g.N()) {
		if g.Out().Degree(v) > g.Out().Degree(best) {
			best = v
		}
	}
	return pregel.ID(g.IDs().Text(best))
}

// loopRules are the rules of the loop in words, and which way they lead when what
// there is is above the limit, and when it is not.
var loopRules = map[string]struct {
	text  *regexp.Regexp
	pulls func(above bool) bool
}{
	"seek":  {regexp.MustCompile(`are left to seek an awake neighbour have (\d+) arcs, not above (\d+)`), func(bool) bool { return true }},
	"fused": {regexp.MustCompile(`^(\d+) vertices have got a message, not above (\d+),`), func(bool) bool { return false }},
	"share": {regexp.MustCompile(`the frontier has (\d+) arcs, (?:not )?above (\d+), a share of 1/64`), func(above bool) bool { return above }},
	"cost":  {regexp.MustCompile(`costs? (\d+), 2 for each arc of the frontier, (?:not )?above (\d+) \(`), func(above bool) bool { return above }},
}

func checkLoop(t *testing.T, g *graph.Graph, s *trace.Superstep, seen map[string]int) {
	t.Helper()
	sum := int64(0)
	for _, p := range s.Phases {
		seen[p.Name]++
		sum += p.Workers[0]
		pulls := p.Name == "pull" || p.Name == "emit" || p.Name == "gather"
		if len(p.Workers) != 1 || p.Workers[0] <= 0 || p.Name != "release" && pulls != (s.Direction == "pull") {
			t.Errorf("phase %+v of %+v", p, s)
		}
	}
	if sum > s.Nanoseconds {
		t.Errorf("phases of %d ns together in %+v", sum, s)
	}
	for name, rule := range loopRules {
		m := rule.text.FindStringSubmatch(s.Why)
		if m == nil {
			continue
		}
		seen[name]++
		have, err := strconv.ParseUint(m[1], 10, 64)
		limit, err2 := strconv.ParseUint(m[2], 10, 64)
		if above := strings.Contains(s.Why, " above ") && !strings.Contains(s.Why, "not above"); err != nil || err2 != nil ||
			above != (have > limit) || rule.pulls(above) != (s.Direction == "pull") {
			t.Errorf("%s: %s", s.Direction, s.Why)
		}
	}
	if s.Combined != nil && *s.Combined > min(*s.Sent, uint64(g.N())) {
		t.Errorf("%d vertices have got %d messages", *s.Combined, *s.Sent)
	}
}

// The bound that a trace names is that of the kernel.
func TestSeekersOfTheTrace(t *testing.T) {
	src, err := kernels.Header("step_seek.cuh")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("#define SEEK_ARCS (1 << %d)", bits.Len(uint(cuda.SeekArcs))-1); !strings.Contains(src, want) {
		t.Errorf("step_seek.cuh has no %s", want)
	}
}

// Programs of own kernels have the time of each kernel, within that of the superstep, if
// the device's clock is true: the emulated one's leaps.
func TestTraceOfKernels(t *testing.T) {
	e := open(t, cuda.Options{})
	leaps := strings.HasPrefix(e.Info().Name, "emulated")
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g := random(t, rand.New(rand.NewPCG(seed, 11)), 3000, 9000, true)
	for _, a := range deviceAlgorithms(g) {
		run, timed := traceOf(t, fmt.Sprintf("%T", a), g, e, 1, trace.None, a), 0
		for _, s := range run.Steps {
			sum := int64(0)
			for _, p := range s.Phases {
				if sum += p.Workers[0]; p.Name == "" || len(p.Workers) != 1 {
					t.Errorf("%T: phase %+v", a, p)
				}
			}
			if timed += len(s.Phases); !leaps && sum > s.Nanoseconds {
				t.Errorf("%T: kernels of %d ns together in a superstep of %d", a, sum, s.Nanoseconds)
			}
		}
		if timed == 0 {
			t.Errorf("%T: no kernel was timed", a)
		}
	}
}
