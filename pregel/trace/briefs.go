package trace

import (
	"slices"
	"time"

	"gopregel/pregel"
)

// This file collects short supersteps as the engine gives them, a few at once, each of
// 8 bytes: nobody looks at them before they are written.

// briefs are those of some steps.
type briefs struct {
	list   []pregel.Brief
	groups []group
}

// A group are supersteps that were timed together.
type group struct {
	at, n       uint32 // the first of the steps, and how many
	took        time.Duration
	have, limit uint64 // of the one before
}

func (b *briefs) reset() { b.list, b.groups = b.list[:0], b.groups[:0] }

// follow tells whether the superstep that is to be turned is the first of a group.
func (b *briefs) follow(t *turned) bool {
	return t.groups < len(b.groups) && int(b.groups[t.groups].at) == t.count
}

// addBriefs takes short supersteps over, for which there is room.
func (b *steps) addBriefs(r *pregel.Briefs) {
	if b.briefs.list == nil {
		b.briefs.list = make([]pregel.Brief, 0, b.most)
	}
	n := len(r.List)
	b.briefs.groups = append(b.briefs.groups, group{uint32(b.count), uint32(n), r.Time, r.Why.Have, r.Why.Limit})
	b.briefs.list = append(b.briefs.list, r.List...)
	b.count, b.anew = b.count+n, true
	if n == 1 {
		n = 0
	}
	if b.now == nil || b.now.together != n {
		b.together(n)
	}
	b.runs[len(b.runs)-1].end = b.count
}

// together begins a run of the shape of the superstep before, but that n were timed
// together.
func (b *steps) together(n int) {
	like := b.now
	if like == nil {
		like = &b.before
	}
	i := slices.IndexFunc(b.shapes, func(s shape) bool { return s.kind == like.kind && s.together == n })
	if i < 0 {
		s := *like
		s.together = n
		i = b.addShape(s)
	}
	b.begin(i)
}

// turnBriefs puts a group on the desk.
func (b *steps) turnBriefs() {
	t := &b.turned
	g := &b.briefs.groups[t.groups]
	list := b.briefs.list[t.briefs:][:g.n]
	t.groups, t.briefs = t.groups+1, t.briefs+len(list)
	b.desk.sums = append(b.desk.sums, uint64(max(g.took, 0)))
	for _, k := range [...]int{stepCombined, stepBarrier, stepAtomics} {
		b.set(k, 0, 0)
	}
	have, limit, was := b.going(stepHave, g.have), b.going(stepLimit, g.limit), pregel.Brief{}
	for i, s := range list {
		if i == 0 || s.Awake != was.Awake || s.Arcs != was.Arcs || s.Next != was.Next {
			b.turnBrief(s)
		}
		if have.now += uint64(s.Have); have.now != have.next {
			b.turnAside(&have, s.Have)
		}
		if limit.now += uint64(s.Limit); limit.now != limit.next {
			b.turnAside(&limit, s.Limit)
		}
		have.next, limit.next, was = have.next+have.by, limit.next+limit.by, s
		t.count++
	}
}

func (b *steps) turnBrief(s pregel.Brief) {
	b.set(stepAwake, uint64(s.Awake), 0)
	b.set(stepArcs, uint64(s.Arcs), 0)
	b.set(stepSent, uint64(s.Arcs), 0)
	b.set(stepNext, uint64(s.Next), 0)
}

// A climb is a number that goes up along a ramp.
type climb struct {
	k        int // which
	now      uint64
	next, by uint64 // by the ramp
}

// going is a number that is now at the superstep before the one that is turned.
func (b *steps) going(k int, now uint64) climb {
	r := b.desk.last(k)
	return climb{k, now, r.after(b.turned.count), r.by}
}

// turnAside begins a ramp where the last would lead to another number. It is as steep,
// unless that was wrong at once.
func (b *steps) turnAside(c *climb, by int16) {
	if at := b.turned.count; at > 0 && b.desk.last(c.k).at+1 == at {
		c.by = uint64(by)
	}
	b.set(c.k, c.now, c.by)
	c.next = c.now
}
