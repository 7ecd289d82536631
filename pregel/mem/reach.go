package mem

import "unsafe"

// This file sends along rows for words that take a message once, or a lesser one in its
// place: a superstep of a breadth-first search, in assembly. Cost: a look at the word of each
// arc, and a compare and swap for each that takes its message.

// A Wave is how messages are written into words: a word that is Rest takes any, and one
// of this Stamp a lesser one than it has. Message are the bits in which a word has it, none
// or 32 of them from Shift on. Rest and what is made by another stamp differ from Stamp
// in other bits.
type Wave[W uint32 | uint64] struct {
	Rest, Stamp, Message W
	Shift                int
}

// Word is the word that has a message.
func (f Wave[W]) Word(message uint32) W {
	return f.Stamp | W(message)<<(uint(f.Shift)%64)&f.Message
}

// Takes tells whether a word x becomes next, of this wave: of two with the same stamp the
// lesser has the lesser message.
func (f *Wave[W]) Takes(x, next W) bool {
	return x == f.Rest || (x^f.Stamp)&^f.Message == 0 && x > next
}

// Arcs are rows of numbers.
type Arcs struct {
	Offsets Offsets
	Targets []uint32
}

// Reached is what ReachRows has done.
type Reached struct {
	Rows, Arcs uint64
	Next       uint64 // words that were at rest: so many indices are in the list
}

// reaching is what the assembly works on.
type reaching struct {
	words            unsafe.Pointer
	n                uint64 // words
	rest, stamp      uint64
	message, other   uint64 // bits, and all but those
	shift            uint64
	offsets, targets unsafe.Pointer
	end              uint64 // of the targets
	us               unsafe.Pointer
	have, rows       uint64
	list             unsafe.Pointer
	room             uint64 // of the list; then where it ends
	done             Reached
}

// ReachRows sends u along row u, for the first so many of us: each word of its row that takes
// u as a message has it then, and the indices of those that were at rest are put
// at the beginning of list. It ends before a row for which the list has not room enough, or that
// does not lie within arcs, or names no word; what it has done until then counts, and to
// begin that row again does no harm. Others may do so at the same time; alone: nobody does.
//
// It does no row on processors that have no reach_*.s, nor under the race detector.
//
// The lines of words and rows to come are asked for some rows ahead: of a row that in which it begins, and that of its
// fourth number, as on grids most rows that come to a new line begin in the one before. A breadth-first search
// on a grid of a million vertices by one worker takes 16 ms so, and 26 by Go's loop over
// arcs, lists of which are made ahead to be asked for.
func ReachRows[W uint32 | uint64](words []W, f Wave[W], arcs Arcs, us []uint32, rows int, list []uint32, alone bool) Reached {
	if len(words) == 0 || arcs.Offsets.Len() <= len(words) {
		return Reached{}
	}
	r := reaching{
		words: unsafe.Pointer(unsafe.SliceData(words)), n: uint64(len(words)),
		rest: uint64(f.Rest), stamp: uint64(f.Stamp), message: uint64(f.Message), other: ^uint64(f.Message), shift: uint64(f.Shift),
		offsets: arcs.Offsets.pointer(),
		targets: unsafe.Pointer(unsafe.SliceData(arcs.Targets)), end: uint64(len(arcs.Targets)),
		us: unsafe.Pointer(unsafe.SliceData(us)), have: uint64(len(us)), rows: uint64(min(rows, len(us))),
		list: unsafe.Pointer(unsafe.SliceData(list)), room: uint64(len(list)),
	}
	reachRows(&r, Size[W](), !arcs.Offsets.wide, alone)
	return r.done
}
