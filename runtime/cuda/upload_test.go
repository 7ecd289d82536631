//go:build cuda || emulate

package cuda

import (
	"slices"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/pregeltest"
)

// Offsets have the width that the device wants, whichever they have on the host, and no
// memory is lost on the way; those of more than are sent at a time among them.
func TestOffsetsAreUploaded(t *testing.T) {
	e := opened(t)
	r := fresh(t)
	for _, n := range []int{1, 50, 1<<16 + 5} {
		narrow := skewed(t, r, n, 2*n, true)
		for _, g := range []*graph.Graph{narrow, pregeltest.Widened(narrow)} {
			for _, e.Wide = range []bool{false, true} {
				checkOffsets(t, e, g)
			}
		}
	}
}

func checkOffsets(t *testing.T, e *Engine, g *graph.Graph) {
	t.Helper()
	err := e.device.Do(func() error {
		d, err := e.resident(g)
		if err != nil {
			return err
		}
		b := d.out.Offsets
		raw := make([]byte, b.Size())
		if err := b.Read(0, raw); err != nil {
			return err
		}
		got := mem.NarrowOffsets(mem.View[uint32](raw))
		if e.Wide {
			got = mem.WideOffsets(mem.View[uint64](raw))
		}
		if !slices.Equal(got.All(), g.Out().Offsets.All()) {
			t.Errorf("%d vertices, wide on the host %v, on the device %v: other offsets", g.N(), g.Out().Offsets.Wide(), e.Wide)
		}
		if want := b.Size() + 4*g.Arcs(); e.used != want {
			t.Errorf("%d bytes in use, want %d", e.used, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.GiveUp(); err != nil || e.used != 0 {
		t.Fatalf("error %v, %d bytes are lost", err, e.used)
	}
}
