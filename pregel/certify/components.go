package certify

import (
	"context"

	"gopregel/pregel/graph"
)

// Components certifies weakly connected components: label(v) is the least
// vertex that v is joined to when directions are forgotten.
//
// Theorem. Let
//
//	(1) label(v) <= v and label(label(v)) = label(v) for every v,
//	(2) label(u) = label(v) for every arc,
//	(3) every v can be reached, directions forgotten, from a vertex that is its own label.
//
// Then label is right. By (2) labels are equal throughout a component, so the
// vertex in (3) has the label of v and is its own, which makes it label(v): v
// is joined to label(v). The least vertex x of the component has by (1) a label
// not above x, and as that is joined to x, it is x.
//
// Cost: O(n + m): a look at every arc, and one search from all vertices that
// are their own label at once, in both directions of the arcs.
func Components(ctx context.Context, g *graph.Graph, label []uint32) error {
	c := checker{ctx, g, "wcc"}
	if err := c.has("component", len(label)); err != nil {
		return err
	}
	if err := c.leastLabels(label); err != nil {
		return err
	}
	err := c.each(g.Out(), func(_ int, u uint32) *Violation {
		for _, v := range g.Out().Neighbors(u) {
			if label[u] != label[v] {
				return c.on(u, v, "components "+c.id(label[u])+" and "+c.id(label[v]), "one component")
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	along := []graph.CSR{g.Out()}
	if g.Directed() {
		along = append(along, g.In())
	}
	seen, err := c.reach(representatives(label), along, func(int, uint64, uint32, uint32) bool { return true })
	if err != nil {
		return err
	}
	return c.allSeen(seen, label, "it is not joined to that vertex")
}
