package cuda

import (
	"math"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/mem"
)

// This file makes the records of supersteps of an edge program, from what the device has
// noted of them.

// Names of the phases of the loop that are timed, in the order of kernels/step.cuh, and of
// the one that is not, which then takes the place of applying.
var loopPhases = [...]string{"list", "emit", "gather", "pull", "push", applied, "release"}

const (
	applied = "apply"
	fused   = "push and apply"
)

const ruleSeek = 1 // as in kernels/step.cuh

// listed are the words pull and list of a struct Record.
type listed uint64

func (x listed) pulled() bool { return x&1 != 0 }
func (x listed) byList() bool { return x>>32&1 != 0 }

// fused tells whether a fused phase has ended the superstep, with how many vertices that
// had got a message: 0 where none of them woke, so that it has begun no other.
func (x listed) fused() (count uint64, ok bool) { return uint64(x >> 34), x>>33&1 != 0 }

// recordBytes is the size of struct Record of kernels/step.cuh.
func (r *edgeRun) recordBytes() int {
	if r.detailed {
		return tracedBytes
	}
	return recordBytes
}

// reasons are what of a run decides the direction of its supersteps, and how many arcs
// they read. Nothing in it changes, so that records can be made while the run goes on.
type reasons struct {
	program        string
	why            pregel.Choice // the rule of the whole run; none: each superstep has its own
	first          bool
	vertices       uint64
	sent, received uint64 // arcs of the whole graph, when pushed and when pulled
}

func (l *layout) reasons(program string) reasons {
	return reasons{program, l.why, l.first(), uint64(l.run.graph.N), arcsOf(l.send), arcsOf(l.receive)}
}

func arcsOf(sides [2]*CSR) (arcs uint64) {
	for _, c := range sides {
		if c != nil {
			arcs += c.Arcs
		}
	}
	return arcs
}

// notes are what the loop has left of the supersteps of one launch.
type notes struct {
	reasons
	raw   []byte // struct Record of each
	size  int    // of one
	count int
	next  uint64 // vertices awake behind the last
}

// words are those of record number i.
func (n *notes) words(i int) []uint64 { return mem.View[uint64](n.raw[i*n.size:][:n.size]) }

// record makes that of number i, which is superstep s; with a room, with a detail.
func (n *notes) record(i, s int, room *room) pregel.StepRecord {
	x := n.words(i)
	how := listed(x[4])
	rec := pregel.StepRecord{Program: n.program, Superstep: s, Awake: lower(x[0]), Arcs: x[1], Next: n.next,
		Time: time.Duration(x[3]), Direction: pregel.Push, List: how.byList()}
	if how.pulled() {
		rec.Direction = pregel.Pull
	}
	heard := uint64(0)
	if i+1 < n.count {
		following := n.words(i + 1)[0]
		rec.Next, heard = lower(following), following>>32
	}
	if room != nil && n.size > recordBytes {
		n.detail(&rec, i, heard, room)
	}
	return rec
}

// lower is the number of vertices awake, in a word of a struct Record: see HEARD in
// kernels/step.cuh of what is above.
func lower(x uint64) uint64 { return x & math.MaxUint32 }

// detail adds what the loop notes beside, where it is traced: to record number i, by whose
// fused phase, if there was one, a message was applied to that many vertices.
func (n *notes) detail(rec *pregel.StepRecord, i int, heard uint64, room *room) {
	x := n.words(i)[recordBytes/8:]
	_, ends := listed(n.words(i)[4]).fused()
	d := room.detail(&n.reasons, rec, room.took(x[2:], rec.Time, ends))
	if rec.Direction == pregel.Push {
		d.Combined = room.number(x[1] + heard)
	}
	if n.why.Rule == "" {
		n.chosen(d, i, uint32(x[0]), x[0]>>32)
	}
}

