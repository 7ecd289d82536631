//go:build cuda || emulate

package cuda_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/trace"
	"gopregel/programs/bfs"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// floods are limits above which a push makes no list: that of no push, of those along
// more arcs than there are vertices, and of every one.
var floods = []string{"FLOOD=0.0001f", "FLOOD=1", "FLOOD=1000000000"}

// A soaked run is one of a program, a graph and a direction, with how many supersteps each
// engine does at a time.
type soaked struct {
	what   string
	g      *graph.Graph
	a      pregel.Algorithm
	d      pregel.Direction
	want   *trace.Run // on the CPU
	at     [3]int
	traces [3]*trace.Run
}

// Whether a push makes a list of those who get a message changes nothing: neither
// values nor who wakes, nor what is counted, of programs with boxes alone or with bits
// beside, with vertices that settle, that wait or that none of it is known of, however
// many supersteps are done at a time. The engines run side by side, as compiling the programs
// is most of what they do.
func TestFlood(t *testing.T) {
	device(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 14))
	graphs := 4
	if testing.Short() {
		graphs = 1
	}
	var runs []*soaked
	for i := range graphs {
		runs = append(runs, soaks(t, r, (uint64(i)+seed)%2 == 0)...)
	}
	t.Run("engines", func(t *testing.T) {
		for i, flood := range floods {
			t.Run(flood, func(t *testing.T) {
				t.Parallel()
				e := open(t, cuda.Options{Schedule: pregel.BSP, Defines: []string{flood}})
				for _, x := range runs {
					e.Direction = x.d
					x.traces[i] = traceOf(t, fmt.Sprintf("%s, %s", x.what, flood), x.g, e, x.at[i], trace.All, x.a)
				}
			})
		}
	})
	for _, x := range runs {
		sameFloods(t, x)
	}
}

// soaks are the runs on one graph.
func soaks(t *testing.T, r *rand.Rand, directed bool) (runs []*soaked) {
	t.Helper()
	host := cpu.New(cpu.Options{Workers: 2, Schedule: pregel.BSP, Direction: pregel.Push})
	g := seekers(t, r, directed)
	g.In()
	g = g.WithWeights(func(u, v uint32) int32 { return int32((u^v)*2654435761>>26) + 1 })
	for name, a := range flooding(r, g) {
		want := traceOf(t, name+", on the CPU", g, host, 1, trace.All, a)
		for _, d := range []pregel.Direction{pregel.Push, pregel.Auto} {
			x := &soaked{what: fmt.Sprintf("%d vertices, directed %v, %s, %v", g.N(), g.Directed(), name, d), g: g, a: a, d: d, want: want}
			for i := range x.at {
				x.at[i] = []int{1, 2, 64}[r.IntN(3)]
			}
			runs = append(runs, x)
		}
	}
	return runs
}

// flooding are programs of each kind.
func flooding(r *rand.Rand, g *graph.Graph) map[string]pregel.Algorithm {
	list := map[string]pregel.Algorithm{"bfs": &bfs.BFS{Source: sender(g)}, "depths": &bfs.BFS{Source: sender(g), Parents: new(false)}, "stirred": own{stirred().run}, "stirred in order": own{inOrder().run}}
	for _, name := range []string{"nearest", "pairs in order", "labels"} {
		list[name] = own{relaxingPrograms(true)[name].run}
	}
	for _, often := range []uint32{1, 3} {
		step := 1 + r.Uint32N(100)
		p := hearer{r.Uint32N(step), step, often}
		list[fmt.Sprintf("%+v", p)] = own{func(j *pregel.Job) ([]byte, error) {
			result, err := pregel.RunEdge(context.Background(), j, p)
			return nil, errors.Join(err, result.Stop.Err)
		}}
		list[fmt.Sprintf("deaf, %+v", p)] = own{func(j *pregel.Job) ([]byte, error) {
			result, err := pregel.RunEdge(context.Background(), j, deaf{p})
			return nil, errors.Join(err, result.Stop.Err)
		}}
	}
	return list
}

// stirred is a silent program: who is awake is asked though it hears nothing.
func stirred() *relaxing[uint32, uint32] {
	return &relaxing[uint32, uint32]{name: "stirred", spec: pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Silent: true}, emit: same[uint32],
		init: func(v pregel.Vertex[uint32]) (uint32, bool) { return stir(v.ID, 5), v.ID%9 == 4 },
		apply: func(v pregel.Vertex[uint32], m uint32) (uint32, bool) {
			x := min(v.Value, m) - uint32(v.Superstep&1)
			return x, x%4 > 0 && v.Superstep < 9
		},
		twin: `
__device__ u32 stir(u32 x, u32 y) { x = (x ^ y) * 2654435761u; return x ^ x >> 15; }
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = v.id % 9 == 4; return stir(v.id, 5); }
__device__ Message emit(Vertex v, Value x, const Params &p) { return x; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) {
  x = (m < x ? m : x) - (v.superstep & 1);
  awake = x % 4 > 0 && v.superstep < 9;
  return x;
}
`}
}

func inOrder() *ordered[uint32, uint32] {
	p := stirred()
	p.name, p.twin = "stirred in order", p.twin+"__device__ u64 priority(Value x, const Params &p) { return x >> 28; }\n"
	return &ordered[uint32, uint32]{*p, func(x uint32) uint64 { return uint64(x >> 28) }}
}

func sameFloods(t *testing.T, run *soaked) {
	t.Helper()
	want, first := run.want, run.traces[0]
	for i, got := range run.traces {
		what := fmt.Sprintf("%s, %s, %d at a time", run.what, floods[i], run.at[i])
		if got == nil {
			t.Fatalf("%s: there is no trace", what)
		}
		if len(got.Steps) != len(want.Steps) || !sameValues(got.Init, want.Init) {
			t.Fatalf("%s: %d supersteps, on the CPU %d", what, len(got.Steps), len(want.Steps))
		}
		for s := range got.Steps {
			x, y, z := &got.Steps[s], &want.Steps[s], &first.Steps[s]
			if x.Awake != y.Awake || x.Next != y.Next || x.Direction == y.Direction && x.Arcs != y.Arcs || !sameValues(x.Values, y.Values) {
				t.Fatalf("%s, superstep %d:\n%+v, on the CPU\n%+v", what, s, x.Superstep, y.Superstep)
			}
			if x.Combined != nil && z.Combined != nil && *x.Combined != *z.Combined {
				t.Fatalf("%s, superstep %d: %d got a message, %d where lists are made", what, s, *x.Combined, *z.Combined)
			}
		}
	}
}
