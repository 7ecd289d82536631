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
// small graph of parts, of which one worker finds the components. The search itself knows
// them: an arc to a vertex that waits, or is on the path, leads within a component.
//
// Invariant: names[v] is the least vertex of v's part.
// Cost: O(n + m), each arc read once.

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

// divide searches the districts. What is found is dropped as soon as there are too many
// bridges to be of use: where each vertex is a part it would be larger than the graph.
func (w *work) divide() {
	out := w.job.Graph.Out()
	bounds, limit := w.asked.bounds(out), out.Arcs()/bridgeShare
	found := make([]tarjan, len(bounds)-1)
	var bridges atomic.Uint64
	w.parts.names = mem.Take[uint32](w.job.Graph.N())
	a := account(componentBytes+indexBytes, indexBytes, w.at.Led)
	if !w.Items("scc districts", len(found), a, func(i int, k *pregel.Worker) {
		t := &found[i]
		t.out, t.lo = out, bounds[i]
		if bridges.Load() <= limit {
			t.most = limit
		}
		t.district(w.parts.names[bounds[i]:bounds[i+1]])
		if bridges.Add(t.count) > limit {
			t.sizes, t.bridges = nil, nil
		}
		k.Arcs += out.Offsets.Between(bounds[i], bounds[i+1])
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
func (w *work) gather(found []tarjan) {
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

// district finds the parts of a district, and its bridges.
func (t *tarjan) district(names []uint32) {
	mem.Fill(names, graph.None)
	t.begin(names, len(names), false)
	t.below = unseen - uint32(len(names))
	t.all(context.Background())
	t.end()
	for i := range t.bridges {
		b := &t.bridges[i]
		b.From = names[b.From]
	}
}

func (d *districts) giveBack() {
	mem.Give(d.names)
	*d = districts{}
}
