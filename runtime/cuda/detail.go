package cuda

import (
	"slices"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/mem"
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

// Names of the phases of the loop, and its rules, in the order of kernels/step.cuh.
var loopPhases = [...]string{"list", "emit", "gather", "pull", "push", "apply", "push and apply", "release"}

const (
	ruleSeek  = 1
	ruleFused = 2
)

// recordBytes is the size of struct Record of kernels/step.cuh.
func (r *edgeRun) recordBytes() int {
	if r.detailed {
		return tracedBytes
	}
	return recordBytes
}

// noted has room for what details of the loop point to, which is used again: the
// device waits while records are read.
type noted struct {
	heard  []uint64
	times  []time.Duration
	phases []pregel.PhaseTime
}

// clear makes room for so many supersteps.
func (n *noted) clear(supersteps int) {
	most := supersteps * len(loopPhases)
	n.heard = slices.Grow(n.heard[:0], supersteps)
	n.times, n.phases = slices.Grow(n.times[:0], most), slices.Grow(n.phases[:0], most)
}

// took adds the phases of a superstep by their times.
func (n *noted) took(nanoseconds []uint64) []pregel.PhaseTime {
	from := len(n.phases)
	for k, name := range loopPhases {
		if nanoseconds[k] > 0 {
			n.times = append(n.times, time.Duration(nanoseconds[k]))
			n.phases = append(n.phases, pregel.PhaseTime{Name: name, Workers: n.times[len(n.times)-1 : len(n.times) : len(n.times)]})
		}
	}
	return n.phases[from:]
}

// trace adds what the loop notes beside, where it is traced.
func (r *edgeRun) trace(raw []byte, records []pregel.StepRecord) {
	r.noted.clear(len(records))
	for i := range records {
		rec := &records[i]
		x := mem.View[uint64](raw[i*tracedBytes+recordBytes:][:tracedBytes-recordBytes])
		r.detail(rec, r.noted.took(x[2:]))
		if rec.Direction == pregel.Push {
			r.noted.heard = append(r.noted.heard, x[1])
			rec.Detail.Combined = &r.noted.heard[len(r.noted.heard)-1]
		}
		r.chosen(rec.Detail, uint32(x[0]), x[0]>>32)
	}
}

// chosen gives a superstep the rule by which the loop has chosen its direction, where
// that is not the one of costs, nor that of the whole run.
func (r *edgeRun) chosen(d *pregel.Detail, rule uint32, of uint64) {
	switch {
	case r.layout.why.Rule != "":
	case rule == ruleSeek:
		d.Why = pregel.Choice{Rule: seekersPull, Have: of, Limit: seekArcs}
	case rule == ruleFused:
		d.Why = pregel.Choice{Rule: fusedPushed, Have: of, Limit: uint64(r.graph.N) / 8}
	}
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
