package pregel

import (
	"reflect"
	"sync"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/mem"
)

// This file is the boxes of a relaxed run: each holds all that its vertex was ever
// sent, combined.

// boxKind is how boxes are read and written beside others.
type boxKind uint8

const (
	named  boxKind = iota // by the combiner's own loops
	word                  // combined by a function, stored by compare and swap
	locked                // under a lock
)

// lasting are boxes that are never emptied.
type lasting[M any] struct {
	box   boxKind
	locks []sync.Mutex // of boxes, by vertex modulo their number
	// Vertices with something in their box; of words, those of them that the box does
	// not show, as it is the identity.
	heard bitmap.Bitmap
	news  bitmap.Bitmap     // those whose owner has not read it, under a lock
	same  func(a, b M) bool // nil: messages cannot be compared, and all are new
}

// lockedBoxes is the number of locks.
const lockedBoxes = 1 << 12

// prepareBoxes chooses their kind, and makes them.
func (t *edgeTask[V, M]) prepareBoxes() {
	n := t.g.N()
	t.loosen()
	t.preparePush()
	switch {
	case t.mode != byCalls && t.spec.Combine.loops != nil:
		return
	case t.spec.Combine.Func != nil && mem.Swappable(t.boxes):
		if t.box = word; !t.loose { // where boxes have values nobody asks
			t.heard = bitmap.New(n)
		}
		return
	}
	t.box = locked
	t.locks = make([]sync.Mutex, lockedBoxes)
	t.heard, t.news = bitmap.New(n), bitmap.New(n)
	if plain(reflect.TypeFor[M]()) {
		t.same = func(a, b M) bool { return any(a) == any(b) }
	}
}

// plain tells whether == of two values of a type cannot panic.
func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return false
	case reflect.Array:
		return plain(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !plain(t.Field(i).Type) {
				return false
			}
		}
	}
	return t.Comparable()
}

// read returns what v was ever sent, combined, and whether that is anything.
func (t *edgeTask[V, M]) read(v uint32) (message M, got bool) {
	switch {
	case t.loose:
		return mem.Load(&t.boxes[v]), true
	case t.box == named:
		message = mem.Load(&t.boxes[v])
		return message, !mem.Same(message, t.spec.Combine.Identity)
	case t.box == word:
		message = mem.Load(&t.boxes[v])
		return message, !mem.Same(message, t.spec.Combine.Identity) || t.heard.HasAtomic(v)
	}
	lock := t.lock(v)
	lock.Lock()
	defer lock.Unlock()
	t.news.ClearAtomic(v)
	return t.boxes[v], t.heard.HasAtomic(v)
}

// changed tells whether the box of v has something that was not there when read
// has returned a message.
func (t *edgeTask[V, M]) changed(v uint32, message M, got bool) bool {
	switch t.box {
	case named:
		return !mem.Same(mem.Load(&t.boxes[v]), message)
	case word:
		return !mem.Same(mem.Load(&t.boxes[v]), message) || !got && t.heard.HasAtomic(v)
	}
	return t.news.HasAtomic(v)
}

func (t *edgeTask[V, M]) lock(v uint32) *sync.Mutex { return &t.locks[v%lockedBoxes] }

// put combines a message into the box of v and tells whether that has changed it.
func (t *edgeTask[V, M]) put(v uint32, x M) bool {
	lock := t.lock(v)
	lock.Lock()
	defer lock.Unlock() // the program's function may panic
	if t.heard.HasAtomic(v) {
		if t.spec.Combine.Func == nil { // any: the first is one of them
			return false
		}
		old := t.boxes[v]
		if x = t.spec.Combine.Func(old, x); t.same != nil && t.same(old, x) {
			return false
		}
	}
	t.boxes[v] = x
	t.heard.SetAtomic(v)
	t.news.SetAtomic(v)
	return true
}
