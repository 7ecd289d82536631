package certify_test

import (
	"slices"
	"testing"

	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
)

// bfs relaxes all arcs until nothing changes.
func bfs(g *graph.Graph, source uint32) (depth, parent []uint32) {
	depth, parent = make([]uint32, g.N()), make([]uint32, g.N())
	for v := range depth {
		depth[v], parent[v] = graph.None, graph.None
	}
	depth[source] = 0
	for changed := true; changed; {
		changed = false
		for _, a := range arcs(g) {
			if depth[a.u] != graph.None && depth[a.u]+1 < depth[a.v] {
				depth[a.v] = depth[a.u] + 1
				changed = true
			}
		}
	}
	for _, a := range arcs(g) {
		if depth[a.u] != graph.None && depth[a.u]+1 == depth[a.v] && a.u < parent[a.v] {
			parent[a.v] = a.u
		}
	}
	return depth, parent
}

// Of all answers there can be on small graphs, one is accepted.
func TestBFSAcceptsOneAnswer(t *testing.T) {
	r, seed := fresh()
	for range race.Times(20) {
		s := randomShape(r, 3)
		g := random(t, r, s)
		source := r.Uint32N(uint32(s.n))
		depth, parent := bfs(g, source)
		every([]uint32{0, 1, 2, 3, graph.None - 1, graph.None}, s.n, func(d []uint32) {
			verdict(t, certify.BFS(t.Context(), g, source, d, nil), slices.Equal(d, depth), "seed %d source %d depths %v, want %v\n%s", seed, source, d, depth, text(g))
			if !slices.Equal(d, depth) && r.IntN(8) != 0 {
				return
			}
			every([]uint32{0, 1, 2, 3, graph.None}, s.n, func(p []uint32) {
				right := slices.Equal(d, depth) && slices.Equal(p, parent)
				verdict(t, certify.BFS(t.Context(), g, source, d, p), right, "seed %d source %d depths %v parents %v, want %v %v\n%s", seed, source, d, p, depth, parent, text(g))
			})
		})
	}
}

// Any parents that are nearer by a step are accepted, and no others, with depths or by the levels of
// the tree alone; a violation names vertices by their ids.
func TestBFSTree(t *testing.T) {
	r, seed := fresh()
	for range race.Times(300) {
		s := randomShape(r, 40)
		g := random(t, r, s)
		source := r.Uint32N(uint32(s.n))
		depth, parent := bfs(g, source)
		for v := range parent {
			if others := nearer(g, depth, uint32(v)); len(others) > 0 {
				parent[v] = others[r.IntN(len(others))]
			}
		}
		level, err := certify.Levels(t.Context(), g, source, parent)
		verdict(t, err, true, "seed %d %s", seed, text(g))
		if !slices.Equal(level, depth) {
			t.Fatalf("seed %d: levels %v, want %v\n%s", seed, level, depth, text(g))
		}
		verdict(t, certify.BFSTree(t.Context(), g, source, depth, parent), true, "seed %d %s", seed, text(g))
		for range 20 {
			p, v := slices.Clone(parent), r.Uint32N(uint32(s.n))
			if p[v] = r.Uint32N(uint32(s.n) + 2); r.IntN(4) == 0 {
				p[v] = graph.None
			}
			right := p[v] == parent[v] || slices.Contains(nearer(g, depth, v), p[v])
			verdict(t, certify.BFSTree(t.Context(), g, source, depth, p), right, "seed %d source %d: %v with %v, was %v\n%s", seed, source, depth, p, parent, text(g))
			level, err := certify.Levels(t.Context(), g, source, p)
			if err == nil {
				err = certify.BFSTree(t.Context(), g, source, level, p)
			}
			verdict(t, err, right, "seed %d source %d: by levels %v with %v, was %v\n%s", seed, source, level, p, parent, text(g))
		}
	}
}

// nearer are the in-neighbours of v that are nearer by a step.
func nearer(g *graph.Graph, depth []uint32, v uint32) (list []uint32) {
	for _, u := range g.In().Neighbors(v) {
		if depth[v] != graph.None && depth[u] != graph.None && depth[u]+1 == depth[v] {
			list = append(list, u)
		}
	}
	return list
}

func TestBFSMutations(t *testing.T) {
	r, seed := fresh()
	for range race.Times(300) {
		s := randomShape(r, 40)
		g := random(t, r, s)
		source := r.Uint32N(uint32(s.n))
		depth, parent := bfs(g, source)
		verdict(t, certify.BFS(t.Context(), g, source, depth, parent), true, "seed %d %s", seed, text(g))
		verdict(t, certify.BFS(t.Context(), g, source, depth, nil), true, "seed %d %s", seed, text(g))
		for range 20 {
			d, p := slices.Clone(depth), slices.Clone(parent)
			v := r.IntN(s.n)
			switch r.IntN(6) {
			case 0:
				d[v]++
			case 1:
				d[v]--
			case 2:
				d[v] = graph.None
			case 3:
				p[v] = r.Uint32N(uint32(s.n) + 2)
			case 4:
				p[v] = graph.None
			case 5: // a whole level too deep
				for u := range d {
					if d[u] != graph.None && d[u] >= depth[v] {
						d[u]++
					}
				}
			}
			sameDepth := slices.Equal(d, depth)
			verdict(t, certify.BFS(t.Context(), g, source, d, p), sameDepth && slices.Equal(p, parent), "seed %d source %d: %v %v, want %v %v\n%s", seed, source, d, p, depth, parent, text(g))
			verdict(t, certify.BFS(t.Context(), g, source, d, nil), sameDepth, "seed %d source %d: %v, want %v\n%s", seed, source, d, depth, text(g))
		}
	}
}
