package trace

import (
	"math/bits"
	"slices"
)

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
	levels  [numbers][]level
	columns [numbers][]uint64 // room for them
	many    uint16            // a bit for each number that has no levels, but a column
}

// One level in so many records is written shorter than those.
const fewLevels = 4

// clear makes room for so many records, in which numbers change so often. One that is
// hardly ever the same twice has no levels, which would take twice the room.
func (d *desk) clear(records int, changes *[numbers]int) {
	d.many = 0
	for k, n := range changes {
		if d.levels[k] = append(d.levels[k][:0], level{}); n > max(records/fewLevels, 1) {
			d.many |= 1 << k
			d.column(k, records)
		}
	}
}

// column is the room of a column.
func (d *desk) column(k, records int) []uint64 {
	const apart = 8 // they would otherwise share their places in a cache
	if cap(d.columns[k]) < records {
		d.columns[k] = make([]uint64, records, records+apart)
	}
	d.columns[k] = d.columns[k][:records]
	return d.columns[k]
}

// turn puts all records on the desk, if that is not done.
func (b *steps) turn() {
	if b.most == 0 || b.turned == b.count {
		return
	}
	if b.desk == nil {
		b.desk = &desk{}
	}
	d := b.desk
	d.clear(b.records, b.often())
	b.turned = b.count
	changes, last := b.changes, [numbers]uint64{}
	for at, left := range b.changed {
		for ; left != 0; left &= left - 1 {
			k, x := bits.TrailingZeros16(left), changes[0]
			changes, last[k] = changes[1:], x
			if d.many&(1<<k) == 0 {
				d.set(k, at, x)
			}
		}
		for many := d.many; many != 0; many &= many - 1 {
			k := bits.TrailingZeros16(many)
			d.columns[k][at] = last[k]
		}
	}
}

// often counts how often each number changes.
func (b *steps) often() *[numbers]int {
	var n [numbers]int
	for _, left := range b.changed {
		for ; left != 0; left &= left - 1 {
			n[bits.TrailingZeros16(left)]++
		}
	}
	return &n
}

// set gives a record a number, and those after it, until they are given another.
func (d *desk) set(k, at int, x uint64) {
	if last := &d.levels[k][len(d.levels[k])-1]; last.at == at {
		last.x = x
	} else {
		d.levels[k] = append(d.levels[k], level{at, x})
	}
}

// many tells whether a number has no levels.
func (b *steps) many(k int) bool { return b.desk.many&(1<<k) != 0 }

// constant tells whether a number is the same in all records.
func (b *steps) constant(k int) bool { return !b.many(k) && len(b.desk.levels[k]) == 1 }

// same tells whether two numbers are the same in each record.
func (b *steps) same(j, k int) bool {
	if b.many(j) || b.many(k) {
		return b.many(j) && b.many(k) && slices.Equal(b.column(j), b.column(k))
	}
	return slices.Equal(b.desk.levels[j], b.desk.levels[k])
}

// column is a number of each record.
func (b *steps) column(k int) []uint64 {
	if b.columns[k] == nil {
		b.columns[k] = b.spread(k)
	}
	return b.columns[k]
}

func (b *steps) spread(k int) []uint64 {
	list := b.desk.column(k, b.records)
	if b.many(k) {
		return list
	}
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
