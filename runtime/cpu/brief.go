package cpu

import (
	"math"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// This file does short supersteps that follow each other as one item of one worker, and
// leaves no more of each than a Brief: where they take a fifth of a microsecond, what
// surrounds a superstep took as long as it did.

// Why is the choice of the last superstep.
func (r *edgeRun) Why() pregel.Choice { return r.why }

// Briefs does short supersteps, which push and apply in one by the rule of the last, as
// that did. Nothing but numbers of theirs is then others than before.
func (r *edgeRun) Briefs(s, most int, list []pregel.Brief) ([]pregel.Brief, error) {
	if r.asked || !r.forwarded || r.engine.shares > 0 || !r.short() {
		return list, nil
	}
	r.briefs = list
	end := s + min(most, shortAtOnce)
	err := r.pool.alone(1, func(_ int, w *pregel.Worker) {
		for ; s < end && r.brief(s, w); s++ {
		}
	})
	return r.briefs, err
}

// brief does one, unless it would not be like the last. A program that forwards has
// nobody who waits for a priority, so that nothing is to be released after it.
func (r *edgeRun) brief(s int, w *pregel.Worker) bool {
	if !r.short() {
		return false
	}
	f := r.front
	_, why := r.choose()
	have, limit := int64(why.Have-r.why.Have), int64(why.Limit-r.why.Limit)
	if why.Rule != r.why.Rule || have != int64(int16(have)) || limit != int64(int16(limit)) {
		return false
	}
	b := pregel.Brief{Awake: uint8(f.count), Have: int16(have), Limit: int16(limit)}
	r.why, r.lastCount = why, f.count
	w.Superstep, w.At = int32(s), graph.None
	f.ascend()
	r.task.Forward(f.list, w)
	f.isBits, f.ascends, f.count, f.arcs, f.list = false, false, 0, 0, f.list[:0]
	r.take(w)
	r.pushed += w.Arcs
	b.Arcs, b.Next = uint8(w.Arcs), uint8(f.count)
	w.Arcs = 0
	r.briefs = append(r.briefs, b)
	return true
}

// A short superstep has numbers that fit.
const _ = uint(math.MaxUint8 - shortWork)
