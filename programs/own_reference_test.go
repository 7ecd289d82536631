package programs_test

import (
	"container/heap"
	"math"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// What BenchmarkOwn times is held to plain loops on the same graph, and the built-in programs, whose columns are made
// then, too, to their certificates: once for each line, outside of the time.

// A reference has a number for each vertex: those of the programs that begin so are these.
type reference struct {
	g    *graph.Graph
	from uint32
	made map[string][]float64
}

// of returns the numbers by name, made when they are first asked for.
func (r *reference) of(name string) []float64 {
	plain := map[string]func(*graph.Graph, uint32) []float64{"pagerank": plainRanks, "bfs": plainHops, "sssp": plainLengths}
	if r.made[name] == nil {
		r.made[name] = plain[name](r.g, r.from)
	}
	return r.made[name]
}

// plainRanks are ten iterations of ranks.
func plainRanks(g *graph.Graph, _ uint32) []float64 {
	x := make([]float64, g.N())
	for v := range x {
		x[v] = 1
	}
	for range 10 {
		sums := make([]float64, g.N())
		for u, rank := range x {
			row := g.Out().Neighbors(uint32(u))
			for _, v := range row {
				sums[v] += rank / float64(len(row))
			}
		}
		for v, sum := range sums {
			x[v] = 0.15 + 0.85*sum
		}
	}
	return x
}

// plainHops are the arcs from a vertex to each.
func plainHops(g *graph.Graph, from uint32) []float64 {
	hops := unreached(g.N(), math.MaxUint32)
	hops[from] = 0
	for queue := []uint32{from}; len(queue) > 0; queue = queue[1:] {
		for _, v := range g.Out().Neighbors(queue[0]) {
			if hops[v] == math.MaxUint32 {
				hops[v] = hops[queue[0]] + 1
				queue = append(queue, v)
			}
		}
	}
	return hops
}

// plainLengths are those of shortest paths from a vertex, by Dijkstra's algorithm.
func plainLengths(g *graph.Graph, from uint32) []float64 {
	lengths := unreached(g.N(), math.Inf(1))
	lengths[from] = 0
	for next := (&nearest{{from, 0}}); next.Len() > 0; {
		u := heap.Pop(next).(reached)
		if u.length > lengths[u.v] {
			continue
		}
		begin, end := g.Out().Offsets.Row(u.v)
		for i := begin; i < end; i++ {
			v, length := g.Out().Targets[i], u.length+g.Out().Weights.At(i)
			if length < lengths[v] {
				lengths[v] = length
				heap.Push(next, reached{v, length})
			}
		}
	}
	return lengths
}

func unreached(n int, far float64) []float64 {
	list := make([]float64, n)
	for v := range list {
		list[v] = far
	}
	return list
}

type reached struct {
	v      uint32
	length float64
}

// nearest is a heap.
type nearest []reached

func (h nearest) Len() int           { return len(h) }
func (h nearest) Less(i, k int) bool { return h[i].length < h[k].length }
func (h nearest) Swap(i, k int)      { h[i], h[k] = h[k], h[i] }
func (h *nearest) Push(x any)        { *h = append(*h, x.(reached)) }
func (h *nearest) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// holds compares values with the numbers of a reference: sums in another order differ by rounding.
func holds[V pregel.Number](t testing.TB, values []V, want []float64) {
	t.Helper()
	if len(values) != len(want) {
		t.Fatalf("%d values for %d vertices", len(values), len(want))
	}
	for v, x := range values {
		if !near(float64(x), want[v]) {
			t.Fatalf("vertex %d has %v, want %v", v, x, want[v])
		}
	}
}

func near(x, want float64) bool {
	return x == want || !math.IsInf(want, 0) && math.Abs(x-want) <= 1e-12*want
}

// What is infinitely far is near nothing else.
func TestNear(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		x, want float64
		near    bool
	}{{3, 3, true}, {3 + 1e-12, 3, true}, {3 + 1e-9, 3, false}, {inf, inf, true}, {3, inf, false}, {-inf, inf, false}, {inf, 3, false}, {nan, 3, false}, {nan, inf, false}, {0, 0, true}, {1e-300, 0, false}} {
		if near(c.x, c.want) != c.near {
			t.Errorf("%v and %v: near %v", c.x, c.want, !c.near)
		}
	}
}
