package scc

import (
	"cmp"
	"context"
	"sync/atomic"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file finds the components of thin graphs by all workers, where most arcs lead to
// vertices near by in number, as on grids and road maps. Vertices are cut into
// districts. Each is searched by itself, as if there were no arcs to others: what is
// found are parts of components. The arcs between different parts, the bridges, make a
// small graph of parts, of which one worker finds the components.
//
// Invariant: names[v] is the least vertex of v's part.
// Cost: O(n + m), and twice each arc read.

const (
	districtArcs   = 1 << 18 // of a district, about
	leastDistricts = 4
	// Parts are joined where of so many arcs one is a bridge.
	bridgeShare = 4
)

// districts are what is known of the graph's parts.
type districts struct {
	names   []uint32 // of parts
	sizes   []sized  // of all parts
	bridges []bridge
}

// sized is a part, or a component, by its name.
type sized struct{ Name, Size uint32 }

// A bridge is an arc from a part to a vertex of another.
type bridge struct{ From, To uint32 }

func (s *SCC) bounds(out graph.CSR) []uint32 {
	return out.Cut(cmp.Or(s.arcs, districtArcs), pregel.BlockSize)
}

// A district is what its search has found.
type district struct {
	tarjan
	bridges []bridge
}

// divide searches the districts. What is found is dropped as soon as there are too many
// bridges to be of use: where each vertex is a part it would be larger than the graph.
func (w *work) divide() {
	out := w.job.Graph.Out()
	bounds, limit := w.asked.bounds(out), out.Arcs()/bridgeShare
	found := make([]district, len(bounds)-1)
	var bridges atomic.Uint64
	w.parts.names = mem.Take[uint32](w.job.Graph.N())
	a := account(componentBytes+indexBytes, indexBytes, w.at.Led)
	if !w.Items("scc districts", len(found), a, func(i int, k *pregel.Worker) {
		d := &found[i]
		d.out, d.lo = out, bounds[i]
		keeps := bridges.Load() <= limit
		if keeps {
			d.sizes = []sized{}
		}
		names := w.parts.names[bounds[i]:bounds[i+1]]
		d.search(names)
		if bridges.Add(d.look(names, keeps)) > limit {
			d.sizes, d.bridges = nil, nil
		}
		k.Arcs += 2 * (out.Offsets[bounds[i+1]] - out.Offsets[bounds[i]])
	}) {
		return
	}
	if have := bridges.Load(); have > limit {
		w.parts.giveBack()
		w.rest(led{manyBridges, have, limit})
	} else {
		w.gather(found)
		w.at.Stage, w.at.Led = joining, led{fewBridges, have, limit}
	}
}

// gather puts together what was found in all districts.
func (w *work) gather(found []district) {
	parts, bridges := 0, 0
	for i := range found {
		d := &found[i]
		parts, bridges = parts+len(d.sizes), bridges+len(d.bridges)
		w.at.Found.add(d.at.Found.Components, d.at.Found.Largest)
	}
	w.parts.sizes, w.parts.bridges = make([]sized, 0, parts), make([]bridge, 0, bridges)
	for i := range found {
		d := &found[i]
		w.parts.sizes, w.parts.bridges = append(w.parts.sizes, d.sizes...), append(w.parts.bridges, d.bridges...)
		d.sizes, d.bridges = nil, nil
	}
}

// search finds the parts.
func (d *district) search(names []uint32) {
	fillNone(names)
	d.begin(names, len(names), false)
	d.all(context.Background())
	d.end()
}

// look counts the bridges, and keeps them if asked to. The rows are in the cache of who
// has searched them.
func (d *district) look(names []uint32, keeps bool) (count uint64) {
	for i, name := range names {
		for _, v := range d.out.Neighbors(d.lo + uint32(i)) {
			if k := v - d.lo; int(k) >= len(names) || names[k] != name {
				if count++; keeps {
					d.bridges = append(d.bridges, bridge{name, v})
				}
			}
		}
	}
	return count
}

// join finds the components of parts that bridges join.
func (w *work) join() {
	if w.Serial("scc join", account(componentBytes, componentBytes, w.at.Led), func(ctx context.Context, k *pregel.Worker) {
		k.Arcs += uint64(len(w.parts.bridges))
		w.joinParts(ctx)
	}) {
		w.at.Stage = naming
	}
}

// joinParts gives components to the vertices after which parts with bridges are named.
// If the context ends it gives none.
func (w *work) joinParts(ctx context.Context) {
	numbers := w.component // of parts, until they have components
	var names []uint32     // of parts, by number
	number := func(name uint32) uint32 {
		if numbers[name] == graph.None {
			numbers[name] = uint32(len(names))
			names = append(names, name)
		}
		return numbers[name]
	}
	bridges := make([]bridge, len(w.parts.bridges))
	for i, b := range w.parts.bridges {
		bridges[i] = bridge{number(b.From), number(w.parts.names[b.To])}
	}
	sizes := make([]int, len(names))
	for _, s := range w.parts.sizes {
		if i := numbers[s.Name]; i != graph.None {
			sizes[i] = int(s.Size)
		}
	}
	joined := make([]uint32, len(names))
	fillNone(joined)
	finish(ctx, csr(len(names), bridges), joined)
	w.settle(ctx, names, sizes, joined)
}

// csr returns the graph of parts.
func csr(n int, bridges []bridge) graph.CSR {
	c := graph.CSR{Offsets: make([]uint64, n+2), Targets: make([]uint32, len(bridges))}
	for _, b := range bridges {
		c.Offsets[b.From+2]++
	}
	for i := range n {
		c.Offsets[i+2] += c.Offsets[i+1]
	}
	for _, b := range bridges {
		c.Targets[c.Offsets[b.From+1]] = b.To
		c.Offsets[b.From+1]++
	}
	c.Offsets = c.Offsets[:n+1]
	return c
}

// settle turns the components of parts, by number, into those of the vertices that
// parts are named after, and counts them.
func (w *work) settle(ctx context.Context, names []uint32, sizes []int, joined []uint32) {
	if ctx.Err() != nil {
		for _, name := range names {
			w.component[name] = graph.None
		}
		return
	}
	w.at.Found.Components -= len(names)
	least, size := make([]uint32, len(names)), make([]int, len(names))
	for i, c := range joined {
		if size[c] == 0 {
			w.at.Found.Components++
			least[c] = names[i]
		}
		least[c] = min(least[c], names[i])
		size[c] += sizes[i]
		w.at.Found.Largest = max(w.at.Found.Largest, size[c])
	}
	for i, c := range joined {
		w.component[names[i]] = least[c]
	}
}

// name gives every vertex the component of its part: that of the vertex after which
// the part is named, if there is one, and else that vertex.
func (w *work) name() {
	component, names := w.component, w.parts.names
	if w.Vertices("scc name", account(componentBytes, componentBytes, led{}), func(lo, hi uint32, _ *pregel.Worker) {
		for v := lo; v < hi; v++ {
			name := names[v]
			c := mem.Load(&component[name])
			if c == graph.None {
				c = name
			}
			mem.Store(&component[v], c)
		}
	}) {
		w.parts.giveBack()
		w.at.Stage = done
	}
}

func (d *districts) giveBack() {
	mem.Give(d.names)
	*d = districts{}
}
