package soak

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopregel/pregel/graph"
)

func firstWord(line string) string {
	word, _, _ := strings.Cut(line, " ")
	return word
}

// An arc is one as its file says it.
type arc struct {
	u, v   string
	weight float64
}

// sameAsLines holds a graph to its lines, read again here, slowly and plainly.
func (c *checker) sameAsLines(g *graph.Graph) error {
	want, ids, err := c.arcs()
	if err != nil {
		return err
	}
	if g.N() != len(ids) {
		return fmt.Errorf("%d vertices, want %d", g.N(), len(ids))
	}
	for v := range uint32(g.N()) {
		if text := g.IDs().Text(v); !ids[text] {
			return fmt.Errorf("a vertex %q, which is on no line", text)
		}
	}
	got := arcsOf(g)
	if len(got) != len(want) {
		return fmt.Errorf("%d arcs, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			return fmt.Errorf("the arc %v, want %v", got[i], want[i])
		}
	}
	return nil
}

// arcs makes of the lines the arcs that the graph must have, in order, and its ids.
func (c *checker) arcs() (list []arc, ids map[string]bool, err error) {
	ids = map[string]bool{}
	largest := -1
	for _, line := range c.Graph.Lines {
		words := strings.Fields(line)
		a := arc{u: words[0], v: words[1]}
		if len(words) == 3 {
			if a.weight, err = strconv.ParseFloat(words[2], 64); err != nil {
				return nil, nil, err
			}
		}
		for _, end := range words[:2] {
			ids[end] = true
			if n, err := strconv.Atoi(end); err == nil {
				largest = max(largest, n)
			}
		}
		if a.u == a.v && c.Graph.Loops == "drop" {
			continue
		}
		list = append(list, a)
	}
	if c.Graph.Vertices == "range" {
		for v := range largest + 1 {
			ids[strconv.Itoa(v)] = true
		}
	}
	if c.Graph.Duplicates == "min" {
		list = leastOf(list, c.Graph.Directed)
	}
	if !c.Graph.Directed {
		for _, a := range slices.Clone(list) {
			if a.u != a.v {
				list = append(list, arc{a.v, a.u, a.weight})
			}
		}
	}
	slices.SortFunc(list, byEnds)
	return list, ids, nil
}

// leastOf keeps the lightest of parallel arcs, or edges.
func leastOf(list []arc, directed bool) []arc {
	least := map[[2]string]float64{}
	for _, a := range list {
		ends := [2]string{a.u, a.v}
		if !directed && ends[0] > ends[1] {
			ends = [2]string{a.v, a.u}
		}
		if w, ok := least[ends]; !ok || a.weight < w {
			least[ends] = a.weight
		}
	}
	list = list[:0]
	for ends, w := range least {
		list = append(list, arc{ends[0], ends[1], w})
	}
	return list
}

func byEnds(a, b arc) int {
	switch {
	case a.u != b.u:
		return strings.Compare(a.u, b.u)
	case a.v != b.v:
		return strings.Compare(a.v, b.v)
	case a.weight != b.weight:
		return map[bool]int{true: -1, false: 1}[a.weight < b.weight]
	}
	return 0
}

// arcsOf lists the arcs of a graph in the same order.
func arcsOf(g *graph.Graph) []arc {
	var list []arc
	out := g.Out()
	for u := range uint32(g.N()) {
		for e := out.Offsets.At(u); e < out.Offsets.At(u+1); e++ {
			a := arc{u: g.IDs().Text(u), v: g.IDs().Text(out.Targets[e])}
			if g.Weighted() != graph.Unweighted {
				a.weight = out.Weights.At(e)
			}
			list = append(list, a)
		}
	}
	slices.SortFunc(list, byEnds)
	return list
}

// sameGraph wants the same vertices in the same order, and the same arcs.
func sameGraph(got, want *graph.Graph) error {
	if got.N() != want.N() || got.Directed() != want.Directed() || got.Weighted() != want.Weighted() && want.Arcs() > 0 {
		return fmt.Errorf("%d vertices, directed %v, weights %v, want %d, %v, %v", got.N(), got.Directed(), got.Weighted(), want.N(), want.Directed(), want.Weighted())
	}
	for v := range uint32(want.N()) {
		if x, y := got.IDs().Text(v), want.IDs().Text(v); x != y {
			return fmt.Errorf("vertex %d is called %q, want %q", v, x, y)
		}
	}
	a, b := arcsOf(got), arcsOf(want)
	if len(a) != len(b) {
		return fmt.Errorf("%d arcs, want %d", len(a), len(b))
	}
	for i := range b {
		if a[i] != b[i] {
			return fmt.Errorf("the arc %v, want %v", a[i], b[i])
		}
	}
	return nil
}
