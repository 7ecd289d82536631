package pregel

import "gopregel/pregel/graph"

// This file is what happens to a vertex in a relaxed run.
//
// Boxes are never emptied: a box holds all that its vertex was ever sent, combined.
// A message that changes nothing there says nothing new, by idempotence, and is
// dropped by one load and one comparison; that, and no barrier, is what in place
// gains. Whoever changes a box claims the vertex by its bit in touched, and then
// has it in a list; who finds it claimed leaves it to the owner.
//
// Invariant: a vertex is in at most one list or hand, and its bit in touched says
// so; only the owner reads and writes its value. A box that was changed after its
// owner has read it leads to another visit: the owner looks again after it has
// given the claim up, the sender looks at the claim after it has changed the box,
// and one of them must see the other.

// Relax visits claimed vertices.
func (t *edgeTask[V, M]) Relax(vs []uint32, w *Worker) {
	to := touch{touched: t.touched, w: w}
	for _, v := range vs {
		t.visit(v, &to)
	}
}

// visit applies what v was sent, sends if it is awake and due, and gives the claim
// up in between: what comes meanwhile is worth another visit.
func (t *edgeTask[V, M]) visit(v uint32, to *touch) {
	message, got := t.read(v)
	offer, sends := t.turn(v, message, got, to.w)
	if to.w.Alone {
		t.touched.Clear(v)
	} else {
		t.touched.ClearAtomic(v)
	}
	if t.changed(v, message, got) {
		to.mark(v)
	}
	if sends {
		t.deliver(offer, v, to)
	}
}

// turn applies the message to v, and returns what v offers if it sends.
func (t *edgeTask[V, M]) turn(v uint32, message M, got bool, w *Worker) (offer M, sends bool) {
	waited := t.ready.HasAtomic(v)
	awake := waited
	if got {
		at := t.vertex(v, w)
		value, wakes := t.combine.Apply(at, message, true)
		t.values[v] = value
		awake = awake || wakes
	}
	if !awake {
		return offer, false
	}
	if t.orderer != nil {
		if p := t.orderer.Priority(t.values[v]); p > t.current {
			if !waited && t.ready.SetAtomic(v) {
				w.Waiting++
			}
			w.Later = append(w.Later, Deferred{v, p})
			return offer, false
		}
	}
	if waited && t.ready.ClearAtomic(v) {
		w.Waiting--
	}
	w.Awake++
	return t.offer(v, w), true
}

// deliver sends the offer of u along all its arcs.
func (t *edgeTask[V, M]) deliver(x M, u uint32, to *touch) {
	k, id := t.spec.Edge.kind, t.spec.Combine.Identity
	for _, c := range t.sending {
		lo, hi := c.Offsets.Row(u)
		to.w.Arcs += hi - lo
		vs, weights := c.Targets[lo:hi], c.Weights.Slice(lo, hi)
		switch {
		case t.box != named:
			t.deliverEach(x, u, vs, weights, to)
		case k == opCopy || k == opSource:
			t.spec.Combine.loops.improve(opCopy, id, x, t.boxes, vs, weights, to)
		default:
			t.spec.Combine.loops.improve(k, id, x, t.boxes, vs, weights, to)
		}
	}
}

// deliverEach is for combiners and operations without loops of their own.
func (t *edgeTask[V, M]) deliverEach(x M, u uint32, vs []uint32, w graph.Weights, to *touch) {
	to.w.At = u
	along := t.spec.Edge.along
	for i, v := range vs {
		y, ok := x, true
		if along != nil {
			y, ok = along(x, u, v, w.At(uint64(i)))
		}
		if ok && t.put(v, y) {
			to.mark(v)
		}
	}
}
