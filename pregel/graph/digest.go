package graph

import (
	"crypto/sha256"
	"fmt"

	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// digestBlock bytes are summed at a time; the sum of an array is that of its
// blocks' sums, so that several workers can make it.
const digestBlock = 1 << 20

// Digest is the SHA-256 of all that makes the graph: direction, arcs in their
// order, weights, ids. It takes no account of what is made of these.
func (g *Graph) Digest(workers int) [sha256.Size]byte {
	h := sha256.New()
	fmt.Fprintf(h, "directed %v, vertices %d, arcs %d, weights %v, ids from %d\n", g.directed, g.N(), g.Arcs(), g.Weighted(), g.ids.base)
	h.Write(offsetSums(g.out.Offsets, workers))
	for _, array := range [][]byte{
		mem.Bytes(g.out.Targets), mem.Bytes(g.out.Weights.Int), mem.Bytes(g.out.Weights.Float),
		mem.Bytes(g.ids.numbers), mem.Bytes(g.ids.order),
	} {
		h.Write(blockSums(array, workers))
	}
	for _, name := range g.ids.names {
		fmt.Fprintf(h, "%q\n", name)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// offsetSums is blockSums of the offsets as numbers of eight bytes.
func offsetSums(o Offsets, workers int) []byte {
	narrow, wide := o.Lists()
	if o.Wide() {
		return blockSums(mem.Bytes(wide), workers)
	}
	const each = digestBlock / 8
	blocks := (len(narrow) + each - 1) / each
	sums := make([]byte, blocks*sha256.Size)
	rooms := make([][]uint64, parallel.Workers(workers))
	parallel.Range(workers, blocks, 1, func(w, i, _ int) {
		some := narrow[i*each : min(len(narrow), (i+1)*each)]
		if rooms[w] == nil {
			rooms[w] = make([]uint64, min(each, len(narrow)))
		}
		sum := sha256.Sum256(mem.Bytes(mem.Lengthen(rooms[w], some)))
		copy(sums[i*sha256.Size:], sum[:])
	})
	return sums
}

func blockSums(array []byte, workers int) []byte {
	blocks := (len(array) + digestBlock - 1) / digestBlock
	sums := make([]byte, blocks*sha256.Size)
	parallel.Range(workers, blocks, 1, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			sum := sha256.Sum256(array[i*digestBlock : min(len(array), (i+1)*digestBlock)])
			copy(sums[i*sha256.Size:], sum[:])
		}
	})
	return sums
}
