package cuda

import (
	"errors"
	"time"

	"gopregel/pregel/graph"
	"gopregel/runtime/cuda/driver"
)

// A Lightest is the first arcs of every vertex in an order by weight, side by side, up to the last
// vertex that has any: kernels/lightest.cuh reads it. Packed, an arc is one word
// and Weights is nil.
type Lightest struct {
	Arcs, Weights *driver.Buffer
	Packed        bool
}

// As in kernels/lightest.cuh.
const (
	lightestOf = 4
	packedBits = 24
)

// packs tells whether targets below end and weights fit into a word, and leave
// one that is no arc.
func packs(end uint32, kind graph.WeightKind, r graph.WeightRange) bool {
	return kind == graph.Int32 && r.Least >= 0 && r.Most < 1<<(32-packedBits) && end < 1<<packedBits
}

// Lightest returns the first arcs of the lists of c in an order by weight, and c in it: nil
// where there is no ByWeight, or where the device has no room. It is made once
// for a resident graph.
func (d *Graph) Lightest(c *CSR, o ArcOrder) (*Lightest, *CSR, error) {
	sorted, err := d.ByWeight(c, o)
	made := &c.byWeight[o]
	if err != nil || sorted == nil || d.slim || made.first == nil && d.engine.lacks(made.firstLack) {
		return nil, nil, err
	}
	if made.first == nil {
		begin := time.Now()
		l := &Lightest{Packed: packs(d.targetsEnd(c), c.Kind, d.Host.WeightRange())}
		if err := d.fillLightest(l, sorted, WithArcs(d.hostOf(c))); err != nil {
			l.free(d.engine)
			var full *driver.OutOfMemory
			if !errors.As(err, &full) {
				return nil, nil, err
			}
			made.firstLack = d.engine.lacking()
			return nil, nil, nil
		}
		made.first = l
		d.engine.made(d.byWeightForm(c), l, begin, l.Arcs, l.Weights)
	}
	d.engine.uses(made.first)
	return made.first, sorted, nil
}

// targetsEnd bounds the targets of c: who is one has arcs the other way.
func (d *Graph) targetsEnd(c *CSR) uint32 {
	if d.Directed && c == d.out {
		return d.N
	}
	return WithArcs(d.Host.Out())
}

func (d *Graph) fillLightest(l *Lightest, sorted *CSR, vertices uint32) (err error) {
	bytes := uint64(vertices) * lightestOf * 4
	if l.Arcs, err = d.engine.alloc(bytes, "lightest arcs"); err != nil {
		return err
	}
	if !l.Packed {
		if l.Weights, err = d.engine.alloc(bytes, "weights of the lightest arcs"); err != nil {
			return err
		}
	}
	if vertices == 0 {
		return nil
	}
	args := driver.NewArgs().Buffer(sorted.Offsets).Buffer(sorted.Targets).Buffer(sorted.Weights).Uint32(vertices).Buffer(l.Arcs).Buffer(l.Weights)
	return d.engine.launchAll("lightest", d.defines(), []launch{{"lightest_fill", blocks(int(vertices), 64), 256, args}})
}

func (l *Lightest) free(e *Engine) {
	if l == nil {
		return
	}
	e.free(l.Arcs)
	e.free(l.Weights)
}

// lightestMost bounds the bytes of the lightest arcs of a graph.
func lightestMost(vertices uint64) uint64 { return vertices * lightestOf * 8 }
