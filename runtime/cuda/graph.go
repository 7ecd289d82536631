package cuda

import (
	"fmt"
	"math"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda/driver"
)

// A Graph is a graph on the device.
type Graph struct {
	Host     *graph.Graph
	N        uint32
	Directed bool
	wide     bool // offsets have 64 bits
	engine   *Engine
	out, in  *CSR
}

// A CSR is one direction of the arcs, as graph.CSR: N+1 offsets of 4 bytes, or 8
// where there are 2^32 arcs or more; targets of 4 bytes; weights beside them,
// nil when there are none.
type CSR struct {
	Arcs                      uint64
	Kind                      graph.WeightKind
	Offsets, Targets, Weights *driver.Buffer
	schedule                  *schedule // made when first asked for
}

// A schedule tells who has arcs, and cuts them into tiles: see kernels/graph.cu.
type schedule struct {
	rows                         uint32
	tiles                        uint32
	receivers, list, starts, cut *driver.Buffer
}

// tileArcs is the number of arcs of a tile, TILE in kernels/step.cuh.
const tileArcs = 512

func newGraph(e *Engine, g *graph.Graph) (*Graph, error) {
	d := &Graph{Host: g, N: uint32(g.N()), Directed: g.Directed(), engine: e}
	d.wide = e.Wide || g.Out().Arcs() > math.MaxUint32
	var err error
	d.out, err = d.upload(g.Out(), "out-arcs")
	if err != nil {
		d.free()
		return nil, err
	}
	if !d.Directed {
		d.in = d.out
	}
	return d, nil
}

// Out returns the arcs by source.
func (d *Graph) Out() *CSR { return d.out }

// In returns the arcs by target; those of an undirected graph are Out. The host
// makes them if it has to.
func (d *Graph) In() (*CSR, error) {
	if d.in == nil {
		in, err := d.upload(d.Host.In(), "in-arcs")
		if err != nil {
			return nil, err
		}
		d.in = in
	}
	return d.in, nil
}

// offsetBytes is the size of an offset.
func (d *Graph) offsetBytes() uint64 {
	if d.wide {
		return 8
	}
	return 4
}

// defines are what kernels must know of the graph to be compiled.
func (d *Graph) defines() []string {
	list := []string{"OFFSET=u32", "WEIGHTED=0", "WEIGHT=i32"}
	if d.wide {
		list[0] = "OFFSET=u64"
	}
	switch d.out.Kind {
	case graph.Int32:
		list[1] = "WEIGHTED=1"
	case graph.Float32:
		list[1], list[2] = "WEIGHTED=1", "WEIGHT=float"
	}
	return list
}

func (d *Graph) upload(c graph.CSR, what string) (csr *CSR, err error) {
	csr = &CSR{Arcs: c.Arcs(), Kind: c.Weights.Kind()}
	defer func() {
		if err != nil {
			d.freeCSR(csr)
		}
	}()
	if csr.Offsets, err = d.uploadOffsets(c.Offsets, what); err != nil {
		return nil, err
	}
	if csr.Targets, err = d.send(mem.Bytes(c.Targets), "targets of the "+what); err != nil {
		return nil, err
	}
	switch csr.Kind {
	case graph.Int32:
		csr.Weights, err = d.send(mem.Bytes(c.Weights.Int), "weights of the "+what)
	case graph.Float32:
		csr.Weights, err = d.send(mem.Bytes(c.Weights.Float), "weights of the "+what)
	}
	return csr, err
}

func (d *Graph) send(bytes []byte, what string) (*driver.Buffer, error) {
	b, err := d.engine.alloc(uint64(len(bytes)), what)
	if err != nil {
		return nil, err
	}
	return b, b.Write(0, bytes)
}

// uploadOffsets sends offsets of 8 bytes and makes them smaller there.
func (d *Graph) uploadOffsets(offsets []uint64, what string) (*driver.Buffer, error) {
	long, err := d.send(mem.Bytes(offsets), "offsets of the "+what)
	if err != nil || d.wide {
		return long, err
	}
	defer d.engine.free(long)
	short, err := d.engine.alloc(uint64(len(offsets))*4, "offsets of the "+what)
	if err != nil {
		return nil, err
	}
	k, err := d.engine.kernel("graph", "graph_narrow", []string{"OFFSET=u32"})
	if err != nil {
		return nil, err
	}
	args := driver.NewArgs().Buffer(long).Buffer(short).Uint64(uint64(len(offsets)))
	if err := k.Launch(driver.Shape{Blocks: blocks(len(offsets), 256), Threads: 256}, args); err != nil {
		return nil, err
	}
	return short, d.engine.device.Sync()
}

