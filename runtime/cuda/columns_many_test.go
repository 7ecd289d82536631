//go:build cuda || emulate

package cuda

import (
	"errors"
	"testing"

	"gopregel/pregel/mem"
	"gopregel/runtime/cuda/driver"
)

// lent runs f with a graph of four vertices on the device, offsets of 8 bytes, and what sends
// lists there.
func lent(t *testing.T, f func(d *Graph, send func(bytes []byte) *driver.Buffer) error) {
	t.Helper()
	e := opened(t)
	e.Wide = true
	err := e.device.Do(func() error {
		d, err := e.resident(skewed(t, fresh(t), 4, 9, true))
		if err != nil {
			return err
		}
		var sent []*driver.Buffer
		defer func() {
			for _, b := range sent {
				e.free(b)
			}
		}()
		return f(d, func(bytes []byte) *driver.Buffer {
			b, err := d.send(bytes, "a list of the test")
			if err != nil {
				t.Fatal(err)
			}
			sent = append(sent, b)
			return b
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A list of 2^32 arcs is none that columns hold: its length is no number of 32 bits. (Cut
// to these it would be 0, so that nothing reads the targets that are not there.)
func TestColumnsOfLongList(t *testing.T) {
	lent(t, func(d *Graph, send func([]byte) *driver.Buffer) error {
		const long = 1 << 32
		receive := &CSR{Offsets: send(mem.Bytes([]uint64{0, long, long, long, long})), Targets: send(make([]byte, 64))}
		c := &columns{split: split{width: 64, wide: 64}}
		defer c.free(d.engine)
		err := d.cut(receive, c, d.N)
		if heard := words(t, c.heard); heard[0] != 0 {
			t.Errorf("columns are to hold the lists of vertices %b", heard[0])
		}
		return err
	})
}

// Sums of arcs are right above 32 bits, in a block and in a warp, and refused where chunks may
// be too many to count. A list stands for many: it is given again and again.
func TestColumnsOfManyArcs(t *testing.T) {
	const arcs = 1 << 24
	lent(t, func(d *Graph, send func([]byte) *driver.Buffer) error {
		receive := &CSR{Offsets: send(mem.Bytes([]uint64{0, arcs, arcs, arcs, arcs})), Targets: send(make([]byte, 4*arcs))}
		k := &cutter{graph: d, receive: receive, list: send(make([]byte, 4*600)), table: send(make([]byte, 4*columnBlocks)), arcs: send(make([]byte, 8))}
		for _, lists := range []uint32{1, 255, 256, 257, 300, 511, 512, 600} {
			k.count = lists
			table, sums, err := k.measure(split{columns: 1, narrow: 1, width: 64, wide: 64})
			if lists >= columnSum/arcs {
				if !errors.Is(err, errColumns) {
					t.Errorf("%d lists of %d arcs: %v, want %v", lists, arcs, err, errColumns)
				}
				continue
			}
			if err != nil {
				return err
			}
			chunks := uint64(0)
			for _, x := range table {
				chunks += uint64(x)
			}
			if want := uint64(lists) * arcs; sums[0] != want || chunks != want/chunkOf {
				t.Errorf("%d lists of %d arcs: %d in %d chunks, want %d in %d", lists, arcs, sums[0], chunks, want, want/chunkOf)
			}
		}
		return nil
	})
}
