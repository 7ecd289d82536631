package pregel

import (
	"math/bits"

	"gopregel/pregel/mem"
)

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
			if message, got := t.content(v); got {
				s.To, messages = append(s.To, v), append(messages, message)
			}
		}
	}
	if s.Messages = messages; t.loose {
		clear(t.touched)
	}
	return s
}

// content is read between rounds, but leaves it unread.
func (t *edgeTask[V, M]) content(v uint32) (message M, got bool) {
	if t.box != locked {
		return t.read(v)
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
		switch {
		case t.box == locked:
			t.put(v, messages[i])
		case t.box == word && !t.loose && mem.Same(messages[i], t.spec.Combine.Identity):
			t.heard.Set(v)
		case t.spec.Combine.Func != nil:
			t.boxes[v] = t.spec.Combine.Func(t.boxes[v], messages[i])
		default: // any: one of them
			t.boxes[v] = messages[i]
		}
	}
	return nil
}

// Claim claims those of vs that nobody has claimed.
func (t *edgeTask[V, M]) Claim(vs []uint32, w *Worker) {
	to := t.touching(w)
	for _, v := range vs {
		if t.loose {
			t.relist(v, to)
		} else {
			to.mark(v)
		}
	}
}
