package cuda

import (
	"errors"
	"time"

	"gopregel/runtime/cuda/driver"
)

// firstOf is how many neighbours of a vertex are in First, as in
// kernels/first.cuh.
const firstOf = 2

// firstBytes is the size of First: for each 32 vertices a row of 32 entries for
// each of these neighbours.
func firstBytes(vertices uint64) uint64 { return (vertices + 31) / 32 * 32 * 4 * firstOf }

// First returns the first neighbours of all vertices along c, side by side, as
// kernels/first.cuh reads them: nil where the graph has not been reordered (a
// single run does not pay for it), or where the device has no room for it. It is
// made once for a resident graph.
func (d *Graph) First(c *CSR) (*driver.Buffer, error) {
	if !d.Host.Reordered() || d.without(firstNeighbours) || c.first == nil && d.engine.lacks(c.firstLack) {
		return nil, nil
	}
	if c.first != nil {
		d.engine.uses(c.first)
		return c.first, nil
	}
	begin := time.Now()
	b, err := d.engine.alloc(firstBytes(uint64(d.N)), "first neighbours")
	var full *driver.OutOfMemory
	if errors.As(err, &full) {
		c.firstLack = d.engine.lacking()
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if d.N > 0 {
		err = d.engine.launchAll("first", d.defines()[:1], []launch{{"first_fill", blocks(int(d.N), 256), 256,
			driver.NewArgs().Buffer(c.Offsets).Buffer(c.Targets).Uint32(d.N).Buffer(b)}})
	}
	if err != nil {
		d.engine.free(b)
		return nil, err
	}
	c.first = b
	d.engine.made(firstNeighbours, b, begin, b)
	return b, nil
}
