package pregel

import (
	"math/bits"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/mem"
)

// This file empties the bins of edgebin.go: a value takes the least message that was thrown for it,
// if it is at rest or was reached in this superstep. Whoever empties a bin looks at its values before
// and after: those that were at rest, and are not any more, are added to the next frontier. Nobody
// else writes to these, so there are no atomics; O(1) for each arc, and O(n) a round.

func (b *binned[V, M]) Empty(k int, w *Worker, next bitmap.Bitmap) {
	a := b.task.arrivals
	if a.words32 != nil {
		emptyBin(b, k, a.words32, waveOf[uint32](a, w.Superstep), next, w)
	} else {
		emptyBin(b, k, a.words64, waveOf[uint64](a, w.Superstep), next, w)
	}
}

func emptyBin[V, M any, W uint32 | uint64](b *binned[V, M], k int, words []W, f mem.Wave[W], next bitmap.Bitmap, w *Worker) {
	lo := k << b.shift
	words = words[lo:min(lo+1<<b.shift, len(words))]
	settled := b.task.settled[lo/BlockSize:][:(len(words)+BlockSize-1)/BlockSize]
	if next = next[lo/BlockSize:][:len(settled)]; !b.later {
		clear(next)
	}
	for i := range settled {
		settled[i] = mem.Unlike(ofBlock(words, i), f.Rest)
	}
	for i := range b.desks {
		b.desks[i].each(k, func(arcs []uint32, base uint32) { takeBinned(words, &f, arcs, b.list[base:]) })
	}
	arcs := uint64(0)
	for i, before := range settled {
		settled[i] = mem.Unlike(ofBlock(words, i), f.Rest)
		if fresh := settled[i] &^ before; fresh != 0 {
			next[i] |= fresh
			w.Awake += uint64(bits.OnesCount64(fresh))
			v := lo + i*BlockSize
			arcs += b.task.offsets.Slice(uint32(v), min(BlockSize, b.task.g.N()-v)).Of(fresh)
		}
	}
	w.AwakeArcs += arcs
	w.DoneArcs += arcs
}

// each calls do for the rows of bin k.
func (d *binDesk) each(k int, do func(arcs []uint32, base uint32)) {
	o := &d.open[k]
	if o.arcs != nil {
		do(o.arcs[:o.n], d.base)
	}
	for at := o.last; at > 0; at = d.rows[at-1].last {
		do(d.rows[at-1].arcs, d.rows[at-1].base)
	}
}

// takeBinned gives words what was thrown for them by those of us. Half of the arcs lead to who takes
// the message, and nobody could foretell which, so there is no branch on that.
func takeBinned[W uint32 | uint64](words []W, f *mem.Wave[W], arcs, us []uint32) {
	rest, stamp, message, shift := f.Rest, f.Stamp, f.Message, f.Shift&63
	for _, arc := range arcs {
		x, next := words[arc&0xffff], stamp|W(us[arc>>16])<<shift&message
		_, rests := bits.Sub64(uint64(x^rest), 1, 0)
		_, same := bits.Sub64(uint64((x^stamp)&^message), 1, 0)
		_, less := bits.Sub64(uint64(next), uint64(x), 0)
		words[arc&0xffff] = x ^ (x^next)&-W(rests|same&less)
	}
}

func (b *binned[V, M]) Round() {
	b.later = true
	b.room.taken.Store(0)
	for i := range b.desks {
		d := &b.desks[i]
		for k := range d.open {
			d.open[k] = openBin{n: binRow}
		}
		for _, piece := range d.other {
			mem.Give(piece)
		}
		clear(d.rows)
		d.rows, d.other, d.spare, d.base = d.rows[:0], d.other[:0], nil, 0
	}
}

func (b *binned[V, M]) Close() {
	mem.Give(b.room.arcs)
	b.list, b.room.arcs = nil, nil
	b.task.arrivals.marked()
}
