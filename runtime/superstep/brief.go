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
	// Briefs does supersteps from s on, up to most, and adds them to b, in which there
	// are none; it says all but when and how long. It may do none. With an error there
	// are those that were over by then.
	Briefs(s, most int, b *pregel.Briefs) error
}

// supersteps does those that come, and returns how many.
func (d *driver) supersteps() (n int, err error) {
	most, b := d.most(), &d.briefs
	b.Superstep, b.Count, b.List = d.superstep, 0, b.List[:0]
	if d.briefer != nil && most > 1 {
		err = d.briefer.Briefs(d.superstep, most, b)
		if b.Count > 0 || err != nil {
			return b.Count, err
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
	d.slow = b.Time/time.Duration(b.Count) > slowFrom
	d.limits.Briefs(b)
}
