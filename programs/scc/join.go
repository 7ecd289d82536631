package scc

import (
	"context"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file joins the parts that districts.go has found, by their bridges.

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
	for i := range sizes {
		sizes[i] = 1
	}
	for _, s := range w.parts.sizes {
		if i := numbers[s.Name]; i != graph.None {
			sizes[i] = int(s.Size)
		}
	}
	joined := make([]uint32, len(names))
	mem.Fill(joined, graph.None)
	finish(ctx, csr(len(names), bridges), joined)
	w.settle(ctx, names, sizes, joined)
}

// csr returns the graph of parts.
func csr(n int, bridges []bridge) graph.CSR {
	offsets, targets := make([]uint64, n+2), make([]uint32, len(bridges))
	for _, b := range bridges {
		offsets[b.From+2]++
	}
	for i := range n {
		offsets[i+2] += offsets[i+1]
	}
	for _, b := range bridges {
		targets[offsets[b.From+1]] = b.To
		offsets[b.From+1]++
	}
	return graph.CSR{Offsets: graph.OffsetsOf(offsets[:n+1]), Targets: targets}
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
