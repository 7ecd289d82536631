package graphio

import (
	"context"
	"fmt"
	"io"
	"strconv"
)

// The rows are numbers, one on a line: offsets, targets, weights.
func writeLigra(ctx context.Context, o *output, w io.Writer) error {
	c, word := o.graph.Out(), ligraWord
	columns := []segment{
		func(to []byte, _ uint32, lo, hi uint64, _ bool) []byte {
			for _, v := range c.Targets[lo:hi] {
				to = append(strconv.AppendUint(to, uint64(v), 10), '\n')
			}
			return to
		},
	}
	if o.weighted() {
		word = weightedLigraWord
		columns = append(columns, func(to []byte, _ uint32, lo, hi uint64, _ bool) []byte {
			for i := lo; i < hi; i++ {
				to = append(appendWeight(to, c.Weights, i), '\n')
			}
			return to
		})
		o.total += int64(o.graph.Arcs())
	}
	if _, err := fmt.Fprintf(w, "%s\n%d\n%d\n", word, o.graph.N(), o.graph.Arcs()); err != nil {
		return err
	}
	err := o.writeEach(ctx, w, func(to []byte, u uint32, _, _ uint64, _ bool) []byte {
		return append(strconv.AppendUint(to, c.Offsets.At(u), 10), '\n')
	})
	for _, column := range columns {
		if err == nil {
			err = o.writePieces(ctx, w, c, column)
		}
	}
	return err
}

func writeEdgeArray(ctx context.Context, o *output, w io.Writer) error {
	word := edgeArrayWord
	if o.weighted() {
		word = weightedEdgeArrayWord
	}
	return o.writeEdges(ctx, w, word+"\n", o.lines(o.graph.IDs(), " "))
}
