//go:build cuda || emulate

package cuda_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/bfs"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// namer has values with fields of any types, of which some name vertices, some none. They
// hang on the vertex and on what its neighbours say, for three supersteps or till they settle.
func namer(value string, settles bool) *cuda.KernelProgram {
	var set strings.Builder
	single := !strings.Contains(value, ":")
	for i, f := range strings.Split(value, ",") {
		name, kind, _ := strings.Cut(strings.TrimSpace(f), ":")
		at := "x." + name
		if single {
			at, kind = "x", name
		}
		switch kind {
		case "vertex":
			fmt.Fprintf(&set, " %s = h %% 5 == 0 ? NONE : (u32)((h / 5 + %d) %% v.n);", at, i)
		default:
			fmt.Fprintf(&set, " %s = h * %d;", at, 2*i+3)
		}
	}
	source := `
__device__ Value filled(Vertex v, u64 h) { Value x; h = h * 0x9e3779b97f4a7c15ull >> 40;` + set.String() + ` return x; }
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = v.id % 3 == 0; return filled(v, v.id); }
__device__ Message emit(Vertex v, Value x, const Params &p) { return v.id; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) {
  awake = v.superstep < 3;
  return filled(v, v.id * 31ull + m);
}
`
	if settles {
		source += "__device__ bool settled(Value x) { return true; }\n"
	}
	return &cuda.KernelProgram{Name: "namer.cu", Source: source, Value: value, Message: "uint32", Combine: "min", Edge: "source_id"}
}

// broughtSame runs an algorithm on a prepared graph, with its answer brought into the user's order by
// the device, and by the host.
func broughtSame(t *testing.T, what string, e *cuda.Engine, p *pregel.Prepared, a pregel.Algorithm, most int) {
	t.Helper()
	broughtIn(t, t.Context(), what, e, p, a, most)
}

func broughtIn(t *testing.T, ctx context.Context, what string, e *cuda.Engine, p *pregel.Prepared, a pregel.Algorithm, most int) {
	t.Helper()
	var tables [2]pregel.Table
	for i, out := range [][]string{nil, {cuda.OwnOrder}} {
		if err := e.LeaveOut(out...); err != nil {
			t.Fatal(err)
		}
		for batch := range 2 { // the second finds what the first has made
			answer, err := p.Run(ctx, a, &pregel.Job{Engine: e, MaxSupersteps: most, Batch: 1 + 50*batch})
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if answer.Ordered != (i == 0) {
				t.Fatalf("%s: brought by the device: %v, want %v", what, answer.Ordered, i == 0)
			}
			tables[i] = answer.Table
		}
	}
	if !reflect.DeepEqual(tables[0], tables[1]) {
		t.Fatalf("%s: the device brings what the host does not", what)
	}
}

// renumbered makes an algorithm of a program that runs on prepared graphs.
type renumbered struct{ pregel.Algorithm }

func (renumbered) Renumbered(context.Context, *pregel.Job, *pregel.Answer) error { return nil }

// The device brings values of any size, vertices that they name among them, to where the host
// does, whatever of them has not been written, and wherever the run ends.
func TestBrought(t *testing.T) {
	e := open(t, cuda.Options{})
	r := rand.New(rand.NewPCG(seeded(t), 5))
	e.AheadMost(time.Hour) // a superstep of relay may be begun ahead of the host
	values := []string{"vertex", "float64", "depth:uint32, parent:vertex", "p:vertex, a:float32, q:vertex", "a:int64, p:vertex",
		"a:uint32, b:uint32, p:vertex, q:vertex", "a:uint64, p:vertex, b:float64, q:vertex, c:int32", "uint32"}
	if testing.Short() {
		r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		values = values[:1]
	}
	for _, value := range values {
		for _, settles := range []bool{false, true} {
			g := seekers(t, r, r.IntN(2) == 0)
			order := pregel.Orders[r.IntN(len(pregel.Orders))]
			p, err := pregel.Prepare(t.Context(), g, order, 2)
			if err == nil && r.IntN(3) == 0 { // the user's graph has been made in an order itself
				p, err = pregel.Prepare(t.Context(), p.Graph, pregel.Orders[r.IntN(len(pregel.Orders))], 2)
			}
			if err != nil {
				t.Fatal(err)
			}
			e.Direction = []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull}[r.IntN(3)]
			most := r.IntN(6) // 0: no limit
			what := fmt.Sprintf("values %s, settled %v, by %s, at most %d supersteps", value, settles, order, most)
			broughtSame(t, what, e, p, namer(value, settles), most)
			h := hearer{r.Uint32N(5), 5, 1 + r.Uint32N(3)}
			broughtSame(t, fmt.Sprintf("%+v, %s", h, what), e, p, renumbered{pregel.EdgeAlgorithm(h)}, most)
			broughtSame(t, "odd, "+what, e, p, renumbered{pregel.EdgeAlgorithm(odd{})}, most)
			tallies := &relay[int64]{halt: 1 + r.IntN(6), quiet: r.IntN(6), sleep: r.IntN(6)}
			broughtSame(t, fmt.Sprintf("%+v, %s", tallies, what), e, p, renumbered{pregel.EdgeAlgorithm(tallies)}, most)
			ended, end := context.WithCancel(t.Context())
			end()
			broughtIn(t, ended, "cancelled, "+what, e, p, renumbered{pregel.EdgeAlgorithm(h)}, most)
		}
	}
}

