package pregel

import "gopregel/pregel/mem"

// rooms are arrays of one worker's own in which what nobody relies on may stand: they are written
// before they are read. They are the next run's without being cleared, as a search of a graph of 7000
// vertices takes a twentieth longer with fresh ones.
type rooms struct {
	seek    seekRoom
	begins  [reachedAtOnce]uint64 // of the rows of those reached
	degrees [BlockSize]uint32     // of the vertices of a block
	_       [504]byte             // a page in all, so that those of a worker alone are kept, too
}

// takeRooms takes those of so many workers.
func takeRooms(workers int) []rooms { return mem.Take[rooms](workers) }
