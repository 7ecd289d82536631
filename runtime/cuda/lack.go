package cuda

import "gopregel/runtime/cuda/driver"

// This file remembers that there was no room for something that is made for speed alone: to try
// again in each run would have the spare buffers given up in each.

// A lack says that there was no room beside so many bytes. The zero value says that there was.
type lack struct {
	was    bool
	beside uint64 // bytes that were in use, without what had been made of the thing by then
}

// lacking is the lack of something that has just been given up.
func (e *Engine) lacking() lack { return lack{true, e.inUse()} }

// lacks tells whether there is no room still: a run that leaves more of it than the one that had
// none may try. made is what there is of the thing, nil for none.
func (e *Engine) lacks(l lack, made ...*driver.Buffer) bool {
	if !l.was {
		return false
	}
	inUse := e.inUse()
	for _, b := range made {
		if b != nil {
			inUse -= b.Size()
		}
	}
	return inUse >= l.beside
}

// inUse is how many bytes the buffers have that are not spare.
func (e *Engine) inUse() uint64 {
	spare := uint64(0)
	for bytes, list := range e.spare {
		spare += bytes * uint64(len(list))
	}
	return e.used - spare
}
