package pregel

// A Backlog is the records of supersteps that follow each other, still to be made. A
// device does thousands of supersteps before it comes back to its host, and would wait
// until a record of each were made, with a Detail, that somebody only wants written.
type Backlog struct {
	Superstep int // the first
	Count     int
	// Make calls f with the record of each, in turn, as of supersteps from first on, with
	// a Detail where detailed. A record is good until f returns. It may be called by any
	// goroutine, when the run has gone on, and again.
	Make func(first int, detailed bool, f func(*StepRecord))
}

// Each makes the records.
func (b *Backlog) Each(detailed bool, f func(*StepRecord)) { b.Make(b.Superstep, detailed, f) }
