package pregel

import "math/bits"

// This file shows and restores a run in place, between two rounds.
//
// Boxes hold all that their vertices were ever sent; of a claimed vertex not all of
// it may have been read. These boxes are the messages under way. The others are
// left out: what they hold has been applied, and to hear it again, or to have it sent
// again because an empty box says that it is new, changes nothing (the law of
// Relaxer: Apply(Apply(x, a), a⊕b) has the value of Apply(x, a⊕b)).

// RelaxState shows the state. Vertices awake that have not sent are all in Waiting
// where the program has priorities, as nobody but their visit looks at these.
func (t *edgeTask[V, M]) RelaxState() State {
	s := t.State()
	if t.waiting == nil {
		s.Awake = t.ready
	}
	var messages []M
	for i, run := range t.touched {
		for ; run != 0; run &= run - 1 {
			v := uint32(i*64 + bits.TrailingZeros64(run))
			if message, got := t.box(v); got {
				s.To, messages = append(s.To, v), append(messages, message)
			}
		}
	}
	s.Messages = messages
	return s
}

// box returns what v was ever sent, combined, and whether that is anything.
func (t *edgeTask[V, M]) box(v uint32) (message M, got bool) {
	if t.locks == nil {
		return t.boxes[v], t.spec.Combine.loops.differs(t.boxes[v], t.spec.Combine.Identity)
	}
	return t.boxes[v], t.heard.Has(v)
}

// Refill puts the messages of a state into the boxes, after Restore and
// PrepareRelax. To one vertex there may be several.
func (t *edgeTask[V, M]) Refill(s State) error {
	messages, err := messagesOf[M](t.name, len(t.values), s)
	if err != nil {
		return err
	}
	for i, v := range s.To {
		if t.locks != nil {
			t.put(v, messages[i])
		} else if x := messages[i]; t.spec.Combine.Func != nil {
			t.boxes[v] = t.spec.Combine.Func(t.boxes[v], x)
		} else {
			t.boxes[v] = x
		}
	}
	return nil
}

// Claim claims those of vs that nobody has claimed.
func (t *edgeTask[V, M]) Claim(vs []uint32, w *Worker) {
	to := touch{touched: t.touched, w: w}
	for _, v := range vs {
		to.mark(v)
	}
}
