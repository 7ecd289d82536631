package trace

import "math/bits"

// This file makes columns of collected records. Those of short supersteps are so much
// alike that a column is mostly a few numbers again and again, and is written as those:
// none of its numbers is then looked at.

// A level is the number of records from one on.
type level struct {
	at int // the record
	x  uint64
}

// A desk is where columns are made, of one batch after the other.
type desk struct {
	levels  [numbers][]level // but for nanoseconds
	times   []uint64         // nanoseconds
	columns [numbers][]uint64
}

func (d *desk) clear() {
	d.times = d.times[:0]
	for k := range d.levels {
		d.levels[k] = append(d.levels[k][:0], level{})
	}
}

// turn puts all records on the desk, if that is not done.
func (b *steps) turn() {
	if b.most == 0 || b.turned == b.count {
		return
	}
	if b.desk == nil {
		b.desk = &desk{}
	}
	b.desk.clear()
	b.turned = b.count
	changes, time := b.changes, uint64(0)
	for at, left := range b.changed {
		for ; left != 0; left &= left - 1 {
			k, x := bits.TrailingZeros16(left), changes[0]
			if changes = changes[1:]; k == stepNanoseconds {
				time = x
			} else {
				b.desk.set(k, at, x)
			}
		}
		b.desk.times = append(b.desk.times, time)
	}
}

// set gives a record a number, and those after it, until they are given another.
func (d *desk) set(k, at int, x uint64) {
	last := &d.levels[k][len(d.levels[k])-1]
	switch {
	case last.x == x:
	case last.at == at:
		last.x = x
	default:
		d.levels[k] = append(d.levels[k], level{at, x})
	}
}

// constant tells whether a number is the same in all records.
func (b *steps) constant(k int) bool { return k != stepNanoseconds && len(b.desk.levels[k]) == 1 }

// column is a number of each record.
func (b *steps) column(k int) []uint64 {
	if b.columns[k] == nil {
		b.columns[k] = b.spread(k)
	}
	return b.columns[k]
}

func (b *steps) spread(k int) []uint64 {
	if k == stepNanoseconds {
		return b.desk.times
	}
	if len(b.desk.columns[k]) < b.records {
		b.desk.columns = makeColumns(max(b.most, b.records)) // a batch may have more than there was room for
	}
	list := b.desk.columns[k][:b.records]
	end := b.records
	levels := b.desk.levels[k]
	for i := len(levels) - 1; i >= 0; i-- {
		fill(list[levels[i].at:end], levels[i].x, 0)
		end = levels[i].at
	}
	return list
}

// fill gives the numbers of a list, each by the same above the one before.
func fill(list []uint64, x, by uint64) {
	for i := range list {
		list[i] = x
		x += by
	}
}

// part gives supersteps that were timed together equal parts, the first what is left.
func part(list []uint64, sum uint64) {
	n := uint64(len(list))
	fill(list, sum/n, 0)
	list[0] += sum % n
}

// makeColumns makes room for columns.
func makeColumns(most int) (columns [numbers][]uint64) {
	const apart = 8 // they would otherwise share their places in a cache
	all := make([]uint64, numbers*(most+apart))
	for k := range columns {
		columns[k] = all[k*(most+apart):][:most:most]
	}
	return columns
}
