package cuda

import (
	"fmt"
	"time"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda/driver"
)

// tiles are the arcs of a graph by tile of consecutive vertices: see
// kernels/tiles.cu and struct TileArcs of kernels/step_tiles.cuh. They are made
// once for a resident graph.
type tiles struct {
	count                               int
	rows, rowWeights                    *driver.Buffer
	moreFirst, moreCount, more, moreW   *driver.Buffer
	leaveFirst, leaveFrom, leave, leavW *driver.Buffer
}

// TILE and ROW of kernels/step_tiles.cuh.
const (
	tileSize = graph.TileSize
	tileRow  = 4
)

// tileArcs are the arcs of a tile form.
type tileArcs struct {
	receive, send [2]*CSR // by side; the second may be nil
	weighs        bool    // their weights count
}

// tile makes the form, or returns the one that was made before.
func (d *Graph) tile(a tileArcs) (*tiles, error) {
	key := a.receive[0]
	if t := key.tiles[a]; t != nil {
		d.engine.uses(t)
		return t, nil
	}
	begin := time.Now()
	t := &tiles{count: (int(d.N) + d.engine.tile - 1) / d.engine.tile}
	if err := d.fillTiles(a, t); err != nil {
		t.free(d.engine)
		return nil, err
	}
	if key.tiles == nil {
		key.tiles = map[tileArcs]*tiles{}
	}
	key.tiles[a] = t
	d.engine.made(arcsByTile, t, begin, t.buffers()...)
	return t, nil
}

// formDefines are what kernels must know to make the form.
func (d *Graph) formDefines(a tileArcs) []string {
	list := d.tileDefines()
	if !a.weighs {
		list[1], list[2] = "WEIGHTED=0", "WEIGHT=i32"
	}
	return list
}

// tileDefines are what kernels must know of the graph and its tiles.
func (d *Graph) tileDefines() []string {
	return append(d.defines(), fmt.Sprintf("TILE=%d", d.engine.tile))
}

func (a tileArcs) args(x *driver.Args, weights bool) *driver.Args {
	for _, side := range [][2]*CSR{a.receive, a.send} {
		for _, c := range side {
			if c == nil {
				c = &CSR{}
			}
			x.Buffer(c.Offsets).Buffer(c.Targets)
			if weights {
				x.Buffer(c.Weights)
			}
		}
	}
	return x
}

func (d *Graph) fillTiles(a tileArcs, t *tiles) (err error) {
	e := d.engine
	counts := make([]uint64, 3*t.count)
	places, err := e.alloc(uint64(len(counts))*8, "counts of arcs by tile")
	if err != nil {
		return err
	}
	defer e.free(places)
	blocks := min(max(t.count, 1), 1<<16)
	err = e.launchAll("tiles", d.formDefines(a), []launch{{"tiles_count", blocks, 256, a.args(driver.NewArgs(), false).Uint32(d.N).Uint32(uint32(t.count)).Buffer(places)}})
	if err != nil {
		return err
	}
	if err := places.Read(0, mem.Bytes(counts)); err != nil {
		return err
	}
	sums := t.number(counts)
	if err := places.Write(0, mem.Bytes(counts)); err != nil {
		return err
	}
	if err := d.makeTiles(t, counts, sums, a.weighs); err != nil {
		return err
	}
	w := &structure{}
	w.buffers(t.rows, t.rowWeights, t.moreFirst, t.moreCount, t.more, t.moreW, t.leaveFrom, t.leave, t.leavW)
	return e.launchAll("tiles", d.formDefines(a), []launch{{"tiles_fill", blocks, 256,
		a.args(driver.NewArgs().Bytes(w.b), true).Uint32(d.N).Uint32(uint32(t.count)).Buffer(places)}})
}

// number makes places of counts: rows, their arcs, and arcs that leave, of each
// tile. It returns the sums.
func (t *tiles) number(counts []uint64) (sums [3]uint64) {
	for i, k := range counts {
		counts[i] = sums[i%3]
		sums[i%3] += k
	}
	return sums
}

// makeTiles makes the arrays, and those of first places.
func (d *Graph) makeTiles(t *tiles, places []uint64, sums [3]uint64, weighs bool) error {
	first := make([]uint64, t.count+1)
	for i := range t.count {
		first[i] = places[3*i+2]
	}
	first[t.count] = sums[2]
	var err error
	if t.leaveFirst, err = d.send(mem.Bytes(first), "arcs that leave tiles"); err != nil {
		return err
	}
	weight := uint64(0)
	if weighs {
		weight = 4
	}
	n := uint64(d.N)
	for _, b := range []struct {
		to    **driver.Buffer
		bytes uint64
	}{
		{&t.rows, 8 * n}, {&t.rowWeights, tileRow * weight * n},
		{&t.moreFirst, 8 * sums[0]}, {&t.moreCount, 4 * sums[0]}, {&t.more, 2 * sums[1]}, {&t.moreW, weight * sums[1]},
		{&t.leaveFrom, 2 * sums[2]}, {&t.leave, 4 * sums[2]}, {&t.leavW, weight * sums[2]},
	} {
		if *b.to, err = d.engine.alloc(b.bytes, "arcs by tile"); err != nil {
			return err
		}
	}
	return nil
}

// write writes struct TileArcs.
func (t *tiles) write(w *structure) {
	w.buffers(t.buffers()...)
}

func (t *tiles) free(e *Engine) {
	for _, b := range t.buffers() {
		e.free(b)
	}
}

// buffers are all that it consists of, in the order of struct TileArcs.
func (t *tiles) buffers() []*driver.Buffer {
	return []*driver.Buffer{t.rows, t.rowWeights, t.moreFirst, t.moreCount, t.more, t.moreW, t.leaveFirst, t.leaveFrom, t.leave, t.leavW}
}
