package cuda

import (
	"testing"

	"gopregel/pregel/graph"
)

// A path pays by tiles with one vertex of as many neighbours as one thread looks at, and not with one
// of more; in a directed graph neither way.
func TestTilesPayUpToMostArcs(t *testing.T) {
	const n, hub = 1 << 14, 5000
	e := &Engine{tile: 64}
	for _, directed := range []bool{false, true} {
		for _, into := range []bool{false, true} {
			for _, more := range []int{0, 1} {
				var list graph.ArcList
				for v := range uint32(n - 1) {
					list.List = append(list.List, graph.Arc{U: v, V: v + 1})
				}
				near := 2
				if directed {
					near = 1
				}
				for i := range mostArcs - near + more {
					a := graph.Arc{U: hub, V: uint32(hub + 2 + i)}
					if into {
						a.U, a.V = a.V, a.U
					}
					list.List = append(list.List, a)
				}
				g, err := graph.FromArcs(n, list, graph.Options{Directed: directed})
				if err != nil {
					t.Fatal(err)
				}
				if got := max(g.Out().Degree(hub), g.In().Degree(hub)); got != uint64(mostArcs+more) {
					t.Fatalf("%d neighbours", got)
				}
				if got := e.tilesPay(g); got != (more == 0) {
					t.Errorf("directed %v, into the hub %v, %d neighbours: tiles pay: %v", directed, into, mostArcs+more, got)
				}
			}
		}
	}
}
