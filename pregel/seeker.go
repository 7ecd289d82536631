package pregel

import (
	"math/bits"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
)

// A seeker finds the first awake neighbours of vertices, a block at a time.
//
// Where the first neighbour is often the one, the first neighbours of a block are read at once,
// so that their cache misses overlap: no branch is in the way, not even on whether a vertex has
// neighbours. Kronecker 20, the superstep that reaches most vertices, by one worker (these
// loops alone, in a program that is not kept): 12.5 ms, against 17.3 for a loop over vertices
// and their neighbours. Where most of a block seek, all are read (mem.SeekFirst).
// Where awake vertices are rare, the first neighbours are read in vain (uniform 20: 57
// ms and 44), so that is left out while few of them are awake.
type seeker struct {
	c    graph.CSR
	w    *Worker
	full bool // few of the last block's rows looked at were empty
	vain bool // few of the last block's first neighbours were awake
	asks bool // where rows begin is asked for
	*seekRoom
}

// seekRoom is what a seeker writes.
type seekRoom struct {
	room    [BlockSize + 1]uint64
	weights [BlockSize]float64 // of the arcs to those in source (edgeseek.go)
	source  [BlockSize]uint32
}

// A block whose first neighbours are awake for fewer than one in seekShare is left
// to a loop over vertices.
const seekShare = 4

// lineOfArcs is how many arcs lie in a cache line.
const lineOfArcs = 16

// aheadBlocks are looked at while the first neighbours of the next one are asked for: a block's own
// reads are a few under way together, as some hundreds of instructions are. BFS by two workers, in
// turn, medians of five calls of 36 runs: Kronecker 20 21.7 to 15.9 ms, one block ahead 16.5, three 18.1; 18 6.1 to
// 4.3; uniform 20 26.3 to 23.0.
const aheadBlocks = 2

// askFrom is how many neighbours, of 4 bytes, are too many for the caches: of fewer, asking is what
// takes the time. BFS without it, in turn: Kronecker 15 (0.9 million) 0.96 to 0.98, 16 (1.8) 1.01 to
// 1.02, which is within what it varies by, 17 (3.7) 1.16 to 1.18 of the time.
const askFrom = 1 << 21

// So few rows of a block are looked at by a loop: to begin mem.SeekRows takes as long as that.
const fewRows = 4

// Whatever those before were like, every so many blocks one is looked at.
const lookEach = 16

// over has the seeker look at the neighbours in c for a worker.
func (s *seeker) over(c graph.CSR, w *Worker) {
	s.c, s.w, s.full, s.vain, s.asks = c, w, false, false, len(c.Targets) >= askFrom
}

// ahead asks for where the rows of the block aheadBlocks from i on begin, of those up to hi that
// are not settled.
func (s *seeker) ahead(i int, hi uint32, settled bitmap.Bitmap) {
	i += aheadBlocks
	if !s.asks || (i+1)*BlockSize > int(hi) {
		return
	}
	run := ^uint64(0)
	if settled != nil {
		run &^= settled[i]
	}
	s.c.Offsets.PrefetchFirst(uint32(i*BlockSize), s.c.Targets, run)
}

// awake finds the first awake neighbours of the vertices run of block i: hit are
// those that have one, left in source.
func (s *seeker) awake(i int, run uint64, f Frontier) (hit uint64) {
	if run == 0 {
		return 0
	}
	lo := uint32(i * BlockSize)
	rows := min(BlockSize, s.c.N()-i*BlockSize)
	look, few := i%lookEach == 0, bits.OnesCount64(run) < BlockSize/4
	if rows < BlockSize || !look && s.full && (s.vain || few) {
		return s.search(lo, rows, 0, run, f)
	}
	some, several := s.c.Offsets.Rows(lo)
	s.full = bits.OnesCount64(run&^some)*16 <= bits.OnesCount64(run)
	run &= some
	if many := bits.OnesCount64(run); many < BlockSize/4 || s.vain && !look {
		return s.search(lo, rows, 0, run, f)
	}
	hit = run & s.first(lo, s.worth(lo, run), f)
	rest := run &^ hit & several
	s.vain = bits.OnesCount64(run&^rest)*seekShare < bits.OnesCount64(run)
	return hit | s.search(lo, rows, 1, rest, f)
}

// worth are those of the block from lo on whose first neighbours are read: all, where they
// lie near each other, as to leave any out takes longer.
func (s *seeker) worth(lo uint32, run uint64) uint64 {
	if s.c.Offsets.Between(lo, lo+BlockSize) < BlockSize*lineOfArcs {
		return ^uint64(0)
	}
	return run
}

// first looks at the first neighbours of those of run of the block from lo on, or of all, which it
// leaves in source, and tells of whom they are awake. A vertex without any reads another's.
func (s *seeker) first(lo uint32, run uint64, f Frontier) (hit uint64) {
	if !f.All {
		if hit, done := s.c.Offsets.SeekFirst(lo, &s.source, f.Bits, s.c.Targets, run); done {
			return hit
		}
	}
	last, offsets := uint64(len(s.c.Targets)-1), s.c.Offsets.Window(lo, BlockSize, s.room[:])
	for k := range s.source {
		s.source[k] = s.c.Targets[min(offsets[k], last)]
	}
	if f.All {
		return ^uint64(0)
	}
	for k, u := range s.source {
		s.w.At = lo + uint32(k)
		hit = hit>>1 | f.Bits[u>>6]>>(u&63)<<63
	}
	return hit
}

// search looks at the neighbours of the vertices run of the block from lo on, from number from on,
// until one is awake. Where mem.SeekRows does not, as of a graph that is damaged, the loop
// finds the vertex, and of few rows at once.
func (s *seeker) search(lo uint32, rows int, from, run uint64, f Frontier) (hit uint64) {
	if run == 0 {
		return 0
	}
	targets, awake := s.c.Targets, f.Bits
	if !f.All && bits.OnesCount64(run) > fewRows {
		if hit, done := s.c.Offsets.SeekRows(lo, rows, &s.source, awake, targets, from, run); done {
			return hit
		}
	}
	for ; run != 0; run &= run - 1 {
		k := bits.TrailingZeros64(run) % BlockSize
		s.w.At = lo + uint32(k)
		begin, end := s.c.Offsets.Row(s.w.At)
		row := targets[begin+from : end]
		if f.All {
			if len(row) > 0 {
				s.source[k] = row[0]
				hit |= run & -run
			}
			continue
		}
		for _, u := range row {
			if awake[u>>6]>>(u&63)&1 != 0 {
				s.source[k] = u
				hit |= run & -run
				break
			}
		}
	}
	return hit
}