// blocks is how many blocks of some threads cover n items, within reason: the
// kernels stride.
func blocks(n, threads int) int { return min(max((n+threads-1)/threads, 1), 1<<16) }

// plan makes the schedule of a direction.
func (d *Graph) plan(c *CSR) (*schedule, error) {
	if c.schedule != nil {
		return c.schedule, nil
	}
	s := &schedule{tiles: uint32((c.Arcs + tileArcs - 1) / tileArcs)}
	words := (uint64(d.N) + 31) / 32
	counts, err := d.receivers(c, s, words)
	if err != nil {
		return nil, fmt.Errorf("schedule of the graph: %w", err)
	}
	for i, k := range counts {
		counts[i] = s.rows
		s.rows += k
	}
	if err := d.rows(c, s, words, counts); err != nil {
		return nil, fmt.Errorf("schedule of the graph: %w", err)
	}
	c.schedule = s
	return s, nil
}

// receivers finds the vertices with arcs, and counts them by 1024 words.
func (d *Graph) receivers(c *CSR, s *schedule, words uint64) ([]uint32, error) {
	e := d.engine
	var err error
	if s.receivers, err = e.alloc(words*4, "bits of vertices with arcs"); err != nil {
		return nil, err
	}
	counts := make([]uint32, (words+1023)/1024)
	onDevice, err := e.alloc(uint64(len(counts))*4, "counts of vertices with arcs")
	if err != nil || d.N == 0 {
		return counts, err
	}
	defer e.free(onDevice)
	launches := []launch{
		{"graph_receivers", blocks(int(d.N), 256), 256, driver.NewArgs().Buffer(c.Offsets).Uint32(d.N).Buffer(s.receivers).Uint32(0)},
		{"graph_count", len(counts), 256, driver.NewArgs().Buffer(s.receivers).Uint32(uint32(words)).Buffer(onDevice)},
	}
	if err := e.launchAll("graph", d.defines()[:1], launches); err != nil {
		return nil, err
	}
	return counts, onDevice.Read(0, mem.Bytes(counts))
}

// rows lists the vertices with arcs, and finds the row of each tile.
func (d *Graph) rows(c *CSR, s *schedule, words uint64, base []uint32) (err error) {
	e := d.engine
	if s.list, err = e.alloc(uint64(s.rows)*4, "list of rows"); err != nil {
		return err
	}
	if s.starts, err = e.alloc((uint64(s.rows)+1)*d.offsetBytes(), "starts of rows"); err != nil {
		return err
	}
	if s.cut, err = e.alloc((uint64(s.tiles)+1)*4, "rows of tiles"); err != nil || c.Arcs == 0 {
		return err
	}
	onDevice, err := d.send(mem.Bytes(base), "rows before each block")
	if err != nil {
		return err
	}
	defer e.free(onDevice)
	end := mem.Bytes([]uint64{c.Arcs})[:d.offsetBytes()]
	if err := s.starts.Write(uint64(s.rows)*d.offsetBytes(), end); err != nil {
		return err
	}
	return e.launchAll("graph", d.defines()[:1], []launch{
		{"graph_rows", len(base), 32, driver.NewArgs().Buffer(c.Offsets).Buffer(s.receivers).Uint32(uint32(words)).Buffer(onDevice).Buffer(s.list).Buffer(s.starts)},
		{"graph_tiles", blocks(int(s.tiles)+1, 256), 256, driver.NewArgs().Buffer(s.starts).Uint32(s.rows).Uint64(c.Arcs).Uint32(s.tiles).Buffer(s.cut)},
	})
}

func (d *Graph) free() {
	if d.in != d.out {
		d.freeCSR(d.in)
	}
	d.freeCSR(d.out)
}

func (d *Graph) freeCSR(c *CSR) {
	if c == nil {
		return
	}
	list := []*driver.Buffer{c.Offsets, c.Targets, c.Weights}
	if s := c.schedule; s != nil {
		list = append(list, s.receivers, s.list, s.starts, s.cut)
	}
	for _, b := range list {
		d.engine.free(b)
	}
}

// launch is one launch of a list.
type launch struct {
	entry           string
	blocks, threads int
	args            *driver.Args
}

// launchAll launches kernels of one source, one after the other, and waits.
func (e *Engine) launchAll(source string, defines []string, list []launch) error {
	for _, l := range list {
		k, err := e.kernel(source, l.entry, defines)
		if err != nil {
			return err
		}
		if err := k.Launch(driver.Shape{Blocks: l.blocks, Threads: l.threads}, l.args); err != nil {
			return err
		}
	}
	return e.device.Sync()
}
