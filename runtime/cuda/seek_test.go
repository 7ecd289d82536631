//go:build cuda || emulate

package cuda_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// hearer counts how often it hears of the least awake neighbour, and settles when
// that is often enough: at once, as in BFS, or later, with a value of its own.
type hearer struct{ from, step, often uint32 }

type heard struct{ Times, Mix uint32 }

func (hearer) Name() string { return "hearer" }

func (hearer) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.SourceID[uint32]()}
}

func (p hearer) Init(v pregel.Vertex[heard]) (heard, bool) {
	return heard{Mix: v.ID * 7}, v.ID%p.step == p.from
}

func (hearer) Emit(v pregel.Vertex[heard]) uint32 { return v.ID }

func (p hearer) Apply(v pregel.Vertex[heard], m uint32, _ bool) (heard, bool) {
	x := heard{v.Value.Times + 1, v.Value.Mix*31 + m + uint32(v.OutDegree)}
	return x, x.Mix%5 != 0
}

func (p hearer) Settled(x heard) bool { return x.Times == p.often || x.Mix%11 == 3 }

func (p hearer) Twin() pregel.Twin {
	return pregel.Twin{Name: "hearer.cu", Params: struct{ From, Step uint32 }{p.from, p.step}, Source: fmt.Sprintf("#define OFTEN %d\n", p.often) + `
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) {
  awake = v.id % p.step == p.from;
  Value x = {0, v.id * 7};
  return x;
}
__device__ Message emit(Vertex v, Value x, const Params &p) { return v.id; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) {
  x.times++, x.mix = x.mix * 31 + m + v.out_degree;
  awake = x.mix % 5 != 0;
  return x;
}
__device__ bool settled(Value x) { return x.times == OFTEN || x.mix % 11 == 3; }
`}
}

// seekers is a graph with hubs, a crowd around them, paths that hang on it and
// vertices with no arcs, the ids of all mixed.
func seekers(t *testing.T, r *rand.Rand, directed bool) *graph.Graph {
	t.Helper()
	crowd, paths, length := 600+r.IntN(900), r.IntN(30), 2+r.IntN(12)
	n := crowd + paths*length + r.IntN(800)
	id := r.Perm(n)
	var list []graph.Arc
	add := func(u, v int) {
		list = append(list, graph.Arc{U: uint32(id[u]), V: uint32(id[v])})
		if directed && r.IntN(2) == 0 {
			list = append(list, graph.Arc{U: uint32(id[v]), V: uint32(id[u])})
		}
	}
	for hub := range 1 + r.IntN(4) {
		for range 200 + r.IntN(500) {
			add(hub, r.IntN(crowd))
		}
	}
	for range r.IntN(4 * crowd) {
		add(r.IntN(crowd), r.IntN(crowd))
	}
	for i := range paths {
		last := r.IntN(crowd)
		for j := range length {
			v := crowd + i*length + j
			add(last, v)
			last = v
		}
	}
	return build(t, n, list, directed)
}

// Programs that settle and stop at the first awake neighbour do on the device
// what they do on the CPU, superstep by superstep, be the graph prepared or not,
// and whatever they find in memory.
func TestSeekers(t *testing.T) {
	eachSought(t, func(what string, s sought) { compareSeekers(t, what, s, s.program) })
}

// sought is a run to compare with one of the host.
type sought struct {
	graph   *graph.Graph
	program hearer
	device  *cuda.Engine
	host    pregel.Engine
	batch   int
}

// eachSought makes runs in each direction, on graphs as they are and prepared.
func eachSought(t *testing.T, do func(what string, s sought)) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, direction := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
		words := fmt.Sprintf("RUN_WORDS=%d", 64*r.IntN(2)) // as on large graphs, and as on small ones
		t.Log(direction, words)
		e, host := open(t, cuda.Options{Direction: direction, Defines: []string{words}}), cpu.New(cpu.Options{Workers: 1, Direction: pregel.Push}) // whose arcs are those of the awake
		for range 6 {
			g := seekers(t, r, r.IntN(2) == 0)
			g.In()
			p, err := pregel.Prepare(t.Context(), g, pregel.Orders[r.IntN(2)], 1)
			if err != nil {
				t.Fatal(err)
			}
			p.Graph.In()
			for _, g := range []*graph.Graph{g, p.Graph} {
				for range 3 {
					step := 1 + r.Uint32N(uint32(g.N()))>>r.IntN(8)
					program := hearer{r.Uint32N(step), step, []uint32{1, 1, 3}[r.IntN(3)]}
					do(fmt.Sprintf("%v, reordered %v, %+v", direction, g.Reordered(), program), sought{g, program, e, host, 1 + r.IntN(8)*r.IntN(200)})
				}
			}
		}
	}
}

func compareSeekers[P pregel.EdgeProgram[heard, uint32]](t *testing.T, what string, s sought, p P) {
	t.Helper()
	var records [2][][3]uint64
	var values [2][]heard
	for i, engine := range []pregel.Engine{s.device, s.host} {
		j := &pregel.Job{Graph: s.graph, Engine: engine, Batch: s.batch, Observe: func(r pregel.StepRecord) {
			records[i] = append(records[i], [3]uint64{r.Awake, r.Arcs, r.Next})
		}}
		result, err := pregel.RunEdge(t.Context(), j, p)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		values[i] = result.Values
	}
	if !slices.Equal(records[0], records[1]) {
		t.Errorf("%s: supersteps (awake, arcs, next) %v, on the CPU %v", what, records[0], records[1])
	}
	if !slices.Equal(values[0], values[1]) {
		t.Errorf("%s: other values than on the CPU", what)
	}
}

// failing is a hearer whose run fails after superstep at.
type failing struct {
	hearer
	at int
}

var errFailing = errors.New("has to fail")

func (p failing) Barrier(s *pregel.Step) {
	if s.Superstep == p.at {
		s.Fail(errFailing)
	}
}

// A run that fails while vertices are awake, or before any superstep, leaves the
// values reached, and not what was in memory.
func TestSeekersFail(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	e, host := open(t, cuda.Options{}), cpu.New(cpu.Options{Workers: 1})
	later := false
	for at := -1; at < 4; at++ {
		g := seekers(t, r, r.IntN(2) == 0)
		// Its values stay in memory.
		if _, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e}, hearer{0, 1, 3}); err != nil {
			t.Fatal(err)
		}
		p := failing{hearer{r.Uint32N(50), 50, 1}, at}
		var values [2][]heard
		var errs [2]error
		for i, engine := range []pregel.Engine{e, host} {
			result, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: engine}, p)
			values[i], errs[i] = result.Values, err
		}
		if errs[1] == nil && errs[0] == nil && at > 0 {
			continue // it has ended before: it may be that nobody hears the first ones
		}
		later = later || at > 0
		if !errors.Is(errs[0], errFailing) || !errors.Is(errs[1], errFailing) {
			t.Fatalf("superstep %d: %v, on the CPU %v", at, errs[0], errs[1])
		}
		if !slices.Equal(values[0], values[1]) {
			t.Errorf("%+v: other values than on the CPU", p)
		}
	}
	if !later {
		t.Error("no run has failed after superstep 0")
	}
}
