package binary

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"gopregel/pregel/atomicfile"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// WriteGAPBS puts g into the serialised graph at path. Its name must end in
// .wsg for a graph with weights and in .sg for one without. Vertices become 0
// to n-1, whatever their ids.
func WriteGAPBS(ctx context.Context, path string, g *graph.Graph, progress func(done, total int64)) error {
	ext, want := strings.ToLower(filepath.Ext(path)), ".sg"
	if g.Weighted() != graph.Unweighted {
		want = ".wsg"
	}
	if ext != want {
		return fmt.Errorf("write %s: a GAPBS graph with weights of kind %s is named %s", path, g.Weighted(), want)
	}
	return atomicfile.Write(path, func(w io.Writer) error { return cmp.Or(EncodeGAPBS(ctx, w, g, progress), ctx.Err()) })
}

// EncodeGAPBS writes g to w as a serialised GAPBS graph, with weights if g has
// any; they must be integers.
func EncodeGAPBS(ctx context.Context, w io.Writer, g *graph.Graph, progress func(done, total int64)) error {
	if g.IDs().Order() != nil {
		return graph.ErrRenumbered
	}
	switch {
	case littleEndian() != nil:
		return littleEndian()
	case g.Weighted() == graph.Float32:
		return fmt.Errorf("GAPBS graphs have 32-bit integer weights, these are float32")
	case uint64(g.N()) > gapbsMaximum+1:
		return fmt.Errorf("GAPBS graphs have at most %d vertices, this one has %d", gapbsMaximum+1, g.N())
	}
	file := gapbs{directed: g.Directed(), weighted: g.Weighted() == graph.Int32, n: uint64(g.N()), m: g.Arcs()}
	s := &sink{ctx: ctx, w: w, progress: progress, total: file.size(file.stride())}
	var head bytes.Buffer
	head.WriteByte(0)
	head.Write(little.AppendUint64(little.AppendUint64(nil, file.m), file.n))
	if file.directed {
		head.Bytes()[0] = 1
	}
	s.bytes(head.Bytes())
	s.gapbsArcs(g.Out())
	if file.directed {
		s.gapbsArcs(g.In())
	}
	return s.err
}

const pairBuffer = 1 << 16 // arcs

func (s *sink) gapbsArcs(c graph.CSR) {
	s.offsets(c.Offsets)
	if c.Weights.Int == nil {
		s.bytes(mem.Bytes(c.Targets))
		return
	}
	buffer := make([]uint32, 0, 2*pairBuffer)
	for lo := 0; lo < len(c.Targets) && s.err == nil; lo += pairBuffer {
		buffer = buffer[:0]
		weights := c.Weights.Int[lo:]
		for i, v := range c.Targets[lo:min(lo+pairBuffer, len(c.Targets))] {
			buffer = append(buffer, v, uint32(weights[i]))
		}
		s.bytes(mem.Bytes(buffer))
	}
}
