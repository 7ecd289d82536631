package pregel

import "time"

// A Brief is a short superstep that has all in common with the one before it but these
// numbers: it was pushed along a list, all its arcs were sent along, by one worker,
// without atomics. It has 8 bytes, as a run can do several millions in a second, and
// whoever notes them should take no longer than they do.
type Brief struct {
	Awake, Arcs, Next uint8 // as of a StepRecord
	Have, Limit       int16 // by how much those of Detail.Why are above those of the one before
}

// Briefs are short supersteps that follow each other, and were timed together.
type Briefs struct {
	Superstep int           // the first
	Time      time.Duration // of all
	Why       Choice        // of the superstep before the first, which was observed: the rule of all
	List      []Brief       // good until whoever is told returns
}

// Part is the time of one of them: an equal one, but that the first has what is left.
func (b *Briefs) Part(i int) time.Duration {
	n := time.Duration(len(b.List))
	if i == 0 {
		return b.Time - (n-1)*(b.Time/n)
	}
	return b.Time / n
}

// each calls f for each, with a record like that of the superstep before but for what a
// Brief has, and without a detail.
func (b *Briefs) each(last *StepRecord, f func(StepRecord)) {
	last.Detail = nil
	for i, s := range b.List {
		last.Superstep, last.Time = b.Superstep+i, b.Part(i)
		last.Awake, last.Arcs, last.Next = uint64(s.Awake), uint64(s.Arcs), uint64(s.Next)
		f(*last)
	}
}
