package graphio

import (
	"fmt"
	"math/bits"
	"sync/atomic"

	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// isolation counts the vertices without arcs.
type isolation struct {
	all      int
	trailing int // those behind the last vertex with an arc
}

func vertices(n int) string {
	if n == 1 {
		return "1 vertex has"
	}
	return fmt.Sprintf("%d vertices have", n)
}

// isolated goes through the arcs once; of a directed graph it marks both ends
// in a bitmap, so that the in-arcs need not be made.
func (o *output) isolated() isolation {
	c, n := o.graph.Out(), o.graph.N()
	met := mem.Make[uint32]((n + 31) / 32)
	parallel.Range(o.Workers, n, 1<<14, func(_, lo, hi int) {
		for u := lo; u < hi; u++ {
			if c.Degree(uint32(u)) > 0 {
				mark(met, uint32(u))
			}
		}
	})
	if o.graph.Directed() {
		parallel.Range(o.Workers, len(c.Targets), 1<<16, func(_, lo, hi int) {
			for _, v := range c.Targets[lo:hi] {
				mark(met, v)
			}
		})
	}
	last, count := -1, 0
	for i, x := range met {
		count += bits.OnesCount32(x)
		if x != 0 {
			last = 32*i + bits.Len32(x) - 1
		}
	}
	return isolation{all: n - count, trailing: n - 1 - last}
}

func mark(bitmap []uint32, v uint32) {
	word, bit := &bitmap[v/32], uint32(1)<<(v%32)
	if atomic.LoadUint32(word)&bit == 0 {
		atomic.OrUint32(word, bit)
	}
}

// findArc returns an arc of which f holds, or -1.
func (o *output) findArc(f func(i int) bool) int {
	var found atomic.Int64
	found.Store(-1)
	parallel.Range(o.Workers, int(o.graph.Arcs()), 1<<16, func(_, lo, hi int) {
		for i := lo; i < hi && found.Load() < 0; i++ {
			if f(i) {
				found.Store(int64(i))
			}
		}
	})
	return int(found.Load())
}
