package pregel

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// A Renumberer is an algorithm whose answer does not hang on how the vertices
// are numbered, but for what Renumbered mends. Labels of components, say, are
// the least vertices of theirs: on a renumbered graph, others.
type Renumberer interface {
	// Renumbered gets a job on the user's graph and an answer that was computed on a
	// renumbered one, with the user's vertices in the user's order, and gives it the
	// form it would have had. A column that it makes anew need not be there, if it
	// is not the first (Job.Mended). A run that has failed is not mended.
	Renumbered(ctx context.Context, j *Job, a *Answer) error
}

// A Chooser is a Renumberer that takes less time on some graphs as they are than
// renumbered and mended.
type Chooser interface {
	Renumberer
	// Chooses tells whether it is to be run on the renumbered graph g.
	Chooses(g *graph.Graph, e Engine) bool
}

// Mended tells that Renumbered will have the answer: what that finds anew need not be
// found in Run.
func (j *Job) Mended() bool { return j.prepared != nil }

// Order returns the user's number of each vertex of a prepared graph, and the vertex of
// each such number: an answer that has the least of some vertices has the least by
// these. nil: the job's graph is the user's.
func (j *Job) Order() (order, place []uint32) {
	if j.prepared == nil {
		return nil, nil
	}
	return j.prepared.order, j.prepared.place
}

// Prepared is a graph in another order, on which some algorithms are faster.
// Answers come back in the order and the names of the graph as it was.
type Prepared struct {
	Graph *graph.Graph  // in the new order
	Took  time.Duration // to make it
	user  *graph.Graph
	order []uint32 // of the user's graph: vertex v of Graph is order[v]
	place []uint32 // and that one is vertex place[u] of Graph
}

// Orders are the names of the orders that Prepare knows: by degree, the most
// first (graph.ByDegree), by locality (graph.ByLocality), and by tiles
// (graph.ByTiles).
var Orders = []string{"degree", "locality", "tiles"}

// Prepare puts the vertices of a graph in the order of a name in Orders. It
// takes the memory of a second graph.
func Prepare(ctx context.Context, g *graph.Graph, order string, workers int) (*Prepared, error) {
	begin := time.Now()
	p := &Prepared{user: g}
	switch order {
	case "degree":
		p.order = g.ByDegree(workers)
	case "locality":
		p.order = g.ByLocality(workers)
	case "tiles":
		p.order = g.ByTiles(workers)
	default:
		return nil, fmt.Errorf("order: found %q, want one of %q", order, Orders)
	}
	var err error
	if p.Graph, err = g.Renumbered(ctx, p.order, workers); err == nil {
		p.place = p.places()
	}
	p.Took = time.Since(begin)
	return p, err
}

// places is the inverse of order, which Graph has unless the user's graph is itself one
// that was made in another order.
func (p *Prepared) places() []uint32 {
	if p.user.IDs().Order() == nil {
		return p.Graph.IDs().Places()
	}
	place := mem.Make[uint32](len(p.order))
	for v, u := range p.order {
		place[u] = uint32(v)
	}
	return place
}

// Restore is Prepare with a renumbered graph that was made before of the same
// graph, and kept. Took is left 0.
func Restore(g, renumbered *graph.Graph) (*Prepared, error) {
	order := renumbered.IDs().Order()
	if len(order) != g.N() || g.IDs().Order() != nil {
		return nil, fmt.Errorf("a renumbered graph of %d vertices was not made of one of %d", len(order), g.N())
	}
	return &Prepared{Graph: renumbered, user: g, order: order, place: renumbered.IDs().Places()}, nil
}

// User returns the graph as it was.
func (p *Prepared) User() *graph.Graph { return p.user }

// Renumberable tells whether an algorithm can be run on a prepared graph.
func Renumberable(a Algorithm) bool {
	_, ok := a.(Renumberer)
	return ok
}

// For is the graph that Run runs an algorithm on: Graph, or the user's if the algorithm
// chooses that.
func (p *Prepared) For(a Algorithm, e Engine) *graph.Graph {
	if c, ok := a.(Chooser); ok && !c.Chooses(p.Graph, e) {
		return p.user
	}
	return p.Graph
}

// Run runs an algorithm on the prepared graph; j.Graph is not looked at.
func (p *Prepared) Run(ctx context.Context, a Algorithm, j *Job) (*Answer, error) {
	r, ok := a.(Renumberer)
	if !ok {
		return nil, fmt.Errorf("the answer hangs on the order of the vertices: the graph cannot be renumbered")
	}
	if j.Graph = p.For(a, j.Engine); j.Graph == p.user {
		return a.Run(ctx, j)
	}
	j.prepared = p
	answer, err := a.Run(ctx, j)
	j.prepared = nil
	if answer == nil {
		return nil, err
	}
	if !answer.Ordered {
		p.translate(&answer.Table, j.Engine.Pool().Workers())
	}
	if err == nil {
		err = r.Renumbered(context.WithoutCancel(ctx), &Job{Graph: p.user, Engine: j.Engine}, answer)
	}
	return answer, err
}

// translate puts rows in the user's order, and vertices by the user's numbers.
func (p *Prepared) translate(t *Table, workers int) {
	before := Table{Columns: slices.Clone(t.Columns)}
	for i := range t.Columns {
		c := &t.Columns[i]
		if !t.PerVertex {
			renamed(workers, p.order, c.Vertices)
			continue
		}
		c.Vertices, c.Counts = permuted(workers, p.place, c.Vertices), permuted(workers, p.place, c.Counts)
		c.Ints, c.Floats = permuted(workers, p.place, c.Ints), permuted(workers, p.place, c.Floats)
		renamed(workers, p.order, c.Vertices)
	}
	if t.PerVertex {
		before.Release()
	}
}

// rows are translated by a worker at a time.
const rows = 1 << 14

// renamed makes order[v] of each vertex v of a list.
func renamed(workers int, order, list []uint32) {
	parallel.Range(workers, len(list), rows, func(_, lo, hi int) {
		for k, v := range list[lo:hi] {
			if v != graph.None {
				list[lo+k] = order[v]
			}
		}
	})
}

// LeastLabels names every class of a partition by its least vertex: label[v] is
// any vertex of v's class, or graph.None.
func LeastLabels(workers int, label []uint32) {
	least := mem.Take[uint32](len(label))
	defer mem.Give(least)
	parallel.Range(workers, len(label), rows, func(_, lo, hi int) {
		for v := uint32(lo); v < uint32(hi); v++ {
			least[v] = graph.None
			if label[v] == v {
				least[v] = v
			}
		}
	})
	parallel.Range(workers, len(label), rows, func(_, lo, hi int) {
		for v := uint32(lo); v < uint32(hi); v++ {
			if l := label[v]; l != graph.None && v < mem.Load(&least[l]) {
				lower(&least[l], v, graph.None, false)
			}
		}
	})
	parallel.Range(workers, len(label), rows, func(_, lo, hi int) {
		for v, l := range label[lo:hi] {
			if l != graph.None {
				label[lo+v] = least[l]
			}
		}
	})
}
