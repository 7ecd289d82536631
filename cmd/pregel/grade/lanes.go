package grade

import (
	"context"
	"fmt"
	"slices"

	"gopregel/pregel/graph"
)

// warpSize is the number of lanes of a warp.
const warpSize = 32

// A warpRun is what one warp does: all its lanes take as many steps as the slowest.
type warpRun struct {
	kind     uint32 // lanes for a vertex
	vertices []uint32
	steps    uint32
	arcs     uint64
	last     bool // of its kind
}

// warps packs vertices, in their order, into warps of vertices with as many lanes
// each.
func warps(lanes []uint32, degree func(v uint32) uint32) (list []warpRun) {
	for kind := uint32(1); kind <= warpSize; kind *= 2 {
		var w warpRun
		for v, k := range lanes {
			if k != kind {
				continue
			}
			d := degree(uint32(v))
			w.kind, w.steps, w.arcs = kind, max(w.steps, (d+kind-1)/kind), w.arcs+uint64(d)
			if w.vertices = append(w.vertices, uint32(v)); len(w.vertices) == int(warpSize/kind) {
				list = append(list, w)
				w = warpRun{}
			}
		}
		if len(w.vertices) > 0 {
			list = append(list, w)
		}
		if len(list) > 0 && list[len(list)-1].kind == kind {
			list[len(list)-1].last = true
		}
	}
	return list
}

// hubs have work for more lanes than the hidden graphs have.
func hubs() []Drawing {
	hub := Drawing{N: 400, Directed: true}
	for v := range 399 {
		hub.Arcs = append(hub.Arcs, graph.Arc{U: uint32(v % 3), V: uint32(v + 1)}, graph.Arc{U: uint32(v), V: uint32(v + 1)})
	}
	path := Drawing{N: 200}
	for v := range 199 {
		path.Arcs = append(path.Arcs, graph.Arc{U: uint32(v), V: uint32(v + 1)})
	}
	return []Drawing{hub, path}
}

var lanes = program{empty: true, more: hubs(), criteria: []criterion{
	ends,
	{name: "allowed", says: "1, 2, 4, 8, 16 or 32 lanes, 0 for a vertex without arcs", hint: "look at the comment above the function lanes",
		miss: func(_ context.Context, t *trial) *Miss {
			column, err := t.lanes()
			if err != nil {
				return &Miss{Found: err.Error(), Wanted: "a column lanes"}
			}
			for v, k := range column {
				d := t.degree(uint32(v))
				if (k == 0) != (d == 0) || !has(k, 0, 1, 2, 4, 8, 16, 32) {
					return &Miss{Found: fmt.Sprintf("%s for vertex %d of degree %d", plural(int(k), "lane"), v, d), Wanted: "1, 2, 4, 8, 16 or 32, and 0 only for degree 0"}
				}
			}
			return nil
		}},
	{name: "longest", says: "no warp takes more than ⌈degree / 32⌉ steps of the greatest degree", hint: "who has 32 arcs or more needs all 32 lanes, and who has fewer, as many lanes as arcs",
		miss: func(_ context.Context, t *trial) *Miss {
			column, most := t.mustLanes(), uint32(0)
			for v := range column {
				most = max(most, t.degree(uint32(v)))
			}
			for _, w := range warps(column, t.degree) {
				if limit := (most + warpSize - 1) / warpSize; w.steps > limit {
					return &Miss{Found: fmt.Sprintf("%s, of a warp with vertex %d", plural(int(w.steps), "step"), w.slowest(t)), Wanted: fmt.Sprintf("at most %d: the greatest degree is %d", limit, most)}
				}
			}
			return nil
		}},
	{name: "busy", says: "at least half of all lanes look at an arc, but for the last warp of each kind", hint: "with the least power of two that is no less than the degree, more than half of the lanes of a vertex have an arc",
		miss: func(_ context.Context, t *trial) *Miss {
			arcs, all, worst := uint64(0), uint64(0), warpRun{}
			for _, w := range warps(t.mustLanes(), t.degree) {
				if w.last {
					continue
				}
				arcs, all = arcs+w.arcs, all+uint64(w.steps)*warpSize
				if w.idle() > worst.idle() {
					worst = w
				}
			}
			if 2*arcs >= all {
				return nil
			}
			return &Miss{Found: fmt.Sprintf("%d arcs in %d steps of lanes; the most idle is a warp with vertices %d to %d, %s each", arcs, all,
				worst.vertices[0], worst.vertices[len(worst.vertices)-1], plural(int(worst.kind), "lane")), Wanted: fmt.Sprintf("%d arcs or more, half of the steps", (all+1)/2)}
		}},
}}

// idle are the steps of lanes in which there is no arc.
func (w warpRun) idle() uint64 { return uint64(w.steps)*warpSize - w.arcs }

// slowest is the vertex that takes as long as the warp.
func (w warpRun) slowest(t *trial) uint32 {
	return slices.MaxFunc(w.vertices, func(a, b uint32) int { return int(t.degree(a)) - int(t.degree(b)) })
}

func (t *trial) degree(v uint32) uint32 { return uint32(t.g.Out().Degree(v)) }

func (t *trial) lanes() ([]uint32, error) {
	c, err := t.base.answer.Table.Column("lanes")
	if err == nil && c.Len() != t.N || t.N > 0 && c.Counts == nil {
		err = fmt.Errorf("%d rows of lanes", c.Len())
	}
	return c.Counts, err
}

// mustLanes is the column when it is known to be there.
func (t *trial) mustLanes() []uint32 {
	column, err := t.lanes()
	if err != nil {
		panic(err)
	}
	return column
}
