package reference

import (
	"math/rand/v2"

	"gopregel/pregel/graph"
)

// Components is kernels/wcc.cu without threads. A source of random numbers
// shuffles the vertices of each step and picks the sample.
type Components struct {
	Graph *graph.Graph
	Rand  *rand.Rand

	label []uint32
}

// Run returns the least vertex of the component of each vertex.
func (c *Components) Run() []uint32 {
	n := c.Graph.N()
	c.label = make([]uint32, n)
	for v := range uint32(n) {
		c.label[v] = v
		if list := c.Graph.Out().Neighbors(v); len(list) > 0 {
			c.label[v] = min(v, list[0])
		}
	}
	c.flatten()
	c.each(func(v uint32) {
		list := c.Graph.Out().Neighbors(v)
		c.uniteAll(v, list[:min(2, len(list))])
	})
	c.flatten()
	giant := graph.None
	if !c.Graph.Directed() {
		giant = c.choose()
	}
	c.each(func(v uint32) {
		if c.label[v] != giant {
			c.uniteAll(v, c.Graph.Out().Neighbors(v))
		}
	})
	c.flatten()
	return c.label
}

func (c *Components) each(f func(v uint32)) {
	for _, v := range c.Rand.Perm(len(c.label)) {
		f(uint32(v))
	}
}

func (c *Components) flatten() {
	for v := range c.label {
		c.label[v] = c.root(uint32(v))
	}
}

func (c *Components) root(v uint32) uint32 {
	for c.label[v] != v {
		c.label[v] = c.label[c.label[v]]
		v = c.label[v]
	}
	return v
}

func (c *Components) uniteAll(v uint32, list []uint32) {
	for _, u := range list {
		a, b := c.root(v), c.root(u)
		c.label[max(a, b)] = min(a, b)
	}
}

// choose returns the label most frequent at the ends of 1024 arcs.
func (c *Components) choose() uint32 {
	targets := c.Graph.Out().Targets
	if len(targets) == 0 {
		return graph.None
	}
	count, best := make(map[uint32]int), graph.None
	for range 1024 {
		r := c.label[targets[c.Rand.IntN(len(targets))]]
		count[r]++
		if best == graph.None || count[r] > count[best] {
			best = r
		}
	}
	return best
}
