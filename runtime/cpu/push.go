package cpu

import (
	"slices"

	"gopregel/pregel"
)

// This file runs supersteps that push: over the frontier as a list, in pieces of about
// equal numbers of arcs, or as bits, in ranges; then over those who were sent to.

// push runs a superstep in which awake vertices write, then applies what they
// have written.
func (r *edgeRun) push(rec *pregel.StepRecord) error {
	r.pool.Phase("push")
	r.task.Prepare(pregel.Push)
	if n := r.callShares(); n > 1 {
		return r.pushCalls(rec, n)
	}
	flood := r.traits.Floods && !r.front.small(r.front.arcs)
	r.task.Flood(flood)
	return r.pushAndApply(rec, flood)
}

// pushAndApply does so without shares of functions, as a flood or not.
func (r *edgeRun) pushAndApply(rec *pregel.StepRecord, flood bool) error {
	var err error
	if rec.List {
		err = r.pushList()
	} else {
		r.front.asBits()
		view := r.front.view()
		err = r.ranges(r.bySend, func(lo, hi uint32, w *pregel.Worker) { r.task.PushRange(lo, hi, w, view) })
	}
	if err != nil {
		return err
	}
	if rec.Detail != nil {
		*rec.Detail.Atomics = r.atomics()
	}
	r.pool.Phase("apply")
	if flood {
		return r.applyFlood(rec)
	}
	return r.apply(rec)
}

// atomics counts the messages that were pushed beside other workers.
func (r *edgeRun) atomics() (arcs uint64) {
	for i := range r.pool.workers {
		if !r.pool.watch.alone {
			arcs += r.pool.workers[i].Arcs
		}
	}
	return arcs
}

// thin tells whether the frontier is not worth waking other workers for.
func (r *edgeRun) thin() bool { return r.front.arcs+r.front.count <= serialArcs }

func (r *edgeRun) pushList() error {
	r.front.asList()
	if r.traits.PullOnly {
		r.front.ascend()
	}
	list := r.front.list
	if r.traits.PullOnly || r.thin() {
		return r.pool.alone(1, func(_ int, w *pregel.Worker) { r.task.Push(list, w) })
	}
	r.cutList(list)
	if err := r.offerParts(list); err != nil {
		return err
	}
	return r.pool.For(len(r.pieces), func(i int, w *pregel.Worker) {
		if p := r.pieces[i]; p.to > 0 {
			r.task.PushPart(p.part, list[p.lo], p.csr, p.from, p.to, w)
		} else {
			r.task.Push(list[p.lo:p.hi], w)
		}
	})
}

// offerParts has the offers made of those vertices that are divided.
func (r *edgeRun) offerParts(list []uint32) error {
	r.parted = r.parted[:0]
	for i := range r.pieces {
		p := &r.pieces[i]
		if p.to == 0 {
			continue
		}
		if u := list[p.lo]; len(r.parted) == 0 || r.parted[len(r.parted)-1] != u {
			r.parted = append(r.parted, u)
		}
		p.part = len(r.parted) - 1
	}
	if len(r.parted) == 0 {
		return nil
	}
	return r.pool.alone(1, func(_ int, w *pregel.Worker) { r.task.OfferParts(r.parted, w) })
}

// leastPiece is how many arcs a piece of a frontier's list has at the least, if there are more: rows of fewer are
// in one, as the task relies on.
const (
	leastPiece = serialArcs / 2
	_          = uint(leastPiece - pregel.WholeRow)
)

// cutList makes pieces of a list of the frontier.
func (r *edgeRun) cutList(list []uint32) {
	size := min(max(r.front.arcs/uint64(r.engine.Workers*16), leastPiece), maxRangeArcs)
	r.pieces = pushPieces(list, r.sending, size, r.pieces[:0])
}

// apply applies the pushed messages: over the lists of touched vertices while
// they are short, over all ranges otherwise.
func (r *edgeRun) apply(rec *pregel.StepRecord) error {
	var touched uint64
	for i := range r.pool.workers {
		touched += uint64(len(r.pool.workers[i].Touched))
	}
	if rec.Detail != nil {
		r.details.Combined(touched)
	}
	defer func() {
		for i := range r.pool.workers {
			r.pool.workers[i].Touched = r.pool.workers[i].Touched[:0]
		}
	}()
	if r.traits.Silent || r.traits.Ordered || !r.front.small(touched) {
		if r.traits.Silent {
			r.front.asBits()
		}
		view := r.front.view()
		err := r.ranges(r.bySend, func(lo, hi uint32, w *pregel.Worker) { r.task.ApplyRange(lo, hi, w, view, r.next) })
		r.collect(true)
		return err
	}
	err := r.applyLists(touched)
	r.collect(false)
	return err
}

// applyFlood applies the messages of a flood.
func (r *edgeRun) applyFlood(rec *pregel.StepRecord) error {
	err := r.ranges(r.bySend, func(lo, hi uint32, w *pregel.Worker) { r.task.ApplyRange(lo, hi, w, pregel.Frontier{}, r.next) })
	var got uint64
	for i := range r.pool.workers {
		got += r.pool.workers[i].Got
		r.pool.workers[i].Got = 0
	}
	if rec.Detail != nil {
		r.details.Combined(got)
	}
	r.collect(true)
	return err
}

const applyPiece = 1 << 10

func (r *edgeRun) applyLists(touched uint64) error {
	workers := r.pool.workers
	if touched <= serialApply {
		return r.pool.alone(len(workers), func(i int, w *pregel.Worker) { r.task.Apply(workers[i].Touched, w) })
	}
	var lists [][]uint32
	for i := range workers {
		lists = slices.AppendSeq(lists, slices.Chunk(workers[i].Touched, applyPiece))
	}
	return r.pool.For(len(lists), func(i int, w *pregel.Worker) { r.task.Apply(lists[i], w) })
}
