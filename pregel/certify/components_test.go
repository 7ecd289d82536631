package certify_test

import (
	"context"
	"slices"
	"testing"

	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
)

// reachable is Warshall's transitive closure.
func reachable(g *graph.Graph, bothWays bool) [][]bool {
	n := g.N()
	reach := make([][]bool, n)
	for u := range reach {
		reach[u] = make([]bool, n)
		reach[u][u] = true
	}
	for _, a := range arcs(g) {
		reach[a.u][a.v] = true
		if bothWays {
			reach[a.v][a.u] = true
		}
	}
	for k := range n {
		for u := range n {
			for v := range n {
				if reach[u][k] && reach[k][v] {
					reach[u][v] = true
				}
			}
		}
	}
	return reach
}

// classes labels every vertex with the least that it reaches both ways.
func classes(g *graph.Graph, bothWays bool) []uint32 {
	reach := reachable(g, bothWays)
	label := make([]uint32, g.N())
	for v := range label {
		for u := range v + 1 {
			if reach[u][v] && reach[v][u] {
				label[v] = uint32(u)
				break
			}
		}
	}
	return label
}

type certificate func(ctx context.Context, g *graph.Graph, label []uint32) error

func testClasses(t *testing.T, check certificate, want func(g *graph.Graph) []uint32) {
	r, seed := fresh()
	for range race.Times(60) { // every answer
		g := random(t, r, randomShape(r, 4))
		label := want(g)
		every([]uint32{0, 1, 2, 3, 4, graph.None}, g.N(), func(l []uint32) {
			verdict(t, check(t.Context(), g, l), slices.Equal(l, label), "seed %d: %v, want %v\n%s", seed, l, label, text(g))
		})
	}
	for range race.Times(200) {
		s := randomShape(r, 40)
		g := random(t, r, s)
		label := want(g)
		verdict(t, check(t.Context(), g, label), true, "seed %d: %v\n%s", seed, label, text(g))
		for range 20 {
			l := slices.Clone(label)
			switch v := r.IntN(s.n); r.IntN(4) {
			case 0: // one vertex elsewhere
				l[v] = r.Uint32N(uint32(s.n) + 1)
			case 1: // merge two components
				a, b := l[v], l[r.IntN(s.n)]
				for u := range l {
					if l[u] == max(a, b) {
						l[u] = min(a, b)
					}
				}
			case 2: // split one, each part named after its least vertex
				part := graph.None
				for u := range l {
					if l[u] == label[v] && r.IntN(2) == 0 {
						part = min(part, uint32(u))
						l[u] = part
					}
				}
			case 3: // the right classes, named after another vertex
				for u := range l {
					if l[u] == label[v] {
						l[u] = uint32(v)
					}
				}
			}
			verdict(t, check(t.Context(), g, l), slices.Equal(l, label), "seed %d: %v, want %v\n%s", seed, l, label, text(g))
		}
	}
}

func TestComponents(t *testing.T) {
	testClasses(t, certify.Components, func(g *graph.Graph) []uint32 { return classes(g, true) })
}

func TestSCC(t *testing.T) {
	testClasses(t, certify.SCC, func(g *graph.Graph) []uint32 { return classes(g, false) })
}

// The labels of components of an undirected graph are its strong ones too.
func TestSCCOfUndirectedGraph(t *testing.T) {
	r, seed := fresh()
	for range race.Times(50) {
		s := randomShape(r, 30)
		s.directed = false
		g := random(t, r, s)
		label := classes(g, true)
		verdict(t, certify.SCC(t.Context(), g, label), true, "seed %d", seed)
		verdict(t, certify.Components(t.Context(), g, label), true, "seed %d", seed)
	}
}
