package pregel

import "time"

// A Brief is a short superstep that has all in common with the one before it but these
// numbers: it was pushed along a list, all its arcs were sent along, by one worker,
// without atomics. It has 4 bytes, and stands for all that are alike in a row, as a run
// can do twenty millions in a second, and whoever notes them should take no time beside.
type Brief struct {
	Awake, Arcs uint8 // as of a StepRecord, whose Next is Awake of the superstep after
	Done        uint8 // arcs at vertices that the superstep before has done with
	Times       uint8 // so many supersteps in a row are such; at least 1
}

// Briefs are short supersteps that follow each other, and were timed together. Where the
// superstep before the first was one of other Briefs, they go on from there.
type Briefs struct {
	Superstep int           // the first
	Count     int           // supersteps
	Time      time.Duration // of all
	Law       Law           // of the numbers of their Choice, whose rule is that of the superstep before the first
	Left      uint64        // arcs at vertices not done with, before the superstep before the first
	Pushed    uint64        // arcs that were pushed along before the first
	Next      uint64        // as of a StepRecord, of the last
	List      []Brief       // good until whoever is told returns
}

// Add adds a superstep.
func (b *Briefs) Add(s Brief) {
	b.Count++
	if k := len(b.List); k > 0 && b.List[k-1].Repeat(s) {
		return
	}
	b.List = append(b.List, s)
}

// Repeat has a Brief stand for another, too, if they are alike.
func (s *Brief) Repeat(t Brief) bool {
	if s.Awake != t.Awake || s.Arcs != t.Arcs || s.Done != t.Done || s.Times+t.Times < t.Times {
		return false
	}
	s.Times += t.Times
	return true
}

// Part is the time of one of them: an equal one, but that the first has what is left.
func (b *Briefs) Part(i int) time.Duration {
	n := time.Duration(b.Count)
	if i == 0 {
		return b.Time - (n-1)*(b.Time/n)
	}
	return b.Time / n
}

// each calls f for each, with a record like that of the superstep before but for what a
// Brief has, and without a detail.
func (b *Briefs) each(last *StepRecord, f func(StepRecord)) {
	last.Detail = nil
	i := 0
	for k, s := range b.List {
		last.Awake, last.Arcs, last.Next = uint64(s.Awake), uint64(s.Arcs), uint64(s.Awake)
		for left := s.Times; left > 0; left-- {
			if left == 1 {
				last.Next = b.after(k)
			}
			last.Superstep, last.Time = b.Superstep+i, b.Part(i)
			f(*last)
			i++
		}
	}
}

// after is how many are awake after number k of the list.
func (b *Briefs) after(k int) uint64 {
	if k+1 == len(b.List) {
		return b.Next
	}
	return uint64(b.List[k+1].Awake)
}

// A Law gives the numbers of a Choice from what supersteps do.
type Law struct {
	Each               uint64 // Have is so many for each arc of the frontier
	Pushed             bool   // Have is the arcs that were pushed along in all supersteps before
	Share, Plus, Least uint64 // Limit is a share of the arcs left (0: none of them), one of so many, and Plus, at least Least
}

// Have is that of a superstep with so many arcs, before which so many were pushed along.
func (l *Law) Have(arcs, pushed uint64) uint64 {
	if l.Pushed {
		return pushed
	}
	return l.Each * arcs
}

// Limit is that of a superstep before which there are so many arcs left.
func (l *Law) Limit(left uint64) uint64 {
	limit := l.Plus
	if l.Share > 0 {
		limit += left / l.Share
	}
	return max(limit, l.Least)
}
