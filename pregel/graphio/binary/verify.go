package binary

import (
	"context"
	"fmt"
	"hash/crc32"
	"sync"

	"gopregel/pregel/graph"
	"gopregel/pregel/parallel"
)

// sampleBlocks is how many blocks of a large file Auto looks at.
const sampleBlocks = 8

func (h *header) everyBlock() []uint64 {
	list := make([]uint64, h.blocks())
	for i := range list {
		list[i] = uint64(i)
	}
	return list
}

// someBlocks are spread over the file, the first and the last among them.
func (h *header) someBlocks() []uint64 {
	all := h.blocks()
	if all <= sampleBlocks {
		return h.everyBlock()
	}
	list := make([]uint64, sampleBlocks)
	for i := range list {
		list[i] = uint64(i) * (all - 1) / (sampleBlocks - 1)
	}
	return list
}

// verifySums compares the checksums of the given blocks, and of the checksums.
func (h *header) verifySums(ctx context.Context, data []byte, workers int, blocks []uint64) error {
	last := h.sections[len(h.sections)-1]
	sums := data[last.start : h.size-4]
	if got, want := crc32.Checksum(sums, castagnoli), little.Uint32(data[h.size-4:]); got != want {
		return fmt.Errorf("damaged: the checksums have checksum %08x, want %08x", got, want)
	}
	var first firstError
	parallel.Range(workers, len(blocks), 1, func(_, i, _ int) {
		b := blocks[i]
		lo, hi := b*blockSize, min((b+1)*blockSize, h.body())
		if err := ctx.Err(); err != nil {
			first.set(b, err)
			return
		}
		if got, want := crc32.Checksum(data[lo:hi], castagnoli), little.Uint32(sums[4*b:]); got != want {
			first.set(b, fmt.Errorf("damaged between bytes %d and %d: checksum %08x, want %08x", lo, hi, got, want))
		}
	})
	return first.err
}

// verifyContent checks that what the file says is a graph.
func (h *header) verifyContent(ctx context.Context, data []byte, g *graph.Graph, in *graph.CSR, workers int) error {
	at := uint64(headerSize + entrySize*len(h.sections))
	for _, s := range h.sections {
		if i := nonZero(data[at:s.start]); i >= 0 {
			return fmt.Errorf("byte %d, between sections, is not zero", at+uint64(i))
		}
		at = s.start + s.length
	}
	found, err := inspect(ctx, g.Out(), workers, outward(g.Directed()))
	switch {
	case err != nil:
		return fmt.Errorf("out-arcs: %w", err)
	case found.loops != h.loops:
		return fmt.Errorf("%d self-loops, the header says %d", found.loops, h.loops)
	case !g.Directed() && found.hash != 0:
		return fmt.Errorf("undirected, but some arcs have no arc of the same weight in return")
	case in == nil:
		return nil
	}
	back, err := inspect(ctx, *in, workers, inward)
	switch {
	case err != nil:
		return fmt.Errorf("in-arcs: %w", err)
	case back.hash != found.hash:
		return fmt.Errorf("the in-arcs are not the out-arcs turned round")
	}
	return nil
}

// A firstError keeps, of errors reported by several workers, the one of least
// place.
type firstError struct {
	mu  sync.Mutex
	at  uint64
	err error
}

func (f *firstError) set(at uint64, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil || at < f.at {
		f.at, f.err = at, err
	}
}
