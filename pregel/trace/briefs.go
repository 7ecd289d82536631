package trace

import (
	"slices"
	"time"

	"gopregel/pregel"
)

// This file collects short supersteps as the engine gives them, many at once, each of 4
// bytes or less: nobody looks at them before they are read.

// briefs are those of some steps.
type briefs struct {
	list   []pregel.Brief
	groups []group
	starts []start // of each run of them
}

// A group are supersteps that were timed together.
type group struct {
	n    uint32
	took time.Duration
}

// A start is what the first of a run of supersteps goes on from (pregel.Briefs), and who is
// awake after the last.
type start struct{ left, pushed, next uint64 }

func (b *briefs) reset() { b.list, b.groups, b.starts = b.list[:0], b.groups[:0], b.starts[:0] }

// mostlyBrief tells whether writing them is little but copying.
func (b *steps) mostlyBrief() bool { return b.records < leastPacked && len(b.briefs.list) > 0 }

// addBriefs takes short supersteps over, for which there is room.
func (b *steps) addBriefs(r *pregel.Briefs) {
	if b.briefs.list == nil {
		b.briefs.list = make([]pregel.Brief, 0, b.most)
	}
	list, last := r.List, len(b.briefs.list)-1
	if s := b.now; s == nil || !s.brief || s.law != r.Law {
		b.beginBriefs(r)
	} else if b.briefs.list[last].Repeat(list[0]) {
		list = list[1:]
	}
	b.briefs.list = append(b.briefs.list, list...)
	b.briefs.groups = append(b.briefs.groups, group{uint32(r.Count), max(r.Time, 0)})
	b.briefs.starts[len(b.briefs.starts)-1].next = r.Next
	b.count += r.Count
	b.runs[len(b.runs)-1].end = b.count
}

// beginBriefs begins a run of the shape of the superstep before, but that its numbers
// follow from a law.
func (b *steps) beginBriefs(r *pregel.Briefs) {
	like := b.now
	if like == nil {
		like = &b.before
	}
	i := slices.IndexFunc(b.shapes, func(s shape) bool { return s.brief && s.kind == like.kind && s.law == r.Law })
	if i < 0 {
		s := *like
		s.brief, s.law, s.together = true, r.Law, 0
		i = b.addShape(s)
	}
	b.begin(i)
	b.briefs.starts = append(b.briefs.starts, start{left: r.Left, pushed: r.Pushed})
}

// A reading goes over briefs one by one.
type reading struct {
	*briefs
	runs         int    // begun
	left, pushed uint64 // after the last
	entry, used  int    // the next in list, and how many that it stands for are over
	group, at    int    // that the next is in, and its number there
}

// begin is at the first of a run.
func (r *reading) begin() {
	r.left, r.pushed = r.starts[r.runs].left, r.starts[r.runs].pushed
	r.runs++
}

// next returns the numbers of the next superstep, and how many it was timed with. last:
// its run ends with it.
func (r *reading) next(law *pregel.Law, last bool) (n [numbers]uint64, timed int) {
	s := r.list[r.entry]
	n[stepAwake], n[stepArcs], n[stepSent] = uint64(s.Awake), uint64(s.Arcs), uint64(s.Arcs)
	r.left -= uint64(s.Done)
	n[stepHave], n[stepLimit] = law.Have(uint64(s.Arcs), r.pushed), law.Limit(r.left)
	r.pushed += uint64(s.Arcs)
	if r.used++; r.used == int(s.Times) {
		r.entry, r.used = r.entry+1, 0
	}
	if last {
		n[stepNext] = r.starts[r.runs-1].next
	} else {
		n[stepNext] = uint64(r.list[r.entry].Awake)
	}
	n[stepNanoseconds], timed = r.time()
	return n, timed
}

// time is a part of that of the group: an equal one, but that the first has what does not
// divide.
func (r *reading) time() (part uint64, timed int) {
	g := &r.groups[r.group]
	n := uint64(g.n)
	part = uint64(g.took) / n
	if r.at == 0 {
		part += uint64(g.took) % n
	}
	if r.at++; r.at == int(n) {
		r.group, r.at = r.group+1, 0
	}
	if n > 1 {
		timed = int(n)
	}
	return part, timed
}
