package trace

import "math/bits"

// This file makes columns of collected supersteps. Short ones are so much alike that a
// column is mostly a few ramps, and is written as those: none of its numbers is then
// looked at.

// A ramp is the numbers of supersteps from one on, each by the same above that before.
type ramp struct {
	at       int // the superstep
	from, by uint64
}

// A desk is where columns are made, of one batch after the other.
type desk struct {
	ramps   [numbers][]ramp // but for nanoseconds
	sums    []uint64        // nanoseconds of each superstep, or of those that were timed together
	columns [numbers][]uint64
}

// after is the number at a superstep of the ramp.
func (r ramp) after(at int) uint64 { return r.from + uint64(at-r.at)*r.by }

func (d *desk) clear() {
	d.sums = d.sums[:0]
	for k := range d.ramps {
		d.ramps[k] = append(d.ramps[k][:0], ramp{})
	}
}

func (d *desk) last(k int) *ramp { return &d.ramps[k][len(d.ramps[k])-1] }

// turned is what of steps is on the desk.
type turned struct {
	count            int
	records, changes int
	briefs, groups   int
	time             uint64 // of the last superstep
}

// turn puts all on the desk, if that is not done.
func (b *steps) turn() {
	if b.most == 0 || b.turned.count == b.count {
		return
	}
	if b.desk == nil {
		b.desk = &desk{}
	}
	b.desk.clear()
	for t := &b.turned; t.count < b.count; {
		if b.briefs.follow(t) {
			b.turnBriefs()
		} else {
			b.turnRecord()
		}
	}
}

func (b *steps) turnRecord() {
	t := &b.turned
	for left := b.changed[t.records]; left != 0; left &= left - 1 {
		k := bits.TrailingZeros16(left)
		if x := b.changes[t.changes]; k == stepNanoseconds {
			t.time = x
		} else {
			b.set(k, x, 0)
		}
		t.changes++
	}
	b.desk.sums = append(b.desk.sums, t.time)
	t.records++
	t.count++
}

// set gives the superstep that is turned a number, and those after it, until they are
// given another, by more each.
func (b *steps) set(k int, x, by uint64) {
	last, at := b.desk.last(k), b.turned.count
	switch {
	case last.by == by && last.after(at) == x:
	case last.at == at:
		last.from, last.by = x, by
	default:
		b.desk.ramps[k] = append(b.desk.ramps[k], ramp{at, x, by})
	}
}

// constant tells whether a number is the same in all supersteps.
func (b *steps) constant(k int) bool {
	list := b.desk.ramps[k]
	return k != stepNanoseconds && len(list) == 1 && (list[0].by == 0 || b.count == 1)
}

// column is a number of each superstep.
func (b *steps) column(k int) []uint64 {
	if b.columns[k] == nil {
		b.columns[k] = b.spread(k)
	}
	return b.columns[k]
}

func (b *steps) spread(k int) []uint64 {
	if len(b.desk.columns[k]) < b.count {
		b.desk.columns = makeColumns(max(b.most, b.count)) // an engine may give more at once than there was room for
	}
	list := b.desk.columns[k][:b.count]
	if k == stepNanoseconds {
		b.share(list)
		return list
	}
	end := b.count
	ramps := b.desk.ramps[k]
	for i := len(ramps) - 1; i >= 0; i-- {
		r := ramps[i]
		r.fill(list[r.at:end])
		end = r.at
	}
	return list
}

func (r ramp) fill(list []uint64) {
	x := r.from
	for i := range list {
		list[i] = x
		x += r.by
	}
}

// share gives supersteps their nanoseconds.
func (b *steps) share(list []uint64) {
	groups, at := b.briefs.groups, 0
	for _, sum := range b.desk.sums {
		n := 1
		if len(groups) > 0 && int(groups[0].at) == at {
			n, groups = int(groups[0].n), groups[1:]
		}
		part(list[at:at+n], sum)
		at += n
	}
}

// part gives supersteps that were timed together equal parts, the first what is left.
func part(list []uint64, sum uint64) {
	n := uint64(len(list))
	ramp{from: sum / n}.fill(list)
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
