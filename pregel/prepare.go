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
	// Renumbered gets the user's graph and an answer that was computed on a
	// renumbered one, with the user's vertices in the user's order, and gives it the
	// form it would have had.
	Renumbered(g *graph.Graph, t *Table)
}

// Prepared is a graph in another order, on which some algorithms are faster.
// Answers come back in the order and the names of the graph as it was.
type Prepared struct {
	Graph *graph.Graph  // in the new order
	Took  time.Duration // to make it
	user  *graph.Graph
	order []uint32 // of the user's graph: vertex v of Graph is order[v]
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
	p.Graph, err = g.Renumbered(ctx, p.order, workers)
	p.Took = time.Since(begin)
	return p, err
}

// Restore is Prepare with a renumbered graph that was made before of the same
// graph, and kept. Took is left 0.
func Restore(g, renumbered *graph.Graph) (*Prepared, error) {
	order := renumbered.IDs().Order()
	if len(order) != g.N() || g.IDs().Order() != nil {
		return nil, fmt.Errorf("a renumbered graph of %d vertices was not made of one of %d", len(order), g.N())
	}
	return &Prepared{Graph: renumbered, user: g, order: order}, nil
}

// User returns the graph as it was.
func (p *Prepared) User() *graph.Graph { return p.user }

// Renumberable tells whether an algorithm can be run on a prepared graph.
func Renumberable(a Algorithm) bool {
	_, ok := a.(Renumberer)
	return ok
}

// Run runs an algorithm on the prepared graph; j.Graph is not looked at.
func (p *Prepared) Run(ctx context.Context, a Algorithm, j *Job) (*Answer, error) {
	r, ok := a.(Renumberer)
	if !ok {
		return nil, fmt.Errorf("the answer hangs on the order of the vertices: the graph cannot be renumbered")
	}
	j.Graph = p.Graph
	answer, err := a.Run(ctx, j)
	if answer != nil {
		p.translate(&answer.Table)
		r.Renumbered(p.user, &answer.Table)
	}
	return answer, err
}

// translate puts rows in the user's order, and vertices by the user's numbers.
func (p *Prepared) translate(t *Table) {
	before := Table{Columns: slices.Clone(t.Columns)}
	defer func() {
		if t.PerVertex {
			before.Release()
		}
	}()
	for i := range t.Columns {
		c := &t.Columns[i]
		list := c.Vertices
		parallel.Range(0, len(list), rows, func(_, lo, hi int) {
			for k, v := range list[lo:hi] {
				if v != graph.None {
					list[lo+k] = p.order[v]
				}
			}
		})
		if t.PerVertex {
			c.Vertices, c.Counts = placed(p.order, c.Vertices), placed(p.order, c.Counts)
			c.Ints, c.Floats = placed(p.order, c.Ints), placed(p.order, c.Floats)
		}
	}
}

// rows are translated by a worker at a time.
const rows = 1 << 14

// placed puts row v at place order[v].
func placed[T uint32 | int64 | float64](order []uint32, list []T) []T {
	if list == nil {
		return nil
	}
	to := mem.Take[T](len(list))
	parallel.Range(0, len(list), rows, func(_, lo, hi int) {
		for v := lo; v < hi; v++ {
			to[order[v]] = list[v]
		}
	})
	return to
}

// LeastLabels names every class of a partition by its least vertex: label[v] is
// any vertex of v's class, or graph.None.
func LeastLabels(label []uint32) {
	least := mem.Make[uint32](len(label))
	for v := len(label) - 1; v >= 0; v-- {
		if l := label[v]; l != graph.None {
			least[l] = uint32(v)
		}
	}
	for v, l := range label {
		if l != graph.None {
			label[v] = least[l]
		}
	}
}
