package certify

import (
	"context"
	"fmt"

	"gopregel/pregel/graph"
	"gopregel/pregel/parallel"
)

// CDLP certifies communities found by label propagation as LDBC Graphalytics
// defines it: labels are vertices, at first each vertex its own; in every
// iteration all vertices at once take the label that is most frequent among
// their neighbours, the least such. Self-loops are left out. In a directed graph
// the ends of in- and out-arcs count, twice where there are both; parallel arcs
// count as often as they occur. A vertex without neighbours keeps its label.
//
// No certificate is known but to do the iterations again. That is done here by
// counting into an array indexed by label, which no engine would do.
//
// Cost: O(iterations·(n + m)) time, O(n) memory a worker.
//
// U. Raghavan, R. Albert, S. Kumara: Near linear time algorithm to detect
// community structures in large-scale networks, Phys. Rev. E 76, 2007; A.
// Iosup et al.: LDBC Graphalytics, PVLDB 9(13), 2016.
func CDLP(ctx context.Context, g *graph.Graph, label []uint32, iterations int) error {
	c := checker{ctx, g, "cdlp"}
	if err := c.has("label", len(label)); err != nil {
		return err
	}
	if iterations < 0 {
		return fmt.Errorf("certify cdlp: %d iterations, want at least 0", iterations)
	}
	p := propagation{now: make([]uint32, g.N()), next: make([]uint32, g.N()), along: []graph.CSR{g.Out()}}
	if g.Directed() {
		p.along = append(p.along, g.In())
	}
	for v := range p.now {
		p.now[v] = uint32(v)
	}
	p.counts = make([][]uint32, parallel.Workers(0))
	for w := range p.counts {
		p.counts[w] = make([]uint32, g.N())
	}
	for range iterations {
		err := c.each(g.Out(), func(w int, v uint32) *Violation {
			p.next[v] = p.majority(p.counts[w], v)
			return nil
		})
		if err != nil {
			return err
		}
		p.now, p.next = p.next, p.now
	}
	return c.rows(g.N(), pieceRows, func(_, v int) *Violation {
		if label[v] != p.now[v] {
			return c.at(uint32(v), "label "+c.id(label[v]), "label %s after %d iterations", c.id(p.now[v]), iterations)
		}
		return nil
	})
}

type propagation struct {
	now, next []uint32
	along     []graph.CSR
	counts    [][]uint32 // of each worker: how often a label occurs, 0 between calls
}

func (p *propagation) majority(counts []uint32, v uint32) uint32 {
	best, most := p.now[v], uint32(0)
	for _, arcs := range p.along {
		for _, u := range arcs.Neighbors(v) {
			if u == v {
				continue
			}
			l := p.now[u]
			counts[l]++
			if counts[l] > most || counts[l] == most && l < best {
				best, most = l, counts[l]
			}
		}
	}
	for _, arcs := range p.along {
		for _, u := range arcs.Neighbors(v) {
			counts[p.now[u]] = 0
		}
	}
	return best
}
