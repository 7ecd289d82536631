package pregel

import (
	"fmt"
	"math/bits"
	"reflect"

	"gopregel/pregel/mem"
)

// This file does what an Absorber says of itself without asking it for each vertex: its offers are
// its values, and what a message makes of a value the combiner says. (In place: relaxloose.go.)
//
// Cost: a copy and a comparison a vertex, in place of two calls; a call of a combiner of one's own.

// askAbsorber asks whether the program is one, when its Setup is done. Values of more than a word,
// or with pointers, are not compared: for those Emit and Apply are called.
func (t *edgeTask[V, M]) askAbsorber() error {
	p, ok := t.program.(Absorber)
	if !ok || !p.Absorbs() {
		return nil
	}
	values, ok := any(t.values).([]M)
	switch {
	case !ok:
		return fmt.Errorf("an Absorber's values are of the type of its messages; this one's are %v, and its messages %v", reflect.TypeFor[V](), reflect.TypeFor[M]())
	case t.combine == nil || t.spec.Combine.Func == nil:
		return fmt.Errorf("an Absorber combines messages and values by a function of two; this one's combiner is %q", t.spec.Combine.Name)
	case mem.Swappable(values):
		t.own, t.spec.Local = values, true
	}
	return nil
}

// absorb combines the values of the vertices run of the block from lo on, as bits, with messages, and
// tells whose that has changed.
func (t *edgeTask[V, M]) absorb(lo int, run uint64, messages []M, w *Worker) (changed uint64) {
	values := t.own[lo:][:len(messages)]
	if l := t.spec.Combine.loops; l != nil {
		return l.absorb(values, messages, run)
	}
	for combine := t.spec.Combine.Func; run != 0; run &= run - 1 {
		k := bits.TrailingZeros64(run)
		w.At = uint32(lo + k)
		if x := combine(values[k], messages[k]); !mem.Same(x, values[k]) {
			values[k], changed = x, changed|run&-run
		}
	}
	return changed
}

// absorbOne is absorb for one vertex.
func (t *edgeTask[V, M]) absorbOne(v uint32, message M) (changed bool) {
	x := t.spec.Combine.Func(t.own[v], message)
	changed = !mem.Same(x, t.own[v])
	t.own[v] = x
	return changed
}

func (minLoops[T]) absorb(values, messages []T, run uint64) (changed uint64) {
	messages = messages[:len(values)]
	for i, x := range values {
		less := uint64(0)
		if messages[i] < x {
			less = run >> i & 1
		}
		changed |= less << i
	}
	return replace(values, messages, changed)
}

func (maxLoops[T]) absorb(values, messages []T, run uint64) (changed uint64) {
	messages = messages[:len(values)]
	for i, x := range values {
		more := uint64(0)
		if messages[i] > x {
			more = run >> i & 1
		}
		changed |= more << i
	}
	return replace(values, messages, changed)
}

func (orLoops[T]) absorb(values, messages []T, run uint64) (changed uint64) {
	for ; run != 0; run &= run - 1 {
		k := bits.TrailingZeros64(run)
		if x := values[k] | messages[k]; x != values[k] {
			values[k], changed = x, changed|run&-run
		}
	}
	return changed
}

func (sumLoops[T]) absorb(values, messages []T, run uint64) (changed uint64) {
	for ; run != 0; run &= run - 1 {
		k := bits.TrailingZeros64(run)
		if x := values[k] + messages[k]; x != values[k] {
			values[k], changed = x, changed|run&-run
		}
	}
	return changed
}

// replace puts the messages of a set into the place of values.
func replace[T Number](values, messages []T, set uint64) uint64 {
	for rest := set; rest != 0; rest &= rest - 1 {
		k := bits.TrailingZeros64(rest)
		values[k] = messages[k]
	}
	return set
}
