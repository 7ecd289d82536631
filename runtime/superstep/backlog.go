package superstep

import "gopregel/pregel"

// A Postponer is a Runner that can do supersteps as Run does, where nothing has to be
// asked between them, and leave their records to be made later.
type Postponer interface {
	Runner
	// Postpone does supersteps from s on, up to most. nil: it does none so, and Run is to be
	// called. A Count of 0 means what no records of Run do.
	Postpone(s, most int) (*pregel.Backlog, error)
}

// postpones does supersteps whose records are made later, if it can.
func (d *driver) postpones(most int) (err error) {
	if d.backlog = nil; d.postponer != nil && most > 1 {
		d.backlog, err = d.postponer.Postpone(d.superstep, most)
	}
	return err
}

// observeBacklog hands them on.
func (d *driver) observeBacklog() {
	d.ended = d.now()
	d.limits.Backlog(d.backlog)
}
