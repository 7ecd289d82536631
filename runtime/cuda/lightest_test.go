//go:build cuda || emulate

package cuda

import (
	"math"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// An arc is packed up to the last id and weight for which there is a word that is
// no arc.
func TestPacks(t *testing.T) {
	for _, c := range []struct {
		end         uint32
		kind        graph.WeightKind
		least, most float64
		want        bool
	}{
		{1<<24 - 1, graph.Int32, 0, 255, true},
		{1 << 24, graph.Int32, 0, 1, false},
		{10, graph.Int32, 0, 256, false},
		{10, graph.Int32, -1, 3, false},
		{10, graph.Float32, 0, 1, false},
		{0, graph.Int32, 0, 0, true},
	} {
		if got := packs(c.end, c.kind, graph.WeightRange{Least: c.least, Most: c.most}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// The lightest arcs are the first of the lists by weight, in both forms.
func TestLightest(t *testing.T) {
	e := opened(t)
	r := fresh(t)
	seen := map[bool]bool{}
	for _, w := range weighings() {
		directed := r.IntN(2) == 0
		e.Wide = r.IntN(2) == 0
		u, v := hubs(r, 300, 900)
		seen[checkLightest(t, e, w.name, weigh(t, r, 400, u, v, w, directed), ArcOrder(r.IntN(2)))] = true
	}
	if len(seen) != 2 {
		t.Errorf("packed: only %v were seen", seen)
	}
}

func checkLightest(t *testing.T, e *Engine, name string, g *graph.Graph, order ArcOrder) (packed bool) {
	t.Helper()
	err := e.device.Do(func() error {
		d, err := e.resident(g)
		if err != nil {
			return err
		}
		in, err := d.In()
		if err != nil {
			return err
		}
		l, sorted, err := d.Lightest(in, order)
		if err != nil || l == nil {
			t.Fatalf("%s: %v, %v", name, l, err)
		}
		packed = l.Packed
		n := int(WithArcs(g.In()))
		arcs, weights := make([]uint32, lightestOf*n), make([]uint32, lightestOf*n)
		targets, bits := make([]uint32, g.Arcs()), make([]uint32, g.Arcs())
		if err := l.Arcs.Read(0, mem.Bytes(arcs)); err != nil {
			return err
		}
		if !packed {
			if err := l.Weights.Read(0, mem.Bytes(weights)); err != nil {
				return err
			}
		}
		if err := sorted.Targets.Read(0, mem.Bytes(targets)); err != nil {
			return err
		}
		if err := sorted.Weights.Read(0, mem.Bytes(bits)); err != nil {
			return err
		}
		for i := range arcs {
			at := g.In().Offsets.At(uint32(i/lightestOf)) + uint64(i%lightestOf)
			arc, weight := uint32(math.MaxUint32), uint32(0)
			switch {
			case at >= g.In().Offsets.At(uint32(i/lightestOf+1)):
			case packed:
				arc = targets[at] | bits[at]<<packedBits
			default:
				arc, weight = targets[at], bits[at]
			}
			if arcs[i] != arc || weights[i] != weight {
				t.Fatalf("%s: arc %d of vertex %d is %#x, %#x; want %#x, %#x", name, i%lightestOf, i/lightestOf, arcs[i], weights[i], arc, weight)
			}
		}
		return nil
	})
	if err == nil {
		err = e.GiveUp()
	}
	if err != nil || e.used != 0 {
		t.Fatalf("%s: error %v, %d bytes are lost", name, err, e.used)
	}
	return packed
}
