package cuda

import (
	"gopregel/pregel"
)

// detail adds to the record of a superstep what is asked for beside: how long its
// phases took, and what follows from its numbers. Arcs of a record are those of the
// frontier, on the device.
func (r *edgeRun) detail(rec *pregel.StepRecord, phases []pregel.PhaseTime) {
	if !r.detailed {
		return
	}
	d := r.details.New(r.layout.reason(*rec), rec.Arcs)
	if d.Phases = phases; rec.Direction == pregel.Pull {
		d.Read = r.layout.received()
	} else {
		*d.Atomics = rec.Arcs
	}
	rec.Detail = d
}

// received is how many arcs a superstep that pulls may read, as on the CPU.
func (l *layout) received() (arcs uint64) {
	for _, c := range l.receive {
		if c != nil {
			arcs += c.Arcs
		}
	}
	return arcs
}

// reason is why a superstep went its direction: the rule of the whole run, or that
// of the loop on the device, which needs the numbers of the record alone.
func (l *layout) reason(rec pregel.StepRecord) pregel.Choice {
	if l.why.Rule != "" {
		return l.why
	}
	pulled := rec.Direction == pregel.Pull
	if !l.first() {
		return byDirection(pulled, pregel.Choice{Rule: doublePushed, Have: 2 * rec.Arcs, Limit: l.total() + uint64(l.run.graph.N)}, doublePulled)
	}
	c := byDirection(pulled, pregel.Choice{Rule: firstPushed, Have: rec.Arcs, Limit: l.total() / pullAlpha}, firstPulled)
	if pulled && c.Have <= c.Limit {
		c.Rule = seekersPull
	}
	return c
}

// byDirection is a choice by the rule that pushes, or else by the one that pulls.
func byDirection(pulled bool, c pregel.Choice, pull string) pregel.Choice {
	if pulled {
		c.Rule = pull
	}
	return c
}

// total is the number of arcs to send along.
func (l *layout) total() (arcs uint64) {
	for _, c := range l.send {
		if c != nil {
			arcs += c.Arcs
		}
	}
	return arcs
}
