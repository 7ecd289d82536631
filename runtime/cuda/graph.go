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
	Host      *graph.Graph
	N         uint32
	Directed  bool
	wide      bool // offsets have 64 bits
	slim      bool // see Slim
	engine    *Engine
	out, in   *CSR
	boxes     *boxes
	before    *ownOrder // see own; nil: nobody has asked
	ownLack   lack      // of room for it
	edgesFull bool      // there was no room to put edges in order
}

// A CSR is one direction of the arcs, as graph.CSR: N+1 offsets of 4 bytes, or 8
// where there are too many arcs (wideOffsets); targets of 4 bytes; weights beside them,
// nil when there are none.
type CSR struct {
	Arcs                      uint64
	Kind                      graph.WeightKind
	Offsets, Targets, Weights *driver.Buffer
	schedule                  *schedule           // made when first asked for
	ranks                     *ranks              // of who is heard along it: see ranks.go
	reach                     map[uint64]bool     // see reaches
	columns                   map[int]*columns    // by the bytes of a message: see columns.go
	byWeight                  [2]byWeight         // the lightest first, and the heaviest
	tiles                     map[tileArcs]*tiles // of which these are the first to be received along: see tiles.go
	first                     *driver.Buffer      // see First
	firstLack                 lack                // of room for it
}

// A schedule tells who has arcs, and bins vertices by how many: see Bins in
// kernels/step.cuh.
type schedule struct {
	receivers            *driver.Buffer // bits
	mid, wide, hubs      *driver.Buffer // lists of vertices
	first, chunks        *driver.Buffer
	mids, wides          uint32
	hubCount, chunkCount uint32
}

// Bounds of the bins, as in kernels/step.cuh.
const (
	lightArcs = 16
	wideArcs  = 128
	hubArcs   = 4096
)

// wideOffsets tells whether offsets of so many arcs have 64 bits. Lanes that go
// through a list in step add to an offset before they know that the list has
// ended, less than 2^16: with 32 bits that must not wrap around.
func wideOffsets(arcs uint64) bool { return arcs > math.MaxUint32-1<<16 }

// OffsetBytes is how many an offset of a graph takes on the device.
func (e *Engine) OffsetBytes(g *graph.Graph) uint64 {
	if e.Wide || wideOffsets(g.Out().Arcs()) {
		return 8
	}
	return 4
}

