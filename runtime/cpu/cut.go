package cpu

import (
	"gopregel/pregel"
	"gopregel/pregel/graph"
)

const (
	minRangeArcs = 1 << 12
	maxRangeArcs = 1 << 16
	// A vertex with more arcs than hubFrom is gathered in parts of hubPart. The
	// numbers are fixed, so that float sums do not depend on the machine.
	hubFrom = 1 << 17
	hubPart = 1 << 16
	// A list of less work than this is not worth waking other workers for.
	serialArcs = 1 << 13
	// Nor are so few vertices with messages.
	serialApply = 1 << 12
	// Pushing and applying in one needs no atomics, so that one worker alone does
	// more in the time of two, who also wait for each other: this over the square of
	// the workers.
	forwardArcs = 1 << 18
)

// cut divides the vertices into ranges of about equal work, several for each
// worker, so that those who finish early find more.
func cut(n int, arcs []graph.CSR, workers int) []uint32 {
	size := min(max(total(arcs)/uint64(workers*64), minRangeArcs), maxRangeArcs)
	if len(arcs) == 1 {
		return arcs[0].Cut(size, pregel.BlockSize)
	}
	return graph.Cut(n, func(v uint32) uint64 { return before(arcs, v) }, size, pregel.BlockSize)
}

// before counts the arcs of the vertices below v.
func before(arcs []graph.CSR, v uint32) (sum uint64) {
	for i := range arcs {
		sum += arcs[i].Offsets.At(v)
	}
	return sum
}

func total(arcs []graph.CSR) (sum uint64) {
	for i := range arcs {
		sum += arcs[i].Arcs()
	}
	return sum
}

func degree(arcs []graph.CSR, v uint32) (sum uint64) {
	for i := range arcs {
		sum += arcs[i].Degree(v)
	}
	return sum
}

// A hubPiece is one part of the messages of hub number hub.
type hubPiece struct{ hub, part int }

// hubs finds the vertices with more than hubFrom arcs: only ranges longer than
// that can hold one.
func hubs(bounds []uint32, arcs []graph.CSR) (list []uint32, pieces []hubPiece) {
	for i := range len(bounds) - 1 {
		if before(arcs, bounds[i+1])-before(arcs, bounds[i]) <= hubFrom {
			continue
		}
		for v := bounds[i]; v < bounds[i+1]; v++ {
			if degree(arcs, v) <= hubFrom {
				continue
			}
			parts := 0
			for _, c := range arcs {
				parts += int((c.Degree(v) + hubPart - 1) / hubPart)
			}
			for k := range parts {
				pieces = append(pieces, hubPiece{len(list), k})
			}
			list = append(list, v)
		}
	}
	return list, pieces
}

// A pushPiece is the work of pushing from list[lo:hi], or from arcs from to to
// of the one vertex list[lo].
type pushPiece struct {
	lo, hi   int
	csr      int
	from, to uint64 // of Targets; both 0: all arcs
	part     int    // of those that are divided, the vertex's number
	work     uint64 // arcs, and vertices but one that is divided
}

// pushPieces divides a frontier's arcs; long vertices are divided themselves.
func pushPieces(list []uint32, arcs []graph.CSR, size uint64, pieces []pushPiece) []pushPiece {
	lo, sum := 0, uint64(0)
	for i, u := range list {
		d := degree(arcs, u)
		if d > 2*size {
			if lo < i {
				pieces = append(pieces, pushPiece{lo: lo, hi: i, work: sum})
			}
			pieces = appendHub(pieces, i, u, arcs, size)
			lo, sum = i+1, 0
			continue
		}
		if sum += d + 1; sum >= size {
			pieces = append(pieces, pushPiece{lo: lo, hi: i + 1, work: sum})
			lo, sum = i+1, 0
		}
	}
	if lo < len(list) {
		pieces = append(pieces, pushPiece{lo: lo, hi: len(list), work: sum})
	}
	return pieces
}

func appendHub(pieces []pushPiece, i int, u uint32, arcs []graph.CSR, size uint64) []pushPiece {
	for k, c := range arcs {
		for from, end := c.Offsets.Row(u); from < end; from += size {
			to := min(from+size, end)
			pieces = append(pieces, pushPiece{lo: i, hi: i + 1, csr: k, from: from, to: to, work: to - from})
		}
	}
	return pieces
}
