package pregel

import (
	"math/bits"
	"sync/atomic"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/mem"
)

// This file sends for an Arriver (edgearrive.go) along very many arcs, without an atomic
// operation. The arcs of the frontier are thrown into bins, one for the targets of each range of
// vertices; then each bin is emptied by one worker, who alone writes the values of that
// range, and has them in its cache. (Propagation blocking: Beamer, Asanović and Patterson, Reducing
// Pagerank Communication via Propagation Blocking, IPDPS 2017; there values are thrown, here places
// in the frontier, of two bytes.) Where workers swap values far from each other, each waits for
// a line that another has just written: on uniform 20 by two workers, the superstep that reaches
// most took a third longer.
//
// How bins are emptied: edgeunbin.go.
//
// Cost: in each round, four bytes written and read for each arc, and all values looked at twice. Rows
// that are not full take, for each worker, bin and base, what 120 arcs do.
//
// Invariant: between two rounds, bits of who is settled are those of values not at rest.

// Bins are a superstep of an Arriver, whose frontier is not empty. Throw is called for all of it
// or, in rounds, for a part; Empty then for each of the bins. Calls of one of the two may run at
// the same time, each with its own worker, and those of Empty for different bins.
type Bins interface {
	// Throw throws the arcs of the vertices at places lo to hi of the frontier, or arcs from to to
	// of the one at lo: both 0 are all.
	Throw(lo, hi int, from, to uint64, w *Worker)
	// Empty takes what is in bin k to where it belongs, and adds those reached to next. In
	// the first round it sets all bits of its vertices.
	Empty(k int, w *Worker, next bitmap.Bitmap)
	// Round says that all bins are empty.
	Round()
	// Close ends the superstep.
	Close()
}

const (
	// A bin is for so many vertices at most: 64 KB of values of eight bytes, so that their cache
	// has room for what is read beside them. Where so many bins as binsMost are not enough, for more.
	binWidth = 1 << 13
	binsMost = 1 << 10
	// A worker finds so many bins, or two where rows that are not full would take more memory than
	// those that are.
	binShare = 8
	// Arcs that are in a row in memory: not a power of two, as the ends of all bins, which grow
	// alike, would then lie in the same few lines of a cache.
	binRow  = 240
	binRows = 1 << 15 / binRow // for which memory is taken at once
)

// binned are the bins of a superstep. A thrown arc has in its lower half the target, from the
// first vertex of its bin on, in the upper one the sender's place in the frontier, from a base on.
type binned[V, M any] struct {
	task  *edgeTask[V, M]
	shift int // the bin of a vertex is its number over two to the power of it
	count int
	list  []uint32 // the frontier
	desks []binDesk
	room  binRoom
	later bool // this is not the first round
}

// binRoom is memory for what is thrown, of as many arcs as there are vertices: a column of the
// answer may lie in it next. Who finds none there any more takes other.
type binRoom struct {
	arcs  []uint32
	taken atomic.Int64 // pieces of it
}

// piece returns the next piece; nil: there is none.
func (r *binRoom) piece() []uint32 {
	const size = binRows * binRow
	if lo := int(r.taken.Add(1)-1) * size; lo+size <= len(r.arcs) {
		return r.arcs[lo : lo+size]
	}
	return nil
}

// A binDesk is what one worker throws.
type binDesk struct {
	open  []openBin
	rows  []binFull
	base  uint32 // of what is thrown into the open bins
	room  *binRoom
	other [][]uint32 // taken beside it
	spare []uint32   // what is left of the last piece
	_     [64]byte
}

// An openBin is the row of a bin that takes more.
type openBin struct {
	arcs *[binRow]uint32 // nil: there is none
	n    int             // of them there are; binRow: it takes no more
	last int             // the row before in rows, from one on
}

// binFull is a row that takes no more.
type binFull struct {
	arcs []uint32
	base uint32
	last int // the row before of the same bin
}

// Bins begins a superstep that sends from a frontier, and tells how many bins there are. It
// is for tasks with Traits.Arrives.
func (t *edgeTask[V, M]) Bins(list []uint32, workers int) (Bins, int) {
	b := t.bins
	if b == nil {
		b = newBins(t, workers)
		t.bins = b
	}
	b.list, b.later, b.room.arcs = list, false, mem.Take[uint32](t.g.N())
	return b, b.count
}

func newBins[V, M any](t *edgeTask[V, M], workers int) *binned[V, M] {
	n := t.g.N()
	width := widthOfBins(n, workers)
	b := &binned[V, M]{task: t, shift: bits.TrailingZeros(uint(width)), count: (n + width - 1) / width, desks: make([]binDesk, workers)}
	for i := range b.desks {
		d := &b.desks[i]
		d.room, d.open = &b.room, make([]openBin, b.count)
		for k := range d.open {
			d.open[k].n = binRow
		}
	}
	return b
}

func widthOfBins(n, workers int) int {
	width, most := binWidth, max(2*workers, n/(2*binRow*workers))
	for width > BlockSize && n/width < min(binShare*workers, most) {
		width /= 2
	}
	for width < 1<<16 && n/width > min(binsMost, most) {
		width *= 2
	}
	return width
}

func (b *binned[V, M]) Throw(lo, hi int, from, to uint64, w *Worker) {
	c, d, t := b.task.sending[0], &b.desks[w.Slot], touch{w: w}
	if to > 0 {
		d.rebase(uint32(lo))
		d.throw(uint32(lo), c.Targets[from:to], b.shift)
		w.Arcs += to - from
		return
	}
	for lo < hi {
		end := min(lo+batch, hi, lo|0xffff+1)
		us := b.list[lo:end]
		spans := spansOf(us, c, &t)
		for i := range us {
			mem.PrefetchAll(start(spans.of(i, c)))
		}
		d.rebase(uint32(lo))
		for i := range us {
			d.throw(uint32(lo+i), spans.of(i, c), b.shift)
		}
		lo = end
	}
}

// rebase closes all bins, if what is thrown next is of another base.
func (d *binDesk) rebase(place uint32) {
	base := place &^ 0xffff
	if base == d.base {
		return
	}
	for k := range d.open {
		d.close(&d.open[k])
	}
	d.base = base
}

// throw throws arcs of who is at a place of the frontier.
func (d *binDesk) throw(place uint32, vs []uint32, shift int) {
	by, width := place<<16, uint32(1)<<(shift&31)
	for _, v := range vs {
		o := &d.open[v>>(shift&31)]
		if o.n == binRow {
			d.next(o)
		}
		o.arcs[o.n] = by | v&(width-1)
		o.n++
	}
}

// close ends the open row of a bin.
func (d *binDesk) close(o *openBin) {
	if o.arcs != nil {
		d.rows = append(d.rows, binFull{o.arcs[:o.n], d.base, o.last})
		*o = openBin{n: binRow, last: len(d.rows)}
	}
}

// next opens a row for a bin whose last is full.
func (d *binDesk) next(o *openBin) {
	d.close(o)
	if len(d.spare) < binRow {
		d.spare = d.piece()
	}
	o.arcs, o.n, d.spare = (*[binRow]uint32)(d.spare), 0, d.spare[binRow:]
}

func (d *binDesk) piece() []uint32 {
	if piece := d.room.piece(); piece != nil {
		return piece
	}
	piece := mem.Take[uint32](binRows * binRow)
	d.other = append(d.other, piece)
	return piece
}
