package pregel

import (
	"fmt"
	"slices"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/mem"
)

// A Seeder is an edge program that starts from a few vertices: Init gives all others
// the same value, asleep, and adds to no aggregator for them. Engines may then fill the
// column of values instead of calling Init for each; package check compares.
type Seeder[V any] interface {
	// Seeds returns that value, and the vertices for which Init is called.
	Seeds() (rest V, seeds []uint32)
}

// seeded is what a Seeder has said.
type seeded[V any] struct {
	is    bool
	rest  V
	done  bool     // it is settled
	blank bool     // all bits of the column are ones
	there bool     // which is the value of the rest
	seeds []uint32 // ascending, each once
}

// makeValues makes the column of values, with anything in it: a Seeder's Init reads none of
// them, and for others each worker empties what it is about to set. An engine that has them elsewhere
// until the end need not.
func (t *edgeTask[V, M]) makeValues() {
	if t.given {
		return
	}
	_, t.seeded.is = t.program.(Seeder[V])
	t.values, t.memory = mem.Carve[V](t.memory, t.g.N())
	switch {
	case t.values != nil:
	case t.seeded.is:
		t.values, t.seeded.blank = mem.TakeBlank[V](t.g.N())
	default:
		t.values = mem.Take[V](t.g.N())
	}
}

// askSeeds asks a Seeder, when its Setup is done.
func (t *edgeTask[V, M]) askSeeds() error {
	s := &t.seeded
	if !s.is {
		return nil
	}
	s.rest, s.seeds = t.program.(Seeder[V]).Seeds()
	s.seeds = slices.Compact(slices.Sorted(slices.Values(s.seeds)))
	if k := len(s.seeds); k > 0 && int(s.seeds[k-1]) >= t.g.N() {
		return fmt.Errorf("its Seeds have vertex %d of a graph of %d", s.seeds[k-1], t.g.N())
	}
	s.done = t.settler != nil && t.settler.Settled(s.rest)
	s.there = s.blank && mem.Blank(s.rest)
	return nil
}

// initSeeds is Init for the vertices from lo to hi of a Seeder.
func (t *edgeTask[V, M]) initSeeds(lo, hi uint32, w *Worker, next bitmap.Bitmap) {
	s := &t.seeded
	if !s.there {
		mem.Fill(t.values[lo:hi], s.rest)
	}
	from, to := lo/BlockSize, (hi+BlockSize-1)/BlockSize
	clear(next[from:to])
	if s.done {
		for i := from; i < to; i++ {
			t.settled[i] |= bitmap.Mask(int(i), hi)
		}
		for _, c := range t.sending {
			w.DoneArcs += c.Offsets.Between(lo, hi)
		}
	}
	first, _ := slices.BinarySearch(s.seeds, lo)
	for _, v := range s.seeds[first:] {
		if v >= hi {
			return
		}
		t.initSeed(v, w, next)
	}
}

// initSeed calls Init for v, which has been given the value of the rest.
func (t *edgeTask[V, M]) initSeed(v uint32, w *Worker, next bitmap.Bitmap) {
	var zero V
	at := t.vertex(v, w)
	at.Value = zero
	value, awake := t.program.Init(at)
	if t.seeded.done {
		t.settled.Clear(v)
		w.DoneArcs -= uint64(at.OutDegree)
	}
	i := int(v / BlockSize)
	b := block{awake: next[i]}
	t.store(at.Place, w, value, awake, 1<<(v%BlockSize), &b)
	t.finish(i, w, b, next)
}
