package wcc

import (
	"context"
	"sync/atomic"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
	"gopregel/programs/internal/phase"
)

// sampled is the number of arcs of each vertex that are looked at first.
const sampled = 2

// In graphs of so many arcs a vertex the first arcs of the vertices are looked at
// once, as they lie on cache lines of their own; in thinner ones twice.
const dense = 8

// A joining is a run in phases. Invariant, from the end of the first phase on:
// root[v] <= v, and following roots from v ends at a vertex of v's component.
type joining struct {
	*phase.Run
	g      *graph.Graph
	root   []uint32
	looked int    // first arcs of all vertices that the first phases look at; 0 is always safe
	hub    *hub   // nil: none, or no longer asked for
	most   uint32 // root of the component that most vertices seem to be in, when all are joined
	// Counted by the last phase: roots, and the vertices under most.
	roots, members atomic.Uint64

	at struct {
		Step    int    // phases done
		Largest uint32 // root of the largest component, as far as is seen; None: every arc is looked at
	}
}

// afforest joins roots, and returns what it has counted, too.
func afforest(ctx context.Context, j *pregel.Job) (pregel.Result[uint32], counted, error) {
	w := &joining{Run: phase.New(ctx, j), g: j.Graph, root: mem.Make[uint32](j.Graph.N())}
	w.at.Largest = graph.None
	if _, err := j.Continue(&w.at, &w.root); err != nil {
		return pregel.Result[uint32]{}, counted{}, err
	}
	workers := j.Engine.Pool().Workers()
	list := append(w.first(workers), w.rest(),
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
		if w.step(p) {
			w.at.Step++
		}
	}
}

// A part is a phase: what is done for the vertices from lo to hi, and why.
type part struct {
	why    pregel.Choice
	before func(why *pregel.Choice) // what is done before; nil: nothing
	do     func(lo, hi uint32) tally
}

// tally counts arcs that were read, and compare-and-swaps; at the end the roots, and the
// vertices of the component that most seem to be in.
type tally struct{ arcs, atomics, roots, members uint64 }

func (w *joining) step(p part) bool {
	a := pregel.Account{Widths: widths, Why: p.why}
	return w.Vertices("wcc", a, func(lo, hi uint32, k *pregel.Worker) {
		t := p.do(lo, hi)
		k.Arcs += t.arcs
		k.Atomics += t.atomics
		if t.roots|t.members != 0 {
			w.roots.Add(t.roots)
			w.members.Add(t.members)
		}
	})
}

// first are the phases that join the vertices along their first arcs, or to a hub. A
// run that goes on after them need not know which they were: it looks at all arcs
// again where there may have been a hub.
func (w *joining) first(workers int) []part {
	out := w.g.Out()
	why := pregel.Choice{Rule: oneByOne, Have: out.Arcs(), Limit: dense * uint64(w.g.N())}
	if w.looked = sampled; why.Have < why.Limit {
		return []part{
			{why: why, do: func(lo, hi uint32) tally { return hook(out, w.root, lo, hi) }},
			{why: why, do: func(lo, hi uint32) tally { return joinSecond(out, w.root, lo, hi) }},
		}
	}
	if near, ok := w.toHub(); ok {
		w.looked = 0
		return []part{near}
	}
	if w.at.Step == 0 {
		w.alone(workers)
	}
	why.Rule = together
	return []part{{why: why, do: func(lo, hi uint32) tally { return joinFirst(out, w.root, lo, hi) }}}
}

// toHub is the phase that joins vertices to a hub, if there is one, or was, perhaps, in
// a run that goes on after it. In a directed graph those with many out-arcs are not
// found at the ends of arcs.
func (w *joining) toHub() (part, bool) {
	if w.g.Directed() || w.at.Step > 0 {
		return part{}, !w.g.Directed()
	}
	out := w.g.Out()
	h, near, of := findHub(out)
	w.hub = h
	return part{
		why: pregel.Choice{Rule: toHub, Have: near, Limit: of},
		do:  func(lo, hi uint32) tally { return h.attach(out, w.root, lo, hi) },
	}, h != nil
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
		if w.hub != nil {
			mem.Give(w.hub.joined)
			w.hub = nil
		}
		if w.g.HasIn() {
			*why = pregel.Choice{Rule: skips, Limit: samples}
			w.at.Largest, why.Have = mostSeen(w.root)
		}
	}}
	p.do = func(lo, hi uint32) tally { return joinRest(w.g, w.root, lo, hi, w.at.Largest, w.looked) }
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
