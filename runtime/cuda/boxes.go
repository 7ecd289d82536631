package cuda

import "gopregel/runtime/cuda/driver"

// boxes are those of messages of a superstep loop: see kernels/step.cuh. A run
// leaves the identity in all of them, so that the next need not write it there.
type boxes struct {
	of    string // message and identity
	pair  [2]*driver.Buffer
	clean bool // they hold the identity
}

// boxesOf returns boxes for messages of some bytes and their identity, which of
// names. Other boxes are given up for them.
func (d *Graph) boxesOf(of string, bytes int) (*boxes, error) {
	if d.boxes != nil && d.boxes.of == of {
		return d.boxes, nil
	}
	d.boxes.free(d.engine)
	d.boxes = nil
	b := &boxes{of: of}
	for i := range b.pair {
		var err error
		if b.pair[i], err = d.engine.alloc(uint64(d.N)*uint64(bytes), "messages"); err != nil {
			b.free(d.engine)
			return nil, err
		}
	}
	d.boxes = b
	return b, nil
}

// use tells that a launch is about to write to the boxes. The function that it
// returns tells that it has come to its end.
func (b *boxes) use() (ended func()) {
	if b == nil {
		return func() {}
	}
	b.clean = false
	return func() { b.clean = true }
}

func (b *boxes) free(e *Engine) {
	if b == nil {
		return
	}
	for _, x := range b.pair {
		e.free(x)
	}
}
