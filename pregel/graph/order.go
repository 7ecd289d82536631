package graph

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gopregel/pregel/parallel"
)

// order sorts the arcs of each vertex by target, then weight, and merges
// duplicates as asked, chunk by chunk and in place; then it closes the gaps
// that merging has left.
func (b *builder) order() error {
	c := b.csr
	bounds := c.Cut(chunkArcs, 1)
	ends := make([]uint64, len(bounds)) // ends[i]: where the kept arcs of chunk i end
	var kept []uint32                   // arcs of each vertex, one for a target at most
	if b.Duplicates != KeepDuplicates {
		kept = make([]uint32, b.n)
	}
	sorters := make([]sorter, parallel.Workers(b.Workers))
	for i := range sorters {
		sorters[i].targetBits = bits.Len(uint(b.n))
	}
	parallel.Range(b.Workers, len(bounds)-1, 1, func(w, i, _ int) {
		s := &sorters[w]
		to := c.Offsets.At(bounds[i])
		for u := bounds[i]; u < bounds[i+1]; u++ {
			lo, hi := c.Offsets.Row(u)
			s.sort(c.Targets[lo:hi], c.Weights.Slice(lo, hi))
			if b.Duplicates != KeepDuplicates {
				end := s.merge(c, lo, hi, to, b.Duplicates)
				kept[u] = uint32(end - to)
				to = end
			}
		}
		ends[i] = to
	})
	for i := range sorters {
		if sorters[i].err != nil {
			return sorters[i].err
		}
	}
	if b.Duplicates != KeepDuplicates {
		b.compact(bounds, ends, kept)
	}
	return nil
}

// compact moves the kept arcs of the chunks together.
func (b *builder) compact(bounds []uint32, ends []uint64, kept []uint32) {
	c := &b.csr
	to := uint64(0)
	for i := range len(bounds) - 1 {
		from := c.Offsets.At(bounds[i])
		copy(c.Targets[to:], c.Targets[from:ends[i]])
		switch {
		case c.Weights.Int != nil:
			copy(c.Weights.Int[to:], c.Weights.Int[from:ends[i]])
		case c.Weights.Float != nil:
			copy(c.Weights.Float[to:], c.Weights.Float[from:ends[i]])
		}
		to += ends[i] - from
	}
	c.Targets = c.Targets[:to:to]
	c.Weights = c.Weights.Slice(0, to)
	if to <= narrowMost && c.Offsets.Wide() {
		c.Offsets = MakeOffsets(b.n+1, to)
	}
	sum := uint64(0)
	for u, k := range kept {
		c.Offsets.Set(uint32(u), sum)
		sum += uint64(k)
	}
	c.Offsets.Set(uint32(b.n), sum)
}

// A sorter sorts lists of arcs in buffers of its own.
type sorter struct {
	spare      []uint32
	pairs      []uint64 // target in the upper half, ordered bits of the weight below
	sparePairs []uint64
	targetBits int // that tell the targets apart
	err        error
}

func (s *sorter) sort(targets []uint32, w Weights) {
	if w.Kind() == Unweighted {
		if len(s.spare) < len(targets) {
			s.spare = make([]uint32, max(len(targets), 2*len(s.spare)))
		}
		sortBits(targets, s.spare, 0, s.targetBits)
		return
	}
	s.pairs = s.pairs[:0]
	for i, v := range targets {
		s.pairs = append(s.pairs, uint64(v)<<32|uint64(orderedBits(w, i)))
	}
	if len(s.sparePairs) < len(targets) {
		s.sparePairs = make([]uint64, max(len(targets), 2*len(s.sparePairs)))
	}
	sortBits(s.pairs, s.sparePairs, 32, 32+s.targetBits)
	sortEqualTargets(s.pairs)
	for i, p := range s.pairs {
		targets[i] = uint32(p >> 32)
		setOrderedBits(w, i, uint32(p))
	}
}

// sortEqualTargets sorts the weights of pairs in order of targets.
func sortEqualTargets(pairs []uint64) {
	for i := 1; i < len(pairs); i++ {
		if pairs[i-1] <= pairs[i] {
			continue
		}
		lo, hi := i-1, i+1
		for lo > 0 && pairs[lo-1]>>32 == pairs[i]>>32 {
			lo--
		}
		for hi < len(pairs) && pairs[hi]>>32 == pairs[i]>>32 {
			hi++
		}
		slices.Sort(pairs[lo:hi])
		i = hi - 1
	}
}

// orderedBits maps weight i to a number that sorts as the weight does.
func orderedBits(w Weights, i int) uint32 {
	if w.Int != nil {
		return uint32(w.Int[i]) ^ 1<<31
	}
	bits := math.Float32bits(w.Float[i])
	if bits>>31 != 0 {
		return ^bits
	}
	return bits | 1<<31
}

func setOrderedBits(w Weights, i int, x uint32) {
	switch {
	case w.Int != nil:
		w.Int[i] = int32(x ^ 1<<31)
	case x>>31 != 0:
		w.Float[i] = math.Float32frombits(x &^ (1 << 31))
	default:
		w.Float[i] = math.Float32frombits(^x)
	}
}

// merge writes the sorted arcs lo to hi without their duplicates to place
// to <= lo and returns where they end.
func (s *sorter) merge(c CSR, lo, hi, to uint64, d Duplicates) uint64 {
	start := to
	for i := lo; i < hi; i++ {
		v := c.Targets[i]
		if to > start && c.Targets[to-1] == v {
			if d == SumDuplicates {
				s.add(c.Weights, to-1, i, v)
			}
			continue
		}
		c.Targets[to] = v
		switch {
		case c.Weights.Int != nil:
			c.Weights.Int[to] = c.Weights.Int[i]
		case c.Weights.Float != nil:
			c.Weights.Float[to] = c.Weights.Float[i]
		}
		to++
	}
	return to
}

// add adds weight i to weight at.
func (s *sorter) add(w Weights, at, i uint64, v uint32) {
	switch {
	case w.Int != nil:
		sum := int64(w.Int[at]) + int64(w.Int[i])
		if sum != int64(int32(sum)) && s.err == nil {
			s.err = fmt.Errorf("graph: the weights of duplicate arcs to vertex %d sum to %d, beyond 32 bits", v, sum)
		}
		w.Int[at] = int32(sum)
	case w.Float != nil:
		w.Float[at] += w.Float[i]
	}
}