// chosen gives record number i the rule by which the loop has chosen its direction, where
// that is not the one of costs: what fused phases send is pushed.
func (n *notes) chosen(d *pregel.Detail, i int, rule uint32, of uint64) {
	if rule == ruleSeek {
		d.Why = pregel.Choice{Rule: seekersPull, Have: of, Limit: seekArcs}
	}
	if i == 0 {
		return
	}
	if count, ok := listed(n.words(i - 1)[4]).fused(); ok && count > 0 {
		d.Why = pregel.Choice{Rule: fusedPushed, Have: count, Limit: n.vertices / 8}
	}
}

// each makes all records, of supersteps from first on, in the same room.
func (n *notes) each(first int, detailed bool, f func(*pregel.StepRecord)) {
	var own *room
	if detailed {
		own = new(room)
	}
	rec := new(pregel.StepRecord)
	for i := range n.count {
		own.reset()
		*rec = n.record(i, first+i, own)
		f(rec)
	}
}

// room has what details of records point to, and is used again.
type room struct {
	details pregel.Details
	numbers []uint64
	times   []time.Duration
	phases  []pregel.PhaseTime
}

func (m *room) reset() {
	if m != nil {
		m.details.Reset()
		m.numbers, m.times, m.phases = m.numbers[:0], m.times[:0], m.phases[:0]
	}
}

// detail adds to the record of a superstep how long its phases took, and what follows
// from its numbers. Arcs of a record are those of the frontier, on the device.
func (m *room) detail(n *reasons, rec *pregel.StepRecord, phases []pregel.PhaseTime) *pregel.Detail {
	d := m.details.New(n.reason(*rec), rec.Arcs)
	if d.Phases = phases; rec.Direction == pregel.Pull {
		d.Read = n.received
	} else {
		*d.Atomics = rec.Arcs
	}
	rec.Detail = d
	return d
}

func (m *room) number(x uint64) *uint64 {
	m.numbers = append(m.numbers, x)
	return &m.numbers[len(m.numbers)-1]
}

// took adds the phases of a superstep by their times, and the fused one that has ended it
// by what they leave of it.
func (m *room) took(nanoseconds []uint64, all time.Duration, ends bool) []pregel.PhaseTime {
	from, rest := len(m.phases), all
	for _, t := range nanoseconds {
		rest -= time.Duration(t)
	}
	for k, name := range loopPhases {
		t := time.Duration(nanoseconds[k])
		if ends && name == applied {
			name, t = fused, rest
		}
		if t > 0 {
			m.phases = append(m.phases, m.phase(name, t))
		}
	}
	return m.phases[from:]
}

// add adds to the phase of a name, which is put behind those from a place on.
func (m *room) add(from int, name string, took time.Duration) {
	for _, p := range m.phases[from:] {
		if p.Name == name {
			p.Workers[0] += took
			return
		}
	}
	m.phases = append(m.phases, m.phase(name, took))
}

func (m *room) phase(name string, took time.Duration) pregel.PhaseTime {
	m.times = append(m.times, took)
	return pregel.PhaseTime{Name: name, Workers: m.times[len(m.times)-1 : len(m.times) : len(m.times)]}
}

// reason is why a superstep went its direction: the rule of the whole run, or that
// of the loop on the device, which needs the numbers of the record alone.
func (n *reasons) reason(rec pregel.StepRecord) pregel.Choice {
	if n.why.Rule != "" {
		return n.why
	}
	pulled := rec.Direction == pregel.Pull
	if !n.first {
		return byDirection(pulled, pregel.Choice{Rule: doublePushed, Have: 2 * rec.Arcs, Limit: n.sent + n.vertices}, doublePulled)
	}
	return byDirection(pulled, pregel.Choice{Rule: firstPushed, Have: rec.Arcs, Limit: n.sent / pullAlpha}, firstPulled)
}

// byDirection is a choice by the rule that pushes, or else by the one that pulls.
func byDirection(pulled bool, c pregel.Choice, pull string) pregel.Choice {
	if pulled {
		c.Rule = pull
	}
	return c
}
