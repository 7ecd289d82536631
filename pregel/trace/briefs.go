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

// turnBriefs makes columns of a group.
func (b *steps) turnBriefs() {
	t := &b.turned
	g := b.briefs.groups[t.groups]
	list := b.briefs.list[t.briefs:][:g.n]
	t.groups, t.briefs = t.groups+1, t.briefs+len(list)
	for _, k := range [...]int{stepCombined, stepBarrier, stepAtomics} {
		b.set(k, 0)
	}
	have, limit := g.have, g.limit
	timed := pregel.Briefs{Time: g.took, List: list}
	for i, s := range list {
		have, limit = have+uint64(s.Have), limit+uint64(s.Limit)
		if i < 2 {
			b.set(stepNanoseconds, uint64(timed.Part(i)))
		}
		b.set(stepAwake, uint64(s.Awake))
		b.set(stepArcs, uint64(s.Arcs))
		b.set(stepSent, uint64(s.Arcs))
		b.set(stepNext, uint64(s.Next))
		b.set(stepHave, have)
		b.set(stepLimit, limit)
		t.count++
	}
	t.count--
}

// set gives the superstep that is turned a number.
func (b *steps) set(k int, x uint64) {
	if x != b.turned.last[k] {
		b.differ(k, x)
	}
}

func (b *steps) differ(k int, x uint64) {
	b.fill(k)
	if b.turned.last[k] = x; b.turned.count > 0 {
		b.turned.vary |= 1 << k
	}
}
