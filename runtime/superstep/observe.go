package superstep

import (
	"time"

	"gopregel/pregel"
)

// This file completes the records of supersteps, and has those told who observe.

// observe completes the records.
func (d *driver) observe(start, folding time.Duration) {
	switch {
	case d.limits.Observe == nil:
		return
	case d.briefs.Count > 0:
		d.observeBriefs(start)
		return
	case d.backlog != nil:
		d.observeBacklog()
		return
	}
	last := &d.records[len(d.records)-1]
	last.Metric = d.verdict.Metric
	d.ended = d.now()
	if d.limits.Detail {
		d.detail()
		if folding != 0 {
			last.Detail.Barrier = d.ended - folding
		}
	}
	d.share(d.ended - start)
	for i := range d.records {
		d.limits.Observe(&d.records[i])
	}
}

// share gives the time to records whose runner leaves it to the loop, in equal parts:
// a look at the clock for each takes as long as a tenth of the shortest supersteps.
func (d *driver) share(took time.Duration) {
	if d.records[0].Time != 0 || d.records[len(d.records)-1].Time != 0 {
		return
	}
	n := len(d.records)
	part := took / time.Duration(n)
	d.slow = part > slowFrom
	for i := range d.records {
		r := &d.records[i]
		if r.Time = part; n > 1 && r.Detail != nil {
			r.Detail.Timed = n
		}
	}
	d.records[0].Time = took - time.Duration(n-1)*part
}

// folding is when the barrier begins, where it is asked for how long it takes.
func (d *driver) folding() (t time.Duration) {
	if d.folds {
		t = d.now()
	}
	return t
}

// detail adds what the loop and the task know.
func (d *driver) detail() {
	for i := range d.records {
		r := &d.records[i]
		if r.Detail == nil {
			r.Detail = new(pregel.Detail)
		}
	}
	if d.measured != nil && d.folds {
		d.records[len(d.records)-1].Detail.Aggregates = d.measured.Aggregates()
	}
}
