package graph

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// This file counts the arcs of each vertex, for Build. Counts have four bytes, and become the
// offsets in the same array where there are fewer than 2^32 arcs in all. A vertex may have more
// than that before its duplicates are dropped: what a count passes 2^32 by is carried.

func (b *builder) count(ctx context.Context, src Source) error {
	b.counts = mem.Make[uint32](b.n + 2)
	b.kind.Store(-1)
	return src.Arcs(ctx, parallel.Workers(b.Workers), func(k Block) error {
		if err := b.check(k); err != nil {
			return err
		}
		for i, u := range k.U {
			v := k.V[i]
			if u == v && b.Loops == DropLoops {
				continue
			}
			b.countArc(u)
			if u != v && !b.Directed {
				b.countArc(v)
			}
		}
		return nil
	})
}

func (b *builder) countArc(u uint32) {
	if atomic.AddUint32(&b.counts[u+2], 1) == 0 {
		b.carry(u)
	}
}

func (b *builder) carry(u uint32) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.carried == nil {
		b.carried = map[uint32]uint64{}
	}
	b.carried[u]++
}

// sum returns the number of arcs, and makes next of the counts: in their place where it is
// narrow.
func (b *builder) sum() (sum uint64, err error) {
	if len(b.carried) > 0 && b.Duplicates == KeepDuplicates {
		u := slices.Min(slices.Collect(maps.Keys(b.carried)))
		return 0, fmt.Errorf("graph: vertex %s has %d arcs, at most %d fit; without its duplicates it may", b.ids.Text(u), b.counted(int(u)+2), uint64(MaxDegree))
	}
	for i := range b.counts {
		sum += b.counted(i)
	}
	b.next = mem.NarrowOffsets(b.counts)
	if sum > narrowMost {
		b.next = MakeOffsets(len(b.counts), sum)
	}
	end := uint64(0)
	for i := range b.counts {
		end += b.counted(i)
		b.next.Set(uint32(i), end)
	}
	b.counts = nil
	return sum, nil
}

// counted is counts[i] with what was carried.
func (b *builder) counted(i int) uint64 {
	if b.carried == nil || i < 2 {
		return uint64(b.counts[i])
	}
	return uint64(b.counts[i]) + b.carried[uint32(i-2)]<<32
}
