//go:build cuda || emulate

package cuda_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// census adds up what neighbours say, and how many are even; in supersteps 2 and
// 3 a third of the vertices sleep.
type census[T int32 | int64] struct {
	combine pregel.Monoid[T]
	along   pregel.Along
	even    *pregel.Aggregator[int64]
}

const censusTwin = `
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = true; return v.id * 2654435761u; }
__device__ Message emit(Vertex v, Value x, const Params &p) { return x ^ v.out_degree + v.superstep; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) {
  x = (Value)((u64)x * 31 + (got ? (u64)m : 7));
  awake = v.superstep < 1 || v.superstep > 2 || v.id % 3 != 0;
  if (x % 2 == 0) v.add_even(1);
  return x;
}
`

func (*census[T]) Name() string { return "census" }

func (c *census[T]) Spec() pregel.Spec[T] {
	return pregel.Spec[T]{Combine: c.combine, Silent: true, Along: c.along}
}

func (c *census[T]) Setup(s *pregel.Setup) error {
	c.even = pregel.NewAggregator(s, pregel.Sum[int64]())
	return nil
}

func (*census[T]) Init(v pregel.Vertex[T]) (T, bool) { return T(v.ID * 2654435761), true }

func (*census[T]) Emit(v pregel.Vertex[T]) T { return v.Value ^ T(v.OutDegree+uint32(v.Superstep)) }

func (c *census[T]) Apply(v pregel.Vertex[T], m T, got bool) (T, bool) {
	if !got {
		m = 7
	}
	x := v.Value*31 + m
	if x%2 == 0 {
		c.even.Add(v.Place, 1)
	}
	return x, v.Superstep < 1 || v.Superstep > 2 || v.ID%3 != 0
}

func (c *census[T]) Barrier(s *pregel.Step) {
	s.Metric("even", float64(c.even.Last()), 0)
	if s.Superstep == 6 {
		s.Halt()
	}
}

func (c *census[T]) Twin() pregel.Twin {
	return pregel.Twin{Name: "census.cu", Source: censusTwin, Tallies: []pregel.NamedTally{{Name: "even", Tally: c.even}}, Local: true}
}

// Programs that tally hear their neighbours by rows, or by columns where there are
// any, narrow or wide ones: the same values, and the same sums over all vertices, as on
// the CPU, whoever is awake.
func TestColumned(t *testing.T) {
	testColumned(t, open(t, cuda.Options{}))
	narrows := []uint32{0, 3, cuda.AsPays - 1, cuda.AsPays}
	if testing.Short() {
		i := rand.IntN(len(narrows))
		narrows = narrows[i : i+1]
	}
	for _, narrow := range narrows {
		e := open(t, cuda.Options{})
		e.ColumnAll(narrow)
		testColumned(t, e)
	}
}

func testColumned(t *testing.T, e *cuda.Engine) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 5))
	columned(t, e, tail(t), &census[int32]{combine: pregel.Sum[int32](), along: pregel.InEdges})
	for _, directed := range []bool{false, true} {
		for _, size := range [][2]int{{1, 3}, {30, 100}, {60, 5000}, {700, 20_000}, {5000, 30_000}, {4000, 80_000}} {
			if testing.Short() && r.IntN(3) > 0 {
				continue
			}
			g := random(t, r, size[0], size[1], directed)
			columned(t, e, g, &census[int32]{combine: pregel.Sum[int32]()})
			columned(t, e, g, &census[int64]{combine: pregel.Sum[int64](), along: pregel.InEdges})
			columned(t, e, g, &census[int32]{combine: pregel.Min[int32](), along: pregel.InEdges})
			columned(t, e, g, &census[int64]{combine: pregel.Max[int64]()})
		}
	}
}

// tail is a graph of which most vertices have in-arcs alone.
func tail(t *testing.T) *graph.Graph {
	var list []graph.Arc
	for u := range uint32(10) {
		for v := range uint32(200) {
			list = append(list, graph.Arc{U: u, V: v})
		}
	}
	return build(t, 200, list, true)
}

func columned[T int32 | int64](t *testing.T, e pregel.Engine, g *graph.Graph, c pregel.EdgeProgram[T, T]) {
	t.Helper()
	run := func(e pregel.Engine) ([]T, []float64) {
		var steps []float64 // even values, and who was awake
		j := &pregel.Job{Graph: g, Engine: e, Observe: func(r pregel.StepRecord) { steps = append(steps, r.Metric.Value, float64(r.Awake)) }}
		result, err := pregel.RunEdge(t.Context(), j, c)
		if err != nil {
			t.Fatal(err)
		}
		return result.Values, steps
	}
	want, wantSteps := run(cpu.New(cpu.Options{Workers: 2}))
	got, steps := run(e)
	if !slices.Equal(got, want) || !slices.Equal(steps, wantSteps) {
		t.Errorf("%T along %v, %d vertices, %d arcs: on the device %v, even and awake %v, on the CPU %v, %v", c, c.Spec().Along, g.N(), g.Arcs(), got, steps, want, wantSteps)
	}
}

// chorus is a census whose neighbours all say the same.
type chorus struct{ *census[int32] }

func (chorus) Emit(pregel.Vertex[int32]) int32 { return 5 }

func (c chorus) Twin() pregel.Twin {
	t := c.census.Twin()
	t.Source = strings.Replace(t.Source, "x ^ v.out_degree + v.superstep", "5", 1)
	return t
}

// Where any message will do, it is one that was sent, in a chunk that is not full as
// well.
func TestColumnedAny(t *testing.T) {
	g := random(t, rand.New(rand.NewPCG(1, 2)), 500, 20_000, false)
	for _, narrow := range []uint32{0, 3, cuda.AsPays - 1} {
		e := open(t, cuda.Options{})
		e.ColumnAll(narrow)
		columned(t, e, g, chorus{&census[int32]{combine: pregel.Any[int32]()}})
	}
}

// Where there is no room for columns, narrow or wide, a run does without, or says what
// there was no room for; nothing is lost.
func TestColumnsWithoutRoom(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 6))
	g := random(t, r, 300, 4000, false)
	e := open(t, cuda.Options{})
	for _, narrow := range []uint32{0, 5} {
		e.ColumnAll(narrow)
		c := &census[int32]{combine: pregel.Sum[int32]()}
		columned(t, e, g, c)
		whole, made := e.Used(), e.Made()["arcs in columns"]
		if made == 0 {
			t.Fatalf("no columns with %d narrow", narrow)
		}
		for _, without := range []uint64{1, 1 + r.Uint64N(made)} {
			nothingLost(t, e, "columns")
			e.Memory = whole - without
			columned(t, e, g, c)
			if left := e.Made()["arcs in columns"]; left != 0 {
				t.Errorf("%d narrow: columns of %d bytes in %d bytes less than %d with %d of them", narrow, left, without, whole, made)
			}
			e.Memory = 0
		}
		nothingLost(t, e, "columns")
	}
}
