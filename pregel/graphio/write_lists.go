package graphio

import (
	"context"
	"fmt"
	"io"

	"gopregel/pregel/graph"
)

// A listPrinter formats a line for each vertex: its neighbours, each followed
// by a blank. GAPBS does not see the last neighbour of a METIS file without.
type listPrinter struct {
	*linePrinter
	heads bool // the vertex stands before them
}

func (p listPrinter) segment(to []byte, u uint32, lo, hi uint64, last bool) []byte {
	if p.heads && lo == p.csr.Offsets.At(u) {
		to = append(p.id(to, u), ' ')
	}
	for i := lo; i < hi; i++ {
		v := p.csr.Targets[i]
		if v == u && p.choice == noLoops {
			continue
		}
		to = append(p.id(to, v), ' ')
		if p.weights.Kind() != graph.Unweighted {
			to = append(appendWeight(to, p.weights, i), ' ')
		}
	}
	if last {
		to = append(to, '\n')
	}
	return to
}

// Each edge of a METIS file stands in the lists of both its ends.
func writeMETIS(ctx context.Context, o *output, w io.Writer) error {
	p := listPrinter{linePrinter: o.lines(o.numbered(), " ")}
	p.choice = noLoops
	edges := (o.graph.Arcs() - o.graph.Loops()) / 2
	header := fmt.Sprintf("%d %d\n", o.graph.N(), edges)
	if o.weighted() {
		header = fmt.Sprintf("%d %d 001\n", o.graph.N(), edges)
	}
	if _, err := io.WriteString(w, header); err != nil {
		return err
	}
	return o.writePieces(ctx, w, p.csr, p.segment)
}

func writeAdjacency(ctx context.Context, o *output, w io.Writer) error {
	p := listPrinter{linePrinter: o.lines(o.graph.IDs(), " "), heads: true}
	return o.writePieces(ctx, w, p.csr, p.segment)
}
