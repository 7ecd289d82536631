package superstep

import (
	"time"

	"gopregel/pregel"
)

// A Briefer is a Runner that can do short supersteps more cheaply, where nothing has to
// be asked between them and they have all but what a Brief has in common with the one
// that was run before.
type Briefer interface {
	Runner
	// Briefs does supersteps from s on, up to most, and appends them. It may do none.
	// With an error there are those that were over by then.
	Briefs(s, most int, list []pregel.Brief) ([]pregel.Brief, error)
	// Why is the choice of the last superstep.
	Why() pregel.Choice
}

// supersteps does those that come, and returns how many.
func (d *driver) supersteps() (n int, err error) {
	most, b := d.most(), &d.briefs
	b.List = b.List[:0]
	if d.briefer != nil && most > 1 {
		b.Superstep, b.Why = d.superstep, d.briefer.Why()
		b.List, err = d.briefer.Briefs(d.superstep, most, b.List)
		if len(b.List) > 0 || err != nil {
			return len(b.List), err
		}
	}
	if err = d.postpones(most); err != nil {
		return 0, err
	}
	if d.backlog != nil {
		return d.backlog.Count, nil
	}
	d.records, err = d.run.Run(d.superstep, most, d.records[:0])
	return len(d.records), err
}

// observeBriefs completes short supersteps.
func (d *driver) observeBriefs(start time.Duration) {
	b := &d.briefs
	d.ended = d.now()
	b.Time = d.ended - start
	d.slow = b.Time/time.Duration(len(b.List)) > slowFrom
	d.limits.Briefs(b)
}