func newGraph(e *Engine, g *graph.Graph) (*Graph, error) {
	d := &Graph{Host: g, N: uint32(g.N()), Directed: g.Directed(), engine: e}
	d.wide = e.OffsetBytes(g) == 8
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

func (d *Graph) upload(c graph.CSR, what string) (*CSR, error) {
	csr := &CSR{Arcs: c.Arcs(), Kind: c.Weights.Kind()}
	if err := d.fill(csr, c, what); err != nil {
		csr.free(d.engine)
		return nil, err
	}
	return csr, nil
}

func (d *Graph) fill(csr *CSR, c graph.CSR, what string) (err error) {
	if csr.Offsets, err = d.uploadOffsets(c.Offsets, what); err != nil {
		return err
	}
	if csr.Targets, err = d.send(mem.Bytes(c.Targets), "targets of the "+what); err != nil {
		return err
	}
	switch csr.Kind {
	case graph.Int32:
		csr.Weights, err = d.send(mem.Bytes(c.Weights.Int), "weights of the "+what)
	case graph.Float32:
		csr.Weights, err = d.send(mem.Bytes(c.Weights.Float), "weights of the "+what)
	}
	return err
}

func (d *Graph) send(bytes []byte, what string) (*driver.Buffer, error) {
	b, err := d.engine.alloc(uint64(len(bytes)), what)
	if err != nil {
		return nil, err
	}
	if err := b.Write(0, bytes); err != nil {
		d.engine.free(b)
		return nil, err
	}
	return b, nil
}

// uploadOffsets sends offsets in the size that the device has them in: narrow ones are made
// wider on the way, and wide ones narrower there.
func (d *Graph) uploadOffsets(offsets graph.Offsets, what string) (*driver.Buffer, error) {
	what = "offsets of the " + what
	narrow, wide := offsets.Lists()
	switch {
	case d.wide:
		return d.sendWide(offsets, what)
	case !offsets.Wide():
		return d.send(mem.Bytes(narrow), what)
	}
	long, err := d.send(mem.Bytes(wide), what)
	if err != nil {
		return nil, err
	}
	defer d.engine.free(long)
	n := offsets.Len()
	short, err := d.engine.alloc(uint64(n)*4, what)
	if err != nil {
		return nil, err
	}
	err = d.engine.launchAll("graph", []string{"OFFSET=u32"}, []launch{{"graph_narrow", blocks(n, 256), 256,
		driver.NewArgs().Buffer(long).Buffer(short).Uint64(uint64(n))}})
	if err != nil {
		d.engine.free(short)
		return nil, err
	}
	return short, nil
}

// sendWide sends offsets as numbers of eight bytes.
func (d *Graph) sendWide(offsets graph.Offsets, what string) (*driver.Buffer, error) {
	b, err := d.engine.alloc(8*uint64(offsets.Len()), what)
	if err != nil {
		return nil, err
	}
	at := uint64(0)
	err = offsets.Pieces(func(some []uint64) error {
		bytes := mem.Bytes(some)
		at += uint64(len(bytes))
		return b.Write(at-uint64(len(bytes)), bytes)
	})
	if err != nil {
		d.engine.free(b)
		return nil, err
	}
	return b, nil
}

// blocks is how many blocks of some threads cover n items, within reason: the
// kernels stride.
func blocks(n, threads int) int { return min(max((n+threads-1)/threads, 1), 1<<16) }

// plan makes the schedule of a direction.
func (d *Graph) plan(c *CSR, host graph.CSR) (*schedule, error) {
	if c.schedule != nil {
		return c.schedule, nil
	}
	s := &schedule{}
	err := d.bins(c, s, host)
	if err != nil {
		s.free(d.engine)
		return nil, fmt.Errorf("schedule of the graph: %w", err)
	}
	c.schedule = s
	return s, nil
}

func (d *Graph) bins(c *CSR, s *schedule, host graph.CSR) (err error) {
	words := (uint64(d.N) + 31) / 32
	if s.receivers, err = d.engine.alloc(words*4, "bits of vertices with arcs"); err != nil || d.N == 0 {
		return err
	}
	for _, bin := range []struct {
		list        **driver.Buffer
		count       *uint32
		least, most uint64
	}{{&s.mid, &s.mids, lightArcs, wideArcs - 1}, {&s.wide, &s.wides, wideArcs, hubArcs}, {&s.hubs, &s.hubCount, hubArcs + 1, math.MaxUint64}} {
		if *bin.list, *bin.count, err = d.list(c, s.receivers, words, bin.least, bin.most); err != nil {
			return err
		}
	}
	if err := d.chunk(s, host); err != nil {
		return err
	}
	return d.mark(c, s.receivers, false, 1, math.MaxUint64)
}

// mark sets the bits of the vertices with a number of arcs within bounds.
func (d *Graph) mark(c *CSR, bits *driver.Buffer, more bool, least, most uint64) error {
	return d.engine.launchAll("graph", d.defines()[:1], []launch{{"graph_receivers", blocks(int(d.N), 256), 256,
		driver.NewArgs().Buffer(c.Offsets).Uint32(d.N).Buffer(bits).Uint32(uint32(bit(more))).Uint64(least).Uint64(most)}})
}

// reaches tells whether a vertex has so many arcs.
func (d *Graph) reaches(c *CSR, arcs uint64) (bool, error) {
	if c.reach == nil {
		c.reach = map[uint64]bool{}
	}
	if has, ok := c.reach[arcs]; ok || d.N == 0 {
		return has, nil
	}
	words := (uint64(d.N) + 31) / 32
	bits, err := d.engine.alloc(words*4, "bits of vertices with many arcs")
	if err != nil {
		return false, err
	}
	defer d.engine.free(bits)
	list, count, err := d.list(c, bits, words, arcs, math.MaxUint64)
	d.engine.free(list)
	if err != nil {
		return false, err
	}
	c.reach[arcs] = count > 0
	return count > 0, nil
}

// list makes the list of the vertices with a number of arcs within bounds.
func (d *Graph) list(c *CSR, bits *driver.Buffer, words, least, most uint64) (list *driver.Buffer, count uint32, err error) {
	e := d.engine
	if err := d.mark(c, bits, false, least, most); err != nil {
		return nil, 0, err
	}
	base := make([]uint32, (words+1023)/1024)
	onDevice, err := e.alloc(uint64(len(base))*4, "counts of vertices with arcs")
	if err != nil {
		return nil, 0, err
	}
	defer e.free(onDevice)
	err = e.launchAll("graph", d.defines()[:1], []launch{{"graph_count", len(base), 256, driver.NewArgs().Buffer(bits).Uint32(uint32(words)).Buffer(onDevice)}})
	if err != nil {
		return nil, 0, err
	}
	if err := onDevice.Read(0, mem.Bytes(base)); err != nil {
		return nil, 0, err
	}
	for i, k := range base {
		base[i] = count
		count += k
	}
	if list, err = e.alloc(uint64(count)*4, "list of vertices by arcs"); err != nil {
		return nil, 0, err
	}
	if err := onDevice.Write(0, mem.Bytes(base)); err != nil {
		return list, count, err
	}
	return list, count, e.launchAll("graph", d.defines()[:1], []launch{{"graph_rows", len(base), 32,
		driver.NewArgs().Buffer(bits).Uint32(uint32(words)).Buffer(onDevice).Buffer(list)}})
}

// chunk cuts the arcs of hubs.
func (d *Graph) chunk(s *schedule, host graph.CSR) (err error) {
	hubs := make([]uint32, s.hubCount)
	if err := s.hubs.Read(0, mem.Bytes(hubs)); err != nil {
		return err
	}
	first := make([]uint32, 0, len(hubs)+1)
	var chunks []uint64
	for _, v := range hubs {
		first = append(first, uint32(len(chunks)))
		for i := range (host.Degree(v) + hubArcs - 1) / hubArcs {
			chunks = append(chunks, uint64(v)|i<<32)
		}
	}
	first = append(first, uint32(len(chunks)))
	s.chunkCount = uint32(len(chunks))
	if s.first, err = d.send(mem.Bytes(first), "chunks of hubs"); err != nil {
		return err
	}
	s.chunks, err = d.send(mem.Bytes(chunks), "chunks of hubs")
	return err
}

func (s *schedule) free(e *Engine) {
	for _, b := range []*driver.Buffer{s.receivers, s.mid, s.wide, s.hubs, s.first, s.chunks} {
		e.free(b)
	}
}

func (d *Graph) free() {
	if d.in != d.out {
		d.in.free(d.engine)
	}
	d.out.free(d.engine)
	d.boxes.free(d.engine)
	d.boxes = nil
	d.giveUpOwn()
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
