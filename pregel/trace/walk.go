package trace

import (
	"gopregel/pregel"
)

// A walk goes over steps and makes their records.
type walk struct {
	*steps
	at, run, record            int
	briefs                     reading
	times, metrics, aggregates int // that earlier ones have taken
}

// over is a walk over steps, to which none is added from here on.
func over(b *steps) *walk {
	b.turn()
	for k := range numbers {
		b.column(k)
	}
	return &walk{steps: b, briefs: reading{briefs: &b.briefs}}
}

// room is a record with what it points to.
type room struct {
	Superstep
	sent, combined, atomics uint64
	metric                  Metric
}

// next writes the record of the next step over another, but for the words of why. What
// that one had is lost. It returns false after the last.
func (w *walk) next(to *room) bool {
	if w.steps == nil || w.at == w.count {
		return false
	}
	begins := w.at == 0
	if w.at == w.runs[w.run].end {
		w.run, begins = w.run+1, true
	}
	s := &w.shapes[w.runs[w.run].shape]
	n, timed := w.numbers(s, begins)
	to.Superstep = Superstep{Superstep: w.first + w.at, Program: s.program, Frontier: s.frontier(), Awake: n[stepAwake], Arcs: n[stepArcs],
		Next: n[stepNext], Nanoseconds: int64(n[stepNanoseconds]), Timed: timed, Barrier: int64(n[stepBarrier]), Bytes: s.bytes(&n, w.vertices), Relaxed: s.relaxed,
		choice: pregel.Choice{Rule: s.rule, Have: n[stepHave], Limit: n[stepLimit]}, Phases: to.Phases[:0]}
	if s.direction != pregel.Auto {
		to.Direction = s.direction.String()
	}
	to.Sent = ifKnown(s.sent, &to.sent, n[stepSent])
	to.Combined = ifKnown(s.combined, &to.combined, n[stepCombined])
	to.Atomics = ifKnown(s.atomics, &to.atomics, n[stepAtomics])
	w.lists(s, to)
	w.at++
	return true
}

// numbers are those of the step, and how many it was timed with. It may be the first of
// its run.
func (w *walk) numbers(s *shape, begins bool) (n [numbers]uint64, timed int) {
	if s.brief {
		if begins {
			w.briefs.begin()
		}
		return w.briefs.next(&s.law, w.at+1 == w.runs[w.run].end)
	}
	for k := range n {
		n[k] = w.columns[k][w.record]
	}
	w.record++
	return n, s.together
}

// bytes are those that a superstep of the shape is estimated to touch; 0: the program
// does not tell how wide its numbers are.
func (s *shape) bytes(n *[numbers]uint64, vertices int) uint64 {
	if s.widths == (pregel.Widths{}) {
		return 0
	}
	return s.widths.Bytes(pregel.StepRecord{Awake: n[stepAwake], Arcs: n[stepArcs], List: s.list}, vertices)
}

func ifKnown(known bool, to *uint64, x uint64) *uint64 {
	if *to = x; !known {
		return nil
	}
	return to
}

// lists adds phases, the metric and aggregates.
func (w *walk) lists(s *shape, to *room) {
	for _, p := range s.phases {
		times := to.phase(p.name)
		if p.whole {
			*times = append(*times, to.Nanoseconds-to.Barrier)
			continue
		}
		*times = append(*times, w.steps.times[w.times:w.times+p.workers]...)
		w.times += p.workers
	}
	if s.metric != "" {
		to.metric = Metric{s.metric, Float(w.steps.metrics[w.metrics]), Float(s.tolerance)}
		to.Metric = &to.metric
		w.metrics++
	}
	to.Aggregates = encodeValues(w.steps.aggregates[w.aggregates : w.aggregates+s.aggregates])
	w.aggregates += s.aggregates
}

// frontier is the form's name in a trace.
func (s *shape) frontier() string {
	switch {
	case !s.edges:
		return ""
	case s.list:
		return "list"
	}
	return "bits"
}

// superstep is the next record in words, of room of its own; nil after the last.
func (w *walk) superstep() *Superstep {
	if w.steps == nil || w.at == w.count {
		return nil
	}
	to := &room{}
	w.next(to)
	to.Why, to.choice = to.choice.String(), pregel.Choice{}
	return &to.Superstep
}
