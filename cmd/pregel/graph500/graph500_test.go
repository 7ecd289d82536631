package graph500

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gopregel/cmd/pregel/bench"
	"gopregel/pregel"
	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/runtime/cpu"
)

func run(t *testing.T, o Options) *Result {
	t.Helper()
	r, err := Run(t.Context(), cpu.New(cpu.Options{Workers: o.Workers}), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// component counts the edges of the list in the component of each vertex, by
// labels spread along all edges until nothing changes.
func component(n int, list graph.Columns) []uint64 {
	label := make([]uint32, n)
	for v := range label {
		label[v] = uint32(v)
	}
	for changed := true; changed; {
		changed = false
		for i, u := range list.U {
			v := list.V[i]
			if least := min(label[u], label[v]); label[u] != least || label[v] != least {
				label[u], label[v], changed = least, least, true
			}
		}
	}
	edges, of := make([]uint64, n), make([]uint64, n)
	for i, u := range list.U {
		if label[u] != label[list.V[i]] {
			panic("an edge between components")
		}
		edges[label[u]]++
	}
	for v := range of {
		of[v] = edges[label[v]]
	}
	return of
}

// Edges are counted on the list, with loops and duplicates: by components found
// another way, on graphs of few edges that have several.
func TestEdgesOfTheComponent(t *testing.T) {
	t.Parallel()
	loops, several := false, false
	for seed := range uint64(5) {
		o := Options{Scale: 6, EdgeFactor: 1, Roots: 64, Seed: seed, BFS: true, SSSP: true, Workers: 2, Integers: seed%2 == 0}
		list, err := graphgen.EdgeList(t.Context(), graphgen.Spec{Kind: "kronecker", Scale: 6, EdgeFactor: 1, Seed: seed}, graphgen.ListUnweighted, 1)
		if err != nil {
			t.Fatal(err)
		}
		want, degree := component(64, list), make([]int, 64)
		for i, u := range list.U {
			if v := list.V[i]; u != v {
				degree[u]++
				degree[v]++
			} else {
				loops = true
			}
		}
		r := run(t, o)
		if eligible := 64 - countOf(degree, 0); r.Roots != eligible {
			t.Errorf("seed %d: %d roots, %d vertices have an edge", seed, r.Roots, eligible)
		}
		seen := map[uint32]bool{}
		for i, s := range r.BFS.Runs {
			several = several || s.Edges != r.BFS.Runs[0].Edges
			if s.Edges != want[s.Root] || r.SSSP.Runs[i].Edges != s.Edges || r.SSSP.Runs[i].Root != s.Root || degree[s.Root] == 0 || seen[s.Root] {
				t.Errorf("seed %d: %+v and %+v, want %d edges from roots that have some, each once", seed, s, r.SSSP.Runs[i], want[s.Root])
			}
			seen[s.Root] = true
		}
	}
	if !loops || !several {
		t.Error("the graphs have no loops, or one component each")
	}
}

func countOf(list []int, x int) (n int) {
	for _, y := range list {
		if y == x {
			n++
		}
	}
	return n
}

// Roots are distinct and the same for a seed; where vertices with edges are
// rare, all are found.
func TestSample(t *testing.T) {
	t.Parallel()
	list := graph.ArcList{List: []graph.Arc{{U: 5, V: 99_999}, {U: 70_000, V: 70_000}, {U: 31, V: 5}}}
	g, err := graph.FromArcs(100_000, list, graph.Options{Loops: graph.DropLoops})
	if err != nil {
		t.Fatal(err)
	}
	roots := sample(g.Out(), 4, 9)
	if slices.Sort(roots); !slices.Equal(roots, []uint32{5, 31, 99_999}) {
		t.Errorf("roots %v", roots)
	}
	star, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "star", N: 1000}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	one, other := sample(star.Out(), 64, 1), sample(star.Out(), 64, 2)
	if len(one) != 64 || !slices.Equal(one, sample(star.Out(), 64, 1)) || slices.Equal(one, other) {
		t.Errorf("roots %v, of another seed %v", one, other)
	}
	if slices.Sort(one); len(slices.Compact(one)) != 64 {
		t.Error("a root twice")
	}
}

// tampered answers wrongly from the third root on.
type tampered struct {
	algorithm
	searches *int
	tamper   func(*pregel.Table)
}

func (b tampered) validate(ctx context.Context, list graph.Columns, root uint32, a *pregel.Answer) error {
	if *b.searches++; *b.searches > 2 {
		b.tamper(&a.Table)
	}
	return b.algorithm.validate(ctx, list, root, a)
}

// A wrong answer ends the benchmark, and says which root it is of.
func TestInvalid(t *testing.T) {
	t.Parallel()
	for _, k := range []algorithm{search{}, paths{}} {
		r := &runner{Options: Options{Scale: 7, EdgeFactor: 16, Roots: 5, SSSP: true, Tell: func(string, ...any) {}}, engine: cpu.New(cpu.Options{}), result: new(Result)}
		if err := errors.Join(r.generate(t.Context()), r.construct(t.Context())); err != nil {
			t.Fatal(err)
		}
		r.roots = sample(r.graph.Out(), r.Roots, 1)
		cut := func(table *pregel.Table) {
			parent := table.Columns[len(table.Columns)-1].Vertices
			v := slices.IndexFunc(parent, func(p uint32) bool { return p != graph.None })
			parent[v] = uint32(v)
		}
		_, err := r.kernel(t.Context(), tampered{k, new(int), cut})
		var invalid *Invalid
		var broken *certify.Violation
		if !errors.As(err, &invalid) || !errors.As(err, &broken) || invalid.Root != r.roots[2] || invalid.Kernel != k.name() || !strings.HasSuffix(broken.Answer, "check 1") {
			t.Errorf("%s: %v", k.name(), err)
		}
	}
}

// The lines and their order are the reference code's; numbers are those given.
func TestLines(t *testing.T) {
	t.Parallel()
	k := func(x float64) *Kernel {
		k := &Kernel{}
		for i := range 5 {
			k.Runs = append(k.Runs, Search{Root: uint32(i), Edges: 1 << 20, Seconds: x * float64(i+1), Device: x * 5, Wall: x * 10, Validate: 2})
		}
		return k
	}
	r := &Result{Scale: 16, EdgeFactor: 16, Roots: 5, Weights: "uniform in [0, 1), float32", Prepare: "none", Generation: 0.25, Construction: 1234567.8, BFS: k(0.125), SSSP: k(2)}
	r.Edges = r.BFS.summarise(true)
	r.SSSP.summarise(true)
	var b bytes.Buffer
	if err := errors.Join(r.Print(&b), r.PrintMore(&b, "cuda, a GPU", "not measured: no NVML")); err != nil {
		t.Fatal(err)
	}
	golden := "testdata/lines.golden"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || b.String() != string(want) {
		t.Errorf("%v\n%s\nwant\n%s", err, b.String(), want)
	}
}

// What a whole run prints are these lines, whatever the options; answers on
// prepared graphs, with one worker and with three, pass.
func TestWholeRuns(t *testing.T) {
	t.Parallel()
	golden, err := os.ReadFile("testdata/lines.golden")
	if err != nil {
		t.Fatal(err)
	}
	own, _, _ := strings.Cut(string(golden), "engine:")
	for _, o := range []Options{
		{BFS: true, SSSP: true, Workers: 1}, {BFS: true, SSSP: true, Workers: 3, Integers: true}, {BFS: true, Order: "degree"},
		{SSSP: true, Order: "locality"}, {BFS: true, Clock: new(watch)},
	} {
		o.Scale, o.EdgeFactor, o.Roots, o.Seed = 8, 8, 6, 4
		r, err := Run(t.Context(), timed{cpu.New(cpu.Options{Workers: o.Workers}), o.Clock}, o)
		if err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		var b bytes.Buffer
		if err := r.Print(&b); err != nil {
			t.Fatal(err)
		}
		wanted := own
		if !o.BFS {
			wanted = regexp.MustCompile(`(?m)^bfs .*\n`).ReplaceAllString(wanted, "")
		}
		if !o.SSSP {
			wanted = regexp.MustCompile(`(?m)^sssp .*\n`).ReplaceAllString(wanted, "")
		}
		number := regexp.MustCompile(`(?m) +\S+$`)
		if got, want := number.ReplaceAllString(b.String(), ""), number.ReplaceAllString(wanted, ""); got != want {
			t.Errorf("%+v: lines\n%s\nwant\n%s", o, got, want)
		}
		if (r.Prepare == "none") != (o.Order == "") {
			t.Errorf("prepared by %s, want %s", r.Prepare, o.Order)
		}
	}
}

// A watch is the clock of a device whose runs take a second each.
type watch struct{ runs int }

func (w *watch) Elapsed() time.Duration { return time.Second }
func (w *watch) Runs() int              { return w.runs }
func (w *watch) Used() uint64           { return 0 }
func (w *watch) Upload() time.Duration  { return 1000 * time.Second }

// timed counts the runs of an engine for a watch.
type timed struct {
	*cpu.Engine
	clock Clock
}

func (e timed) Run(ctx context.Context, t pregel.Task, l pregel.Limits) pregel.Stop {
	if w, ok := e.clock.(*watch); ok {
		w.runs++
	}
	return e.Engine.Run(ctx, t, l)
}

// With a device's clock times are its own, the whole stands beside them, and the
// copy to the device is part of the construction.
func TestClock(t *testing.T) {
	t.Parallel()
	w := new(watch)
	r, err := Run(t.Context(), timed{cpu.New(cpu.Options{}), w}, Options{Scale: 6, EdgeFactor: 16, Roots: 4, BFS: true, Clock: w})
	if err != nil || r.BFS.Time != (bench.Summary{Min: 1, FirstQuartile: 1, Median: 1, ThirdQuartile: 1, Max: 1, Mean: 1}) || r.BFS.Wall == nil || r.Construction < 1000 || r.Construction > 1999 {
		t.Errorf("%+v %+v", r, err)
	}
	if got := r.BFS.TEPS.HarmonicMean; got != r.Edges.Mean {
		t.Errorf("%v TEPS, want the %v edges of a second", got, r.Edges.Mean)
	}
	if w.runs != 5 {
		t.Errorf("%d runs, want one to warm up and four", w.runs)
	}
	// Behind the device's clock the host brings the answers of a prepared graph back.
	r, err = Run(t.Context(), timed{cpu.New(cpu.Options{}), w}, Options{Scale: 6, EdgeFactor: 16, Roots: 4, BFS: true, Clock: w, Order: "degree"})
	if err != nil || r.BFS.Device.Min != 1 || r.BFS.Device.Max != 1 || r.BFS.Time != *r.BFS.Wall || r.BFS.Time.Max >= 1 || r.BFS.TEPS.HarmonicMean <= r.Edges.Mean {
		t.Errorf("%+v %+v", r, err)
	}
}

type counter float64

func (c *counter) Joules() (float64, error) { *c += 8; return float64(*c), nil }
func (c *counter) Close() error             { return nil }

func TestEnergy(t *testing.T) {
	t.Parallel()
	r := run(t, Options{Scale: 6, EdgeFactor: 16, Roots: 4, BFS: true, Meter: new(counter), MeterName: "test", EnergyFor: time.Nanosecond})
	u := r.BFS.Energy
	if u == nil || u.Runs != 4 || u.Joules != 8 || u.Meter != "test" {
		t.Fatalf("%+v", u)
	}
	edges := 0.0
	for _, s := range r.BFS.Runs {
		edges += float64(s.Edges)
	}
	if got := u.MTEPSPerWatt * 8 * 1e6; got < edges*0.999 || got > edges*1.001 {
		t.Errorf("%v edges by the joule, want %v", got/8, edges/8)
	}
	var b bytes.Buffer
	if err := r.PrintMore(&b, "cpu", ""); err != nil || !strings.Contains(b.String(), "bfs  MTEPS/W:") || !strings.Contains(b.String(), fmt.Sprintf("8 (4 runs in %.3g s, test)", u.Seconds)) {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// One edge may be a loop: then there is no root.
func TestNoRoot(t *testing.T) {
	t.Parallel()
	for seed := range uint64(1000) {
		list, err := graphgen.EdgeList(t.Context(), graphgen.Spec{Kind: "kronecker", Scale: 1, EdgeFactor: 1, Seed: seed}, graphgen.ListUnweighted, 1)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(list.U, list.V) {
			continue
		}
		if _, err := Run(t.Context(), cpu.New(cpu.Options{}), Options{Scale: 1, EdgeFactor: 1, Roots: 1, Seed: seed, BFS: true}); err == nil || !strings.Contains(err.Error(), "no root") {
			t.Errorf("seed %d: %v", seed, err)
		}
		return
	}
	t.Error("no such graph among 1000")
}
