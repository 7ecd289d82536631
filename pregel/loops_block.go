package pregel

import (
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// The loops over all rows of a block, when everybody is awake and offers travel
// unchanged. Rows are short in most graphs: a call for each, with its arguments,
// took longer than the sum of four numbers (measured on grids).
//
// The bounds are the offsets of a block's rows, one more than there are, narrow or wide: row i is
// us[bounds[i]:bounds[i+1]]. Messages are combined as gather does, in the order of the
// row but for long sums. The last offer is nobody's, but the identity.

// longRow is from how many offers on a sum is made of four lanes, of every fourth offer
// each, but for the last up to four: where each addition waits for the one before, that is
// most of the time if offers lie in near caches.
const longRow = mem.SumLanes

// block has mem.SumRows do it, and does it itself where that does not, for integers, say,
// and at the end of the graph. It then comes upon what kept that from it, too.
func (sumLoops[T]) block(id T, messages, offers []T, us []uint32, rows graph.Offsets) {
	narrow, wide := rows.Lists()
	switch {
	case mem.SumRows(messages, offers, us, rows):
	case rows.Wide():
		sumBlock(id, messages, offers, us, wide)
	default:
		sumBlock(id, messages, offers, us, narrow)
	}
}

// sumBlock is block. Four at a time take two thirds of the time where all rows have four, as in a grid. In
// most graphs nobody can foretell where a row ends, and that it was wrong costs a
// processor as much as five sums: so what is left of a row, up to four, is always four
// offers, the identity for those that are not there. Road networks 5.5 ns a vertex to 2.5,
// webs and Kronecker 0.92 to 0.97 ns an arc to 0.90 and 0.88 (one worker, one lane, these
// loops alone, in a program that is not kept).
func sumBlock[T Number, O uint32 | uint64](id T, messages, offers []T, us []uint32, bounds []O) {
	bounds = bounds[:len(messages)+1]
	at, last := uint64(bounds[0]), uint64(bounds[len(messages)])
	if last-at == 4*uint64(len(messages)) || last+4 > uint64(len(us)) {
		evenBlock(id, messages, offers, us, bounds)
		return
	}
	ends, none := bounds[1:][:len(messages)], uint32(len(offers)-1)
	for i := range messages {
		acc, end := id, uint64(ends[i])
		if end >= at+longRow {
			a, b, c, d := id, id, id, id
			for ; at+4 < end; at += 4 {
				four := us[at : at+4 : at+4]
				a += offers[four[0]]
				b += offers[four[1]]
				c += offers[four[2]]
				d += offers[four[3]]
			}
			acc = (a + b) + (c + d)
		}
		for ; at+4 < end; at += 4 {
			four := us[at : at+4 : at+4]
			acc += offers[four[0]]
			acc += offers[four[1]]
			acc += offers[four[2]]
			acc += offers[four[3]]
		}
		rest, left := us[at:at+4:at+4], int64(end-at)
		acc += offers[none^(none^rest[0])&uint32((0-left)>>63)]
		acc += offers[none^(none^rest[1])&uint32((1-left)>>63)]
		acc += offers[none^(none^rest[2])&uint32((2-left)>>63)]
		acc += offers[none^(none^rest[3])&uint32((3-left)>>63)]
		messages[i], at = acc, end
	}
}

func (sumLoops[T]) joined(lanes *[4]T) T { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) }

func (sumLoops[T]) spread(lanes *[4]T, list []T) {
	a, b, c, d := lanes[0], lanes[1], lanes[2], lanes[3]
	for ; len(list) >= 4; list = list[4:] {
		a += list[0]
		b += list[1]
		c += list[2]
		d += list[3]
	}
	*lanes = [4]T{a, b, c, d}
	for i, x := range list {
		lanes[i] += x
	}
}

// row is gather of offers as they are.
func (sumLoops[T]) row(id, acc T, offers []T, us []uint32) T {
	if len(us) >= longRow {
		a, b, c, d := acc, id, id, id
		for ; len(us) > 4; us = us[4:] {
			a += offers[us[0]]
			b += offers[us[1]]
			c += offers[us[2]]
			d += offers[us[3]]
		}
		acc = (a + b) + (c + d)
	}
	for _, u := range us {
		acc += offers[u]
	}
	return acc
}

// eachBlock is block by a call for each row.
func eachBlock[T Number, O uint32 | uint64](id T, messages, offers []T, us []uint32, bounds []O) {
	for i := range messages {
		messages[i] = sumLoops[T]{}.row(id, id, offers, us[bounds[i]:bounds[i+1]])
	}
}

// evenBlock is block for rows whose ends are foretold, and for the last ones of all.
func evenBlock[T Number, O uint32 | uint64](id T, messages, offers []T, us []uint32, bounds []O) {
	at, ends := uint64(bounds[0]), bounds[1:][:len(messages)]
	for i := range messages {
		acc, end := id, uint64(ends[i])
		if end == at+4 {
			four := us[at : at+4 : at+4]
			acc += offers[four[0]]
			acc += offers[four[1]]
			acc += offers[four[2]]
			acc += offers[four[3]]
			messages[i], at = acc, end
			continue
		}
		if end >= at+longRow {
			eachBlock(id, messages[i:], offers, us, bounds[i:])
			return
		}
		for ; at < end; at++ {
			acc += offers[us[at]]
		}
		messages[i] = acc
	}
}

func (minLoops[T]) block(id T, messages, offers []T, us []uint32, rows graph.Offsets) {
	if narrow, wide := rows.Lists(); rows.Wide() {
		minBlock(id, messages, offers, us, wide)
	} else {
		minBlock(id, messages, offers, us, narrow)
	}
}

func minBlock[T Number, O uint32 | uint64](id T, messages, offers []T, us []uint32, bounds []O) {
	bounds = bounds[:len(messages)+1]
	at := bounds[0]
	for i := range messages {
		acc, end := id, bounds[i+1]
		for _, u := range us[at:end] {
			if x := offers[u]; x < acc {
				acc = x
			}
		}
		messages[i], at = acc, end
	}
}

func (maxLoops[T]) block(id T, messages, offers []T, us []uint32, rows graph.Offsets) {
	if narrow, wide := rows.Lists(); rows.Wide() {
		maxBlock(id, messages, offers, us, wide)
	} else {
		maxBlock(id, messages, offers, us, narrow)
	}
}

func maxBlock[T Number, O uint32 | uint64](id T, messages, offers []T, us []uint32, bounds []O) {
	bounds = bounds[:len(messages)+1]
	at := bounds[0]
	for i := range messages {
		acc, end := id, bounds[i+1]
		for _, u := range us[at:end] {
			if x := offers[u]; x > acc {
				acc = x
			}
		}
		messages[i], at = acc, end
	}
}

func (orLoops[T]) block(id T, messages, offers []T, us []uint32, rows graph.Offsets) {
	if narrow, wide := rows.Lists(); rows.Wide() {
		orBlock(id, messages, offers, us, wide)
	} else {
		orBlock(id, messages, offers, us, narrow)
	}
}

func orBlock[T Integer, O uint32 | uint64](id T, messages, offers []T, us []uint32, bounds []O) {
	bounds = bounds[:len(messages)+1]
	at := bounds[0]
	for i := range messages {
		acc, end := id, bounds[i+1]
		for _, u := range us[at:end] {
			acc |= offers[u]
		}
		messages[i], at = acc, end
	}
}
