package cuda

import (
	"errors"
	"math"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda/driver"
)

// columns are the arcs of a CSR cut by who is heard: see kernels/columns.cu and
// struct Columns of kernels/step_columns.cuh. They are nil where they do not pay.
type columns struct {
	chunk, rows, first, heard *driver.Buffer
	count, width, chunks      uint32
}

const (
	columnArcs   = 8    // of a list, from which on it is cut
	chunkOf      = 8    // arcs of a list, in a column: CHUNK_ARCS
	columnMost   = 4096 // MOST_COLUMNS
	columnBlocks = 512
	columnAlign  = 4                                // vertices: a column's offers begin at 16 bytes
	columnWidest = 1 << 16                          // places have 16 bits, and one is the identity's
	columnChunks = math.MaxUint32 - 2*columnThreads // a block's next two are numbers too
)

// column cuts the arcs of receive for messages of some bytes, sent along send. Only a graph that
// was reordered, by degree, has columns, and only where its offers do not lie in
// the caches anyhow. Where the device has no room for them, there are none.
func (d *Graph) column(send, receive *CSR, bytes int) (*columns, error) {
	e := d.engine
	if c, ok := receive.columns[bytes]; ok {
		return c, nil
	}
	if d.slim || uint64(d.N)*4 < e.skew.bytes || !e.skew.any && !(d.Host.Reordered() && d.descending()) {
		return nil, nil
	}
	width := min(min(e.skew.column, e.Info().SharedBlock-1024)/bytes-1, columnWidest-1) &^ (columnAlign - 1)
	if skewed, err := d.reaches(receive, e.skew.arcs); err != nil || !skewed {
		return nil, err
	}
	heard := WithArcs(d.hostOf(send))
	c := &columns{width: uint32(width), count: (heard + uint32(width) - 1) / uint32(width)}
	err := errColumns
	if c.count <= columnMost {
		err = d.cut(receive, c)
	}
	var full *driver.OutOfMemory
	if err != nil {
		c.free(e)
		c = nil
	}
	if err != nil && !errors.As(err, &full) && !errors.Is(err, errColumns) {
		return nil, err
	}
	if receive.columns == nil {
		receive.columns = map[int]*columns{}
	}
	receive.columns[bytes] = c
	return c, nil
}

var errColumns = errors.New("more columns or chunks than can be numbered")

// hostOf is what c is a copy of.
func (d *Graph) hostOf(c *CSR) graph.CSR {
	if c == d.out {
		return d.Host.Out()
	}
	return d.Host.In()
}

func (d *Graph) cut(receive *CSR, c *columns) (err error) {
	e := d.engine
	words := (uint64(d.N) + 31) / 32
	if c.heard, err = e.alloc(columnSizesOf(uint64(d.N), 0, 0).heard, "bits of vertices with arcs in columns"); err != nil {
		return err
	}
	list, count, err := d.list(receive, c.heard, words, columnArcs, math.MaxUint64)
	if err != nil {
		return err
	}
	defer e.free(list)
	table := make([]uint32, uint64(c.count)*columnBlocks)
	onDevice, err := e.alloc(uint64(len(table))*4, "counts of chunks")
	if err != nil {
		return err
	}
	defer e.free(onDevice)
	args := func() *driver.Args {
		return driver.NewArgs().Buffer(receive.Offsets).Buffer(receive.Targets).Buffer(list).Uint32(count).Uint32(c.count).Uint32(c.width).Buffer(onDevice)
	}
	if err := e.launchAll("columns", d.defines()[:1], []launch{{"columns_count", columnBlocks, 256, args()}}); err != nil {
		return err
	}
	if err := onDevice.Read(0, mem.Bytes(table)); err != nil {
		return err
	}
	first, err := c.number(table)
	if err != nil {
		return err
	}
	if err := onDevice.Write(0, mem.Bytes(table)); err != nil {
		return err
	}
	if c.first, err = d.send(mem.Bytes(first), "first chunks of columns"); err != nil {
		return err
	}
	sizes := columnSizesOf(uint64(d.N), uint64(c.count), uint64(c.chunks))
	if c.chunk, err = e.alloc(sizes.chunk, "chunks of columns"); err != nil {
		return err
	}
	if c.rows, err = e.alloc(sizes.rows, "vertices that chunks are for"); err != nil {
		return err
	}
	return e.launchAll("columns", d.defines()[:1], []launch{{"columns_fill", columnBlocks, 256, args().Buffer(c.chunk).Buffer(c.rows)}})
}

// number makes places of the counts of chunks, column by column, and returns the
// first of each column.
func (c *columns) number(table []uint32) (first []uint32, err error) {
	for i, k := range table {
		if i%columnBlocks == 0 {
			first = append(first, c.chunks)
		}
		table[i] = c.chunks
		if uint64(c.chunks)+uint64(k) > columnChunks {
			return nil, errColumns
		}
		c.chunks += k
	}
	return append(first, c.chunks), nil
}

// shared is the memory that a block needs for messages of some bytes.
func (c *columns) shared(bytes int) int { return (int(c.width) + 1) * bytes }

// bytes writes struct Columns.
func (c *columns) bytes() []byte {
	w := &structure{}
	w.buffers(c.chunk, c.rows, c.first, c.heard)
	w.u32(c.count, c.width, c.chunks, 0)
	return w.b
}

func (c *columns) free(e *Engine) {
	if c == nil {
		return
	}
	for _, b := range []*driver.Buffer{c.chunk, c.rows, c.first, c.heard} {
		e.free(b)
	}
}
