package cuda

import (
	"errors"
	"math"
	"slices"
	"time"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda/driver"
)

// columns are the arcs of a CSR cut by who is heard: see kernels/columns.cu and
// struct Columns of kernels/step_columns.cuh. They are nil where they do not pay.
type columns struct {
	chunk, rows, first, heard *driver.Buffer
	split                     split
	from                      uint32 // arcs of a list, from which on it is cut
	inNarrow, chunks          uint32 // chunks: those of narrow columns come first
}

// A split is struct Split of kernels/columns.cu: where the columns lie.
type split struct{ columns, narrow, width, wide uint32 }

const (
	columnLength = math.MaxUint32 // up to which it is: a Row's length is a u32
	columnSum    = 1 << 33        // arcs of a column, so that no block has 2^32 chunks of it
	chunkOf      = 8              // arcs of a list, in a narrow column: CHUNK_ARCS
	columnMost   = 4096           // MOST_COLUMNS
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
		e.uses(c)
		return c, nil
	}
	if d.without(arcsInColumns) || uint64(d.N)*4 < e.skew.bytes || !e.skew.any && !(d.Host.Reordered() && d.descending()) {
		return nil, nil
	}
	width := min(min(e.skew.column, e.Info().SharedBlock-1024)/bytes-1, columnWidest-1) &^ (columnAlign - 1)
	made := split{width: uint32(width), wide: uint32(max(e.skew.wide/bytes, width))}
	if skewed, err := d.reaches(receive, e.skew.arcs); err != nil || !skewed {
		return nil, err
	}
	c, begin := &columns{split: made}, time.Now()
	err := d.cut(receive, c, WithArcs(d.hostOf(send)))
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
	if c != nil {
		e.made(arcsInColumns, c, begin, c.chunk, c.rows, c.first, c.heard)
	}
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

// cut makes the columns of those that vertices below some number are heard in.
func (d *Graph) cut(receive *CSR, c *columns, heard uint32) (err error) {
	e := d.engine
	all := c.split.of(heard, asPays)
	if all.columns > columnMost {
		return errColumns
	}
	words := (uint64(d.N) + 31) / 32
	c.from = cutFrom(all.columns)
	if c.heard, err = e.alloc(columnSizesOf(uint64(d.N), 0, 0).heard, "bits of vertices with arcs in columns"); err != nil {
		return err
	}
	k := &cutter{graph: d, receive: receive}
	defer k.free()
	if k.list, k.count, err = d.list(receive, c.heard, words, uint64(c.from), columnLength); err != nil {
		return err
	}
	if k.table, err = e.alloc(uint64(all.columns)*columnBlocks*4, "counts of chunks"); err != nil {
		return err
	}
	if k.arcs, err = e.alloc(uint64(all.columns)*8, "counts of arcs by column"); err != nil {
		return err
	}
	table, arcs, err := k.measure(all)
	if err != nil {
		return err
	}
	if c.split = all.of(heard, e.skew.keep(e.Info().Processors, table, arcs)); c.split != all {
		if table, _, err = k.measure(c.split); err != nil {
			return err
		}
	}
	return k.fill(c, table)
}

// A cutter has what it takes to cut the lists that are long enough.
type cutter struct {
	graph   *Graph
	receive *CSR
	list    *driver.Buffer
	count   uint32
	table   *driver.Buffer // chunks by column and block
	arcs    *driver.Buffer // by column
}

func (k *cutter) free() {
	for _, b := range []*driver.Buffer{k.list, k.table, k.arcs} {
		k.graph.engine.free(b)
	}
}

func (k *cutter) launch(entry string, s split, more func(*driver.Args)) error {
	split := &structure{}
	split.u32(s.columns, s.narrow, s.width, s.wide)
	args := driver.NewArgs().Buffer(k.receive.Offsets).Buffer(k.receive.Targets).Buffer(k.list).Uint32(k.count).Bytes(split.b).Buffer(k.table)
	more(args)
	return k.graph.engine.launchAll("columns", k.graph.defines()[:1], []launch{{entry, columnBlocks, 256, args}})
}

// measure counts the chunks of each column, block by block, and its arcs.
func (k *cutter) measure(s split) (table []uint32, arcs []uint64, err error) {
	if err := k.arcs.Fill(0, k.arcs.Size(), 0); err != nil {
		return nil, nil, err
	}
	if err := k.launch("columns_count", s, func(a *driver.Args) { a.Buffer(k.arcs) }); err != nil {
		return nil, nil, err
	}
	table, arcs = make([]uint32, uint64(s.columns)*columnBlocks), make([]uint64, s.columns)
	if err := k.table.Read(0, mem.Bytes(table)); err != nil {
		return nil, nil, err
	}
	if err := k.arcs.Read(0, mem.Bytes(arcs)); err != nil {
		return nil, nil, err
	}
	if slices.ContainsFunc(arcs, func(sum uint64) bool { return sum >= columnSum }) {
		return nil, nil, errColumns
	}
	return table, arcs, nil
}

// fill makes the chunks, as many as have been counted.
func (k *cutter) fill(c *columns, table []uint32) error {
	d := k.graph
	first, err := c.number(table)
	if err != nil {
		return err
	}
	if err := k.table.Write(0, mem.Bytes(table)); err != nil {
		return err
	}
	if c.first, err = d.send(mem.Bytes(first), "first chunks of columns"); err != nil {
		return err
	}
	sizes := columnSizesOf(uint64(d.N), uint64(c.split.narrow), uint64(c.chunks))
	if c.chunk, err = d.engine.alloc(sizes.chunk, "chunks of columns"); err != nil {
		return err
	}
	if c.rows, err = d.engine.alloc(sizes.rows, "vertices that chunks are for"); err != nil {
		return err
	}
	return k.launch("columns_fill", c.split, func(a *driver.Args) { a.Buffer(c.chunk).Buffer(c.rows) })
}

// number makes places of the counts of chunks, column by column, and returns the
// first of each narrow column, and of what follows them.
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
	first = append(first, c.chunks)[:c.split.narrow+1]
	c.inNarrow = first[c.split.narrow]
	return first, nil
}

// shared is the memory that a block needs for messages of some bytes.
func (c *columns) shared(bytes int) int { return (int(c.split.width) + 1) * bytes }

// bytes writes struct Columns.
func (c *columns) bytes() []byte {
	w := &structure{}
	w.buffers(c.chunk, c.rows, c.first, c.heard)
	w.u32(c.split.narrow, c.split.width, c.inNarrow, c.chunks)
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
