package sssp

import (
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// This file has the device bring the answer of a prepared graph into the user's order, behind what
// finds it. The parents are then the least by the user's numbers from the start (Named in
// kernels/sssp.cu).
//
// Cost: a gather of each column (kernels/bring.cu), a number for each arc that is as long as the distances
// are apart, and room for the columns once more.

// brings makes what that takes.
func (d *device[T]) brings(s *cuda.Session) (err error) {
	columns := []cuda.Column{{Numbers: d.distances, Wide: d.kind != narrow}}
	if !d.alone {
		columns = append(columns, cuda.Column{Numbers: d.parent, Names: true, Own: true})
	}
	d.bringer, err = s.Bringer(d.bring, columns...)
	return err
}

// order has the number by which parents are told; nil: their own.
func (d *device[T]) order() *driver.Buffer {
	if d.bringer == nil {
		return nil
	}
	return d.bringer.Order
}

// brought are the distances, and the parents if they are wanted, as they are to be copied.
func (d *device[T]) brought() (distances, parent *driver.Buffer) {
	if d.bringer == nil {
		return d.distances, d.parent
	}
	d.bring.Done = true
	if d.alone {
		return d.bringer.To[0], nil
	}
	return d.bringer.To[0], d.bringer.To[1]
}
