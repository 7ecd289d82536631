package wcc

import (
	"context"
	"sync/atomic"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
	"gopregel/programs/internal/census"
	"gopregel/programs/internal/phase"
)

// sampled is the number of arcs of each vertex that are looked at first.
const sampled = 2

// In graphs of so many arcs a vertex a hub is looked for.
const dense = 8

// The first phase has pieces of up to so many vertices, of which it joins neighbours at
// once, and that many of them, so that all workers have some.
const (
	mostPiece  = 1 << 14
	leastPiece = 1 << 10
	pieces     = 16
)

// A joining is a run in phases. Invariant, from the end of the first phase on:
// root[v] <= v, and following roots from v ends at a vertex of v's component.
type joining struct {
	*phase.Run
	g     *graph.Graph
	root  []uint32
	later []uint32 // what hook notes; nil: nothing, or done with
	hub   *hub     // nil: none, or no longer asked for
	most  uint32   // root of the component that most vertices seem to be in, when all are joined
	// Counted by the last phase: roots, and the vertices under most.
	roots, members atomic.Uint64

	at struct {
		Step    int    // phases done
		Largest uint32 // root of the largest component, as far as is seen; None: every arc is looked at
	}
}

// afforest joins roots, and returns what it has counted, too.
func afforest(ctx context.Context, j *pregel.Job) (pregel.Result[uint32], counted, error) {
	w := &joining{Run: phase.New(ctx, j), g: j.Graph, root: mem.Take[uint32](j.Graph.N())}
	w.at.Largest = graph.None
	if _, err := j.Continue(&w.at, &w.root); err != nil {
		return pregel.Result[uint32]{}, counted{}, err
	}
	workers := j.Engine.Pool().Workers()
	list := append(w.first(), w.rest(),
		part{before: w.expect, do: func(lo, hi uint32) tally { return compress(w.root, lo, hi, w.most) }})
	w.run(list)
	if w.at.Step == 0 {
		w.alone(workers)
	}
	var known counted
	if w.at.Step == len(list) {
		known = w.counted()
	}
	return pregel.Result[uint32]{Values: w.root, Stop: w.Stop()}, known, w.Err()
}

// run does the parts that are not yet done, as far as it comes.
func (w *joining) run(list []part) {
	for w.at.Step < len(list) && w.Commit(nil, &w.at, &w.root) {
		p := list[w.at.Step]
		if p.before != nil {
			p.before(&p.why)
		}
		w.More = w.at.Step+1 < len(list)
		if w.step(p) {
			w.at.Step++
		}
	}
}

// A part is a phase: what is done for the vertices from lo to hi, and why.
type part struct {
	why    pregel.Choice
	before func(why *pregel.Choice) // what is done before; nil: nothing
	grain  int                      // vertices of a piece; 0: as the engine cuts them
	do     func(lo, hi uint32) tally
}

// tally counts arcs that were read, and compare-and-swaps; at the end the roots, and the
// vertices of the component that most seem to be in.
type tally struct{ arcs, atomics, roots, members uint64 }

func (w *joining) step(p part) bool {
	a := pregel.Account{Widths: widths, Why: p.why}
	do := func(lo, hi uint32, k *pregel.Worker) {
		t := p.do(lo, hi)
		k.Arcs += t.arcs
		k.Atomics += t.atomics
		if t.roots|t.members != 0 {
			w.roots.Add(t.roots)
			w.members.Add(t.members)
		}
	}
	if p.grain == 0 {
		return w.Vertices("wcc", a, do)
	}
	n := len(w.root)
	return w.Items("wcc", (n+p.grain-1)/p.grain, a, func(i int, k *pregel.Worker) {
		do(uint32(i*p.grain), uint32(min(n, (i+1)*p.grain)), k)
	})
}

// first are the phases that join the vertices along their first arcs, or to a hub. The
// phases after them look at all arcs again of vertices that are not in the largest
// component by then, so that nothing has to be known of them.
func (w *joining) first() []part {
	out, n := w.g.Out(), w.g.N()
	why := pregel.Choice{Rule: thin, Have: out.Arcs(), Limit: dense * uint64(n)}
	if why.Have >= why.Limit {
		near, ok := w.toHub()
		if ok {
			return []part{near}
		}
		why = near.why
	}
	if w.at.Step == 0 {
		w.later = mem.Take[uint32](n)
	}
	return []part{
		{
			why: why, grain: max(leastPiece, min(mostPiece, n/pieces/block*block)),
			do: func(lo, hi uint32) tally { return hook(out, w.root, w.later, lo, hi) },
		},
		{why: why, do: func(lo, hi uint32) tally {
			if w.later == nil { // gone on with: what was noted is forgotten
				return tally{}
			}
			return joinLater(w.root, w.later, lo, hi)
		}},
	}
}

// toHub is the phase that joins vertices to a hub, or why there is none. In a directed
// graph those with many out-arcs are not found at the ends of arcs.
func (w *joining) toHub() (part, bool) {
	if w.g.Directed() {
		return part{why: pregel.Choice{Rule: directed}}, false
	}
	out := w.g.Out()
	h, near, of := findHub(out)
	switch {
	case h == nil && of == 0:
		return part{why: pregel.Choice{Rule: noCenter, Limit: hubShare}}, false
	case h == nil:
		return part{why: pregel.Choice{Rule: noHub, Have: near, Limit: of}}, false
	}
	w.hub = h
	return part{
		why: pregel.Choice{Rule: toHub, Have: near, Limit: of},
		do:  func(lo, hi uint32) tally { return h.attach(out, w.root, lo, hi) },
	}, true
}

// forget gives back what only the first phases need.
func (w *joining) forget() {
	if w.hub != nil {
		mem.Give(w.hub.joined)
	}
	mem.Give(w.later)
	w.hub, w.later = nil, nil
}

const piece = 1 << 14 // vertices

// alone makes every vertex a component of its own.
func (w *joining) alone(workers int) {
	parallel.Range(workers, len(w.root), piece, func(_, lo, hi int) {
		for v := lo; v < hi; v++ {
			w.root[v] = uint32(v)
		}
	})
}

// rest is the phase that looks at the rest of the arcs, but for those of the component
// that a sample shows to be the largest.
func (w *joining) rest() part {
	p := part{why: pregel.Choice{Rule: readsAll}, before: func(why *pregel.Choice) {
		w.forget()
		if w.g.HasIn() {
			*why = pregel.Choice{Rule: skips, Limit: census.Samples}
			w.at.Largest, why.Have = mostSeen(w.root)
		}
	}}
	p.do = func(lo, hi uint32) tally { return joinRest(w.g, w.root, lo, hi, w.at.Largest) }
	return p
}

// expect looks for the component that most vertices seem to be in.
func (w *joining) expect(*pregel.Choice) {
	if w.at.Largest != graph.None {
		w.most = find(w.root, w.at.Largest)
		return
	}
	w.most, _ = mostSeen(w.root)
}

// counted is how many components there are, and how many vertices the largest has; zero
// where that is not known.
type counted struct{ components, largest int }

// counted tells what the last phase has counted, if it shows which component is the
// largest: one of more than half of all vertices is.
func (w *joining) counted() counted {
	members := int(w.members.Load())
	if members <= len(w.root)/2 {
		return counted{}
	}
	return counted{int(w.roots.Load()), members}
}
