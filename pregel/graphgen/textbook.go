package graphgen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopregel/pregel/graph"
)

// The graphs of textbooks, one line a vertex: its id, then its neighbours with
// their weights. Undirected edges are listed once.
const (
	// W. Zachary: An information flow model for conflict and fission in small
	// groups, J. Anthropological Research 33, 1977.
	karate = `
		1: 2 3 4 5 6 7 8 9 11 12 13 14 18 20 22 32
		2: 3 4 8 14 18 20 22 31
		3: 4 8 9 10 14 28 29 33
		4: 8 13 14
		5: 7 11
		6: 7 11 17
		7: 17
		9: 31 33 34
		10: 34
		14: 34
		15: 33 34
		16: 33 34
		19: 33 34
		20: 34
		21: 33 34
		23: 33 34
		24: 26 28 30 33 34
		25: 26 28 32
		26: 32
		27: 30 34
		28: 34
		29: 32 34
		30: 33 34
		31: 33 34
		32: 33 34
		33: 34`

	// J. Petersen: Sur le théorème de Tait, 1898: a pentagon, a pentagram and
	// the five edges between them.
	petersen = `
		0: 1 4 5
		1: 2 6
		2: 3 7
		3: 4 8
		4: 9
		5: 7 8
		6: 8 9
		7: 9`

	// T. Cormen, C. Leiserson, R. Rivest, C. Stein: Introduction to
	// Algorithms, 3rd edition: figure 22.3,
	clrsBFS = `
		r: s v
		s: w
		t: u w x
		u: x y
		w: x
		x: y`
	// figure 22.9,
	clrsSCC = `
		a: b
		b: c e f
		c: d g
		d: c h
		e: a f
		f: g
		g: f h
		h: h`
	// figure 23.1,
	clrsMST = `
		a: b/4 h/8
		b: c/8 h/11
		c: d/7 f/4 i/2
		d: e/9 f/14
		e: f/10
		f: g/2
		g: h/1 i/6
		h: i/7`
	// figure 24.4
	clrsBellmanFord = `
		s: t/6 y/7
		t: x/5 y/8 z/-4
		x: t/-2
		y: x/-3 z/9
		z: s/2 x/7`
	// and figure 24.6.
	clrsSSSP = `
		s: t/10 y/5
		t: x/1 y/2
		x: z/4
		y: t/3 x/9 z/2
		z: s/7 x/6`
)

// listed is a generator of edges written down.
type listed struct {
	edges []graph.Arc
}

func (l listed) units() uint64 { return uint64(len(l.edges)) }
func (l listed) grain() int    { return blockEdges }

func (l listed) fill(b *block, lo, hi uint64) {
	for _, e := range l.edges[lo:hi] {
		b.add(e.U, e.V)
		b.w = append(b.w, e.W)
	}
}

func openText(text string) func(Spec, bool) (graph.IDs, generator, error) {
	return func(Spec, bool) (graph.IDs, generator, error) {
		edges, err := parseText(text)
		if err != nil {
			return graph.IDs{}, nil, err
		}
		ids, err := textIDs(edges)
		if err != nil {
			return graph.IDs{}, nil, err
		}
		var list listed
		for _, e := range edges {
			u, err := ids.Parse(e.u)
			if err != nil {
				return graph.IDs{}, nil, err
			}
			v, err := ids.Parse(e.v)
			if err != nil {
				return graph.IDs{}, nil, err
			}
			list.edges = append(list.edges, graph.Arc{U: u, V: v, W: e.w})
		}
		return ids, list, nil
	}
}

type textEdge struct {
	u, v string
	w    int32
}

func parseText(text string) (edges []textEdge, err error) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		u, rest, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			return nil, fmt.Errorf("line %q has no colon", line)
		}
		for _, word := range strings.Fields(rest) {
			v, weight, weighted := strings.Cut(word, "/")
			e := textEdge{u: u, v: v, w: 1}
			if weighted {
				w, err := strconv.ParseInt(weight, 10, 32)
				if err != nil {
					return nil, fmt.Errorf("line %q: weight %q", line, weight)
				}
				e.w = int32(w)
			}
			edges = append(edges, e)
		}
	}
	return edges, nil
}

// textIDs returns the ids of the ends: numbers if all are, else strings.
func textIDs(edges []textEdge) (graph.IDs, error) {
	var names []string
	var numbers []uint64
	for _, e := range edges {
		for _, name := range []string{e.u, e.v} {
			names = append(names, name)
			if x, err := strconv.ParseUint(name, 10, 64); err == nil {
				numbers = append(numbers, x)
			}
		}
	}
	if len(numbers) == len(names) {
		slices.Sort(numbers)
		return graph.NumberIDs(slices.Compact(numbers))
	}
	slices.Sort(names)
	return graph.NameIDs(slices.Compact(names))
}