// Values that take turns between two places, as where a superstep is begun ahead of the host, are
// brought from where the last one has left them.
func TestBroughtAhead(t *testing.T) {
	e := open(t, cuda.Options{})
	e.AheadMost(time.Hour)
	p, err := pregel.Prepare(t.Context(), random(t, rand.New(rand.NewPCG(seeded(t), 8)), 700, 4000, false), "degree", 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, halt := range []int{4, 5} {
		broughtSame(t, fmt.Sprintf("halted after %d", halt), e, p, renumbered{pregel.EdgeAlgorithm(&relay[int64]{halt: halt, quiet: 99, sleep: 99})}, 0)
		if !e.Ahead(3) {
			t.Errorf("halted after %d: no superstep was begun ahead", halt)
		}
	}
}

// Where the device has room for a run, but not for bringing its answer, the host brings that.
func TestNoRoomToBring(t *testing.T) {
	e := open(t, cuda.Options{})
	r := rand.New(rand.NewPCG(seeded(t), 7))
	g := seekers(t, r, false)
	p, err := pregel.Prepare(t.Context(), g, "degree", 2)
	if err != nil {
		t.Fatal(err)
	}
	h := renumbered{pregel.EdgeAlgorithm(hearer{1, 5, 2})}
	run := func(out ...string) *pregel.Answer {
		if err := errors.Join(e.GiveUp(), e.LeaveOut(out...)); err != nil {
			t.Fatal(err)
		}
		answer, err := p.Run(t.Context(), h, &pregel.Job{Engine: e})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	fields := make([]string, 65) // a value of more words than can be told to name vertices
	for i := range fields {
		fields[i] = fmt.Sprintf("f%d:vertex", i)
	}
	answer, err := p.Run(t.Context(), namer(strings.Join(fields, ", "), true), &pregel.Job{Engine: e})
	if err != nil || answer.Ordered {
		t.Fatalf("65 vertices a value are brought by the device: %v", err)
	}
	want := run(cuda.OwnOrder)
	without := e.Used()
	run()
	full := e.Used()
	for _, c := range []struct {
		memory uint64
		brings bool
	}{{full, true}, {full - 1, false}, {without + uint64(4*g.N()) - 1, false}} {
		e.Memory = c.memory
		if got := run(); got.Ordered != c.brings || !reflect.DeepEqual(got.Table, want.Table) {
			t.Errorf("with %d bytes, of %d and %d without: brought by the device: %v, want %v; tables are the same: %v",
				c.memory, full, without, got.Ordered, c.brings, reflect.DeepEqual(got.Table, want.Table))
		}
	}
}

// A kernel that names what is no vertex is told so, whoever brings its answer, and on the graph as it is.
func TestMisnamed(t *testing.T) {
	e := open(t, cuda.Options{})
	g := random(t, rand.New(rand.NewPCG(seeded(t), 10)), 50, 200, false)
	p, err := pregel.Prepare(t.Context(), g, "degree", 2)
	if err != nil {
		t.Fatal(err)
	}
	k := namer("depth:uint32, parent:vertex", false)
	broughtSame(t, "named rightly", e, p, k, 0)
	if err := e.LeaveOut(); err != nil {
		t.Fatal(err)
	}
	k.Source = strings.Replace(k.Source, " return x;", " if (v.id == 7) x.parent = v.n; return x;", 1)
	for name, run := range map[string]func() (*pregel.Answer, error){
		"as it is": func() (*pregel.Answer, error) { return k.Run(t.Context(), &pregel.Job{Graph: g, Engine: e}) },
		"prepared": func() (*pregel.Answer, error) { return p.Run(t.Context(), k, &pregel.Job{Engine: e}) },
		"by the host": func() (*pregel.Answer, error) {
			return p.Run(t.Context(), k, &pregel.Job{Engine: e, Barrier: func(func() (pregel.State, error)) error { return nil }})
		},
	} {
		if _, err := run(); err == nil || !strings.HasPrefix(err.Error(), "namer.cu: column parent names vertices: found the number 50, want one below 50, ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// odd has values of a byte: the greatest that has come to a vertex.
type odd struct{}

func (odd) Name() string { return "odd" }

func (odd) Spec() pregel.Spec[uint32] { return pregel.Spec[uint32]{Combine: pregel.Max[uint32]()} }

func (odd) Init(v pregel.Vertex[uint8]) (uint8, bool) { return uint8(v.ID), v.ID%7 == 0 }

func (odd) Emit(v pregel.Vertex[uint8]) uint32 { return uint32(v.Value) }

func (odd) Apply(v pregel.Vertex[uint8], m uint32, _ bool) (uint8, bool) {
	return max(v.Value, uint8(m)), uint8(m) > v.Value
}

func (odd) Twin() pregel.Twin {
	return pregel.Twin{Name: "odd.cu", Source: `
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = v.id % 7 == 0; return (Value)v.id; }
__device__ Message emit(Vertex v, Value x, const Params &p) { return x; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) {
  awake = (u8)m > x;
  return (u8)m > x ? (u8)m : x;
}
`}
}

// Any parents of a prepared graph are those of the CPU, and pass their certificate; the least are
// those of the graph as it is. A run whose states are kept, or looked at, is brought by the host.
func TestAnyParents(t *testing.T) {
	e := open(t, cuda.Options{})
	r := rand.New(rand.NewPCG(seeded(t), 6))
	c := cpu.New(cpu.Options{Workers: 2})
	for range 4 {
		g := seekers(t, r, r.IntN(2) == 0)
		p, err := pregel.Prepare(t.Context(), g, "degree", 2)
		if err != nil {
			t.Fatal(err)
		}
		a := &bfs.BFS{Source: pregel.ID(g.IDs().Text(r.Uint32N(uint32(g.N())))), Any: true}
		want, err := p.Run(t.Context(), a, &pregel.Job{Engine: c})
		if err != nil {
			t.Fatal(err)
		}
		for _, watched := range []bool{false, true} {
			j := &pregel.Job{Engine: e}
			if watched {
				j.Barrier = func(func() (pregel.State, error)) error { return nil }
			}
			got, err := p.Run(t.Context(), a, j)
			if err != nil {
				t.Fatal(err)
			}
			if got.Ordered == watched || !reflect.DeepEqual(got.Table, want.Table) || !reflect.DeepEqual(got.Summary, want.Summary) {
				t.Fatalf("watched %v: ordered %v; depths or parents are not the CPU's", watched, got.Ordered)
			}
			if err := a.Certify(t.Context(), g, &got.Table); err != nil {
				t.Fatal(err)
			}
		}
		leastParents(t, r, e, p, a, want)
	}
}

// leastParents compares the least parents of a prepared graph with those of the graph as it is.
func leastParents(t *testing.T, r *rand.Rand, e *cuda.Engine, p *pregel.Prepared, a *bfs.BFS, anyOf *pregel.Answer) {
	t.Helper()
	least := &bfs.BFS{Source: a.Source}
	got, err := p.Run(t.Context(), least, &pregel.Job{Engine: e})
	if err != nil {
		t.Fatal(err)
	}
	want, err := least.Run(t.Context(), &pregel.Job{Graph: p.User(), Engine: e})
	if err != nil || !reflect.DeepEqual(got.Table, want.Table) {
		t.Fatalf("least parents of the prepared graph are others; error %v", err)
	}
	if reflect.DeepEqual(anyOf.Table.Columns[1], want.Table.Columns[1]) {
		t.Log("any parents are the least ones")
	}
	// A parent that is not a step nearer is told.
	parents := got.Table.Columns[1].Vertices
	for range 50 {
		v := r.IntN(len(parents))
		if u := parents[v]; u != graph.None {
			parents[v] = uint32(v)
			if a.Certify(t.Context(), p.User(), &got.Table) == nil {
				t.Fatalf("vertex %d is its own parent, and was certified", v)
			}
			parents[v] = u
		}
	}
}

// seeded is a seed that a failure shows.
func seeded(t *testing.T) uint64 {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return seed
}
