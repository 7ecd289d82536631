package trace

import (
	"bytes"
	"reflect"

	"gopregel/pregel/mem"
)

// A snapshot is the values as they were at the last barrier, to find those that are
// others now. Values are others where their texts are; of those without pointers only
// the ones with other bytes become text, so that a superstep costs what it changes, and
// a look at the bytes of all.
type snapshot struct {
	values reflect.Value // a slice, of elements without pointers
	texts  column        // of the elements, if those have pointers
}

// keep takes a snapshot of the values in a slice.
func (b *snapshot) keep(list reflect.Value) {
	if !mem.Pointerless(list.Type().Elem()) {
		b.texts = encodeColumn(list)
		return
	}
	if !b.values.IsValid() || b.values.Type() != list.Type() || b.values.Len() != list.Len() {
		b.values = reflect.MakeSlice(list.Type(), list.Len(), list.Len())
	}
	reflect.Copy(b.values, list)
}

// of tells whether the snapshot is of as many values of that type.
func (b *snapshot) of(list reflect.Value) bool {
	if b.values.IsValid() {
		return b.values.Type() == list.Type() && b.values.Len() == list.Len()
	}
	return b.texts.len() == list.Len() && !mem.Pointerless(list.Type().Elem())
}

// changed returns the vertices whose values are others than in the snapshot, of a sample
// if that is not nil, and their texts, and takes the next one.
func (b *snapshot) changed(list reflect.Value, sample []uint32) ([]uint32, column) {
	d := changes{vs: []uint32{}, now: list, text: texter(list.Type().Elem())}
	if !b.values.IsValid() {
		now := encodeColumn(list)
		d.asTexts(b.texts, now, sample)
		b.texts = now
	} else {
		d.raw, d.old, d.size = mem.RawSlice(list), mem.RawSlice(b.values), int(list.Type().Elem().Size())
		d.before = b.values
		d.asBytes(sample)
	}
	return d.vs, d.texts
}

// changes are those between two barriers.
type changes struct {
	vs          []uint32
	texts       column
	now, before reflect.Value
	raw, old    []byte // the same
	size        int    // of a value
	text        func(to []byte, x reflect.Value) []byte
	was         []byte
}

func (d *changes) asTexts(before, now column, sample []uint32) {
	each(now.len(), sample, func(v uint32) {
		if text := now.at(v); string(text) != string(before.at(v)) {
			d.vs = append(d.vs, v)
			d.texts.add(text)
		}
	})
}

// sameAtOnce values are compared by one call.
const sameAtOnce = 64

func (d *changes) asBytes(sample []uint32) {
	if sample != nil {
		each(0, sample, d.look)
		copy(d.old, d.raw)
		return
	}
	n := d.now.Len()
	for lo := 0; lo < n; lo += sameAtOnce {
		hi := min(lo+sameAtOnce, n)
		if bytes.Equal(d.raw[lo*d.size:hi*d.size], d.old[lo*d.size:hi*d.size]) {
			continue
		}
		for v := lo; v < hi; v++ {
			d.look(uint32(v))
		}
		copy(d.old[lo*d.size:hi*d.size], d.raw[lo*d.size:hi*d.size])
	}
}

// look adds a vertex if its value has changed.
func (d *changes) look(v uint32) {
	from, to := int(v)*d.size, (int(v)+1)*d.size
	if bytes.Equal(d.raw[from:to], d.old[from:to]) {
		return
	}
	k := len(d.texts.text)
	d.texts.text = d.text(d.texts.text, d.now.Index(int(v)))
	if d.was = d.text(d.was[:0], d.before.Index(int(v))); bytes.Equal(d.was, d.texts.text[k:]) {
		d.texts.text = d.texts.text[:k] // gaps between fields, or another NaN
		return
	}
	d.vs = append(d.vs, v)
	d.texts.ends = append(d.texts.ends, len(d.texts.text))
}

// each calls f for a sample, or for 0 to n-1 if it is nil.
func each(n int, sample []uint32, f func(v uint32)) {
	if sample != nil {
		n = len(sample)
	}
	for i := range n {
		v := uint32(i)
		if sample != nil {
			v = sample[i]
		}
		f(v)
	}
}
