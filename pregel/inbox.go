package pregel

import (
	"slices"

	"gopregel/pregel/mem"
)

// An inbox holds the messages under way, by target.
//
// Dense: those of v are messages[offsets[v]:offsets[v+1]]. Sparse: those of
// targets[i] are messages[starts[i]:starts[i+1]], targets ascending.
type inbox[M any] struct {
	sparse   bool
	messages []M
	offsets  []uint64
	targets  []uint32
	starts   []int
	counts   [][]uint32 // of messages to each vertex, by part of the outboxes
	sorted   []sent[M]
}

// of returns the messages to v.
func (b *inbox[M]) of(v uint32) []M {
	if b.sparse {
		i, ok := slices.BinarySearch(b.targets, v)
		if !ok {
			return nil
		}
		return b.messages[b.starts[i]:b.starts[i+1]]
	}
	if b.offsets == nil {
		return nil
	}
	return b.messages[b.offsets[v]:b.offsets[v+1]]
}

// word tells which vertices of block i have messages. The inbox is dense.
func (b *inbox[M]) word(i uint32) uint64 {
	if len(b.messages) == 0 {
		return 0
	}
	var bits uint64
	lo := i * BlockSize
	for v := lo; v < min(lo+BlockSize, uint32(len(b.offsets)-1)); v++ {
		if b.offsets[v] < b.offsets[v+1] {
			bits |= 1 << (v - lo)
		}
	}
	return bits
}

// spread turns a sparse inbox into a dense one.
func (b *inbox[M]) spread(n int) {
	if !b.sparse {
		return
	}
	b.sparse = false
	if b.offsets == nil {
		b.offsets = mem.Make[uint64](n + 1)
	}
	i, sum := 0, uint64(0)
	for v := range n {
		b.offsets[v] = sum
		if i < len(b.targets) && b.targets[i] == uint32(v) {
			sum = uint64(b.starts[i+1])
			i++
		}
	}
	b.offsets[n] = sum
}

// deliver replaces the content by that of the outboxes, in their order.
func (b *inbox[M]) deliver(n int, outbox [][]sent[M], p Pool) error {
	total := 0
	for _, box := range outbox {
		total += len(box)
	}
	b.messages = slices.Grow(b.messages[:0], total)[:total]
	if total <= n/sparseFactor {
		b.deliverSparse(outbox)
		return nil
	}
	return b.deliverDense(n, total, outbox, p)
}

func (b *inbox[M]) deliverSparse(outbox [][]sent[M]) {
	b.sparse = true
	b.sorted = b.sorted[:0]
	for _, box := range outbox {
		b.sorted = append(b.sorted, box...)
	}
	slices.SortStableFunc(b.sorted, func(x, y sent[M]) int { return int(int64(x.to) - int64(y.to)) })
	b.targets, b.starts = b.targets[:0], b.starts[:0]
	for i, s := range b.sorted {
		b.messages[i] = s.message
		if i == 0 || b.sorted[i-1].to != s.to {
			b.targets = append(b.targets, s.to)
			b.starts = append(b.starts, i)
		}
	}
	b.starts = append(b.starts, len(b.sorted))
}

// deliverDense is a counting sort by target. Each part of the outboxes counts
// by itself, so that parts can be placed at the same time and in order.
func (b *inbox[M]) deliverDense(n, total int, outbox [][]sent[M], p Pool) error {
	b.sparse = false
	bounds := partBounds(outbox, total, p.Workers())
	parts := len(bounds) - 1
	for len(b.counts) < parts {
		b.counts = append(b.counts, mem.Make[uint32](n))
	}
	err := p.For(parts, func(i int, _ *Worker) {
		clear(b.counts[i])
		for _, box := range outbox[bounds[i]:bounds[i+1]] {
			for k := range box {
				b.counts[i][box[k].to]++
			}
		}
	})
	if err != nil {
		return err
	}
	b.sum(n, parts)
	return p.For(parts, func(i int, _ *Worker) {
		next := b.counts[i]
		for _, box := range outbox[bounds[i]:bounds[i+1]] {
			for k := range box {
				v := box[k].to
				b.messages[b.offsets[v]+uint64(next[v])] = box[k].message
				next[v]++
			}
		}
	})
}

// sum turns counts into offsets: of each vertex, and within it of each part.
func (b *inbox[M]) sum(n, parts int) {
	if b.offsets == nil {
		b.offsets = mem.Make[uint64](n + 1)
	}
	var sum uint64
	for v := range n {
		b.offsets[v] = sum
		var within uint32
		for i := range parts {
			within, b.counts[i][v] = within+b.counts[i][v], within
		}
		sum += uint64(within)
	}
	b.offsets[n] = sum
}

// partBounds cuts the outboxes into parts of about equal numbers of messages.
func partBounds[M any](outbox [][]sent[M], total, parts int) []int {
	bounds := []int{0}
	seen := 0
	for i, box := range outbox {
		seen += len(box)
		if seen >= (total*len(bounds)+parts-1)/parts && len(bounds) < parts {
			bounds = append(bounds, i+1)
		}
	}
	return append(bounds, len(outbox))
}
