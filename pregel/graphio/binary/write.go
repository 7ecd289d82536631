package binary

import (
	"cmp"
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sync/atomic"

	"gopregel/pregel/atomicfile"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// WriteOptions say what goes into a file. The zero value writes what the graph
// cannot do without.
type WriteOptions struct {
	WithIn   bool // also the in-arcs of a directed graph, made now if need be
	Progress func(done, total int64)
	Workers  int // 0: all processors
}

// Write puts g into the .pgr file at path. The file appears when it is
// complete; after an error or a cancellation it is as it was before.
func Write(ctx context.Context, path string, g *graph.Graph, o WriteOptions) error {
	return atomicfile.Write(path, func(w io.Writer) error { return cmp.Or(Encode(ctx, w, g, o), ctx.Err()) })
}

// Encode writes g to w in the form of a .pgr file, from front to back.
func Encode(ctx context.Context, w io.Writer, g *graph.Graph, o WriteOptions) error {
	return encode(ctx, w, g, o, nil)
}

// encode writes g with foreign sections behind its own.
func encode(ctx context.Context, w io.Writer, g *graph.Graph, o WriteOptions, foreign []content) error {
	if g.IDs().Order() != nil {
		return graph.ErrRenumbered
	}
	if err := littleEndian(); err != nil {
		return err
	}
	h := describe(g, o.Workers)
	var in graph.CSR
	withIn := o.WithIn && g.Directed()
	if withIn {
		in = g.In()
	}
	h.plan(withIn, nameLength(g.IDs().Names()), sectionsOf(foreign)...)
	s := &sink{ctx: ctx, w: w, progress: o.Progress, total: h.size}
	s.bytes(h.encode())
	for _, c := range h.sections {
		s.pad(c.start)
		if i := slices.IndexFunc(foreign, func(f content) bool { return f.kind == c.kind }); i >= 0 {
			foreign[i].write(s)
			continue
		}
		s.section(c.kind, g, in)
	}
	if s.err == nil && s.at != h.size {
		s.err = fmt.Errorf("%d bytes written, want %d", s.at, h.size)
	}
	return s.err
}

// describe returns the facts of g, without sections.
func describe(g *graph.Graph, workers int) *header {
	h := &header{
		vertices: uint64(g.N()), arcs: g.Arcs(), loops: countLoops(g.Out(), workers),
		directed: g.Directed(), weights: g.Weighted(), blockSize: blockSize,
	}
	switch ids := g.IDs(); {
	case ids.Names() != nil:
		h.ids = idsNames
	case ids.Numbers() != nil:
		h.ids = idsNumbers
	default:
		h.base = ids.Base()
	}
	return h
}

func countLoops(c graph.CSR, workers int) uint64 {
	var loops atomic.Uint64
	eachRange(c, workers, func(lo, hi uint32) {
		var found uint64
		for u := lo; u < hi; u++ {
			for _, v := range c.Neighbors(u) {
				if u == v {
					found++
				}
			}
		}
		loops.Add(found)
	})
	return loops.Load()
}

// eachRange calls f on ranges of vertices with about equally many arcs.
func eachRange(c graph.CSR, workers int, f func(lo, hi uint32)) {
	bounds := c.Cut(1<<16, 1)
	parallel.Range(workers, len(bounds)-1, 1, func(_, i, _ int) { f(bounds[i], bounds[i+1]) })
}

// A sink writes to w and sums what passes, block by block. After the first
// error it does nothing.
type sink struct {
	ctx      context.Context
	w        io.Writer
	at       uint64
	sum      uint32 // of the block being written
	sums     []uint32
	progress func(done, total int64)
	total    uint64
	err      error
}

// bytes writes b, block by block.
func (s *sink) bytes(b []byte) {
	for len(b) > 0 && s.err == nil {
		if s.err = s.ctx.Err(); s.err != nil {
			return
		}
		n := min(uint64(len(b)), blockSize-s.at%blockSize)
		_, s.err = s.w.Write(b[:n])
		s.sum = crc32.Update(s.sum, castagnoli, b[:n])
		s.at += n
		b = b[n:]
		if s.at%blockSize == 0 {
			s.sums = append(s.sums, s.sum)
			s.sum = 0
		}
		if s.progress != nil && s.err == nil {
			s.progress(int64(s.at), int64(s.total))
		}
	}
}

func (s *sink) pad(to uint64) { s.bytes(make([]byte, to-s.at)) }

func (s *sink) section(kind uint32, g *graph.Graph, in graph.CSR) {
	switch out := g.Out(); kind {
	case outOffsets:
		s.offsets(out.Offsets)
	case outTargets:
		s.bytes(mem.Bytes(out.Targets))
	case outWeights:
		s.weights(out.Weights)
	case inOffsets:
		s.offsets(in.Offsets)
	case inTargets:
		s.bytes(mem.Bytes(in.Targets))
	case inWeights:
		s.weights(in.Weights)
	case idNumbers:
		s.bytes(mem.Bytes(g.IDs().Numbers()))
	case nameOffsets:
		s.nameOffsets(g.IDs().Names())
	case nameBytes:
		s.names(g.IDs().Names())
	case checksums:
		s.checksums()
	}
}

// offsets writes numbers of eight bytes.
func (s *sink) offsets(o graph.Offsets) {
	_ = o.Pieces(func(some []uint64) error {
		s.bytes(mem.Bytes(some))
		return s.err
	})
}

func (s *sink) weights(w graph.Weights) {
	s.bytes(mem.Bytes(w.Int))
	s.bytes(mem.Bytes(w.Float))
}

// checksums ends the file.
func (s *sink) checksums() {
	if s.at%blockSize != 0 {
		s.sums = append(s.sums, s.sum)
	}
	sums := mem.Bytes(s.sums)
	s.bytes(sums)
	s.bytes(little.AppendUint32(nil, crc32.Checksum(sums, castagnoli)))
}
