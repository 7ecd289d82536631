// Package reference has a plain Go form of kernels: the same steps one after the
// other, for tests to compare with and for trying out what a kernel decides.
package reference

import (
	"math/rand/v2"
	"slices"

	"gopregel/pregel/graph"
)

// NearFar is kernels/sssp.cu without threads, for weights that are whole
// numbers of at least 0.
type NearFar struct {
	Graph *graph.Graph
	Base  int64 // least width of a window
	Adapt bool  // wider ones are allowed
	// Rand orders the vertices of a round and decides how many of them look at
	// their distances before the first of them relaxes its arcs. Without it they
	// all do, in the order of the list.
	Rand *rand.Rand
	// Round, if set, is told of each round: the vertices and the arcs of the list
	// (0: a look for the next window), and the width of the window.
	Round func(vertices, arcs int, width int64)

	dist         []int64
	lo, hi, wide int64
	listed       []bool
	next         []uint32
}

// Far is the distance of a vertex that is not reached.
const Far = 1<<63 - 1

// What a round's load is to the width of windows, as in the kernel.
const (
	light = 4 << 10
	full  = 16 << 10
	heavy = 96 << 10
	chunk = 256
	few   = 128
)

// Distances returns those from the source.
func (r *NearFar) Distances(source uint32) []int64 {
	r.dist = slices.Repeat([]int64{Far}, r.Graph.N())
	r.listed = make([]bool, r.Graph.N())
	r.dist[source] = 0
	r.lo, r.hi, r.wide = 0, r.Base, r.Base
	near, load, rounds := []uint32{source}, 0, 0
	for {
		if len(near) > 0 {
			now := r.load(near)
			if r.Adapt && now > heavy && r.wide > r.Base {
				r.wide = max(r.Base, r.wide/2)
				r.hi = min(r.hi, r.lo+r.wide)
			}
			load, rounds = load+now, rounds+1
			near = r.relax(near)
			continue
		}
		if rounds > 0 {
			r.adapt(load, rounds)
		}
		load, rounds = 0, 0
		if near = r.window(); near == nil {
			return r.dist
		}
	}
}

func (r *NearFar) adapt(load, rounds int) {
	switch {
	case !r.Adapt:
	case load < light*rounds:
		r.wide *= 2
	case load > full*rounds:
		r.wide = max(r.Base, r.wide/2)
	}
}

// load is that of a list, as the kernel counts it.
func (r *NearFar) load(list []uint32) (load int) {
	for _, v := range list {
		if d := int(r.Graph.Out().Degree(v)); d > few {
			load += 8 * ((d + chunk - 1) / chunk)
		} else {
			load++
		}
	}
	return load
}

// relax relaxes the arcs of a list and returns the next.
func (r *NearFar) relax(list []uint32) []uint32 {
	arcs := 0
	if r.Rand != nil {
		r.Rand.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	}
	r.next = nil
	for len(list) > 0 {
		together := len(list)
		if r.Rand != nil {
			together = 1 + r.Rand.IntN(len(list))
		}
		seen := make([]int64, together)
		for i, v := range list[:together] {
			seen[i] = r.dist[v]
		}
		for i, v := range list[:together] {
			if seen[i] < r.hi {
				arcs += r.offer(v, seen[i])
			}
		}
		list = list[together:]
	}
	for _, v := range r.next {
		r.listed[v] = false
	}
	if r.Round != nil {
		r.Round(max(1, len(r.next)), arcs, r.wide)
	}
	return r.next
}

// offer relaxes the arcs of v, whose distance was seen to be d.
func (r *NearFar) offer(v uint32, d int64) (arcs int) {
	out := r.Graph.Out()
	for i, u := range out.Neighbors(v) {
		w := int64(1)
		if out.Weights.Int != nil {
			w = int64(out.Weights.Int[out.Offsets.At(v)+uint64(i)])
		}
		if d+w >= r.dist[u] {
			continue
		}
		r.dist[u] = d + w
		if d+w < r.hi && !r.listed[u] {
			r.listed[u] = true
			r.next = append(r.next, u)
		}
	}
	return int(out.Degree(v))
}

// window moves on to the next distances that occur and returns their vertices.
func (r *NearFar) window() (near []uint32) {
	r.lo = r.hi
	for {
		r.hi = r.lo + r.wide
		least := int64(Far)
		for v, d := range r.dist {
			if d >= r.lo && d < r.hi {
				near = append(near, uint32(v))
			} else if d >= r.hi {
				least = min(least, d)
			}
		}
		if r.Round != nil {
			r.Round(0, 0, r.wide)
		}
		if near != nil || least == Far {
			return near
		}
		r.lo = least
	}
}
