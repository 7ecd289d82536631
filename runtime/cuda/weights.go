package cuda

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda/driver"
)

// An ArcOrder is one of arcs by weight.
type ArcOrder int

// The orders of arcs by weight, then by target.
const (
	LightestFirst ArcOrder = iota
	HeaviestFirst
)

// byWeight is a CSR with its arcs in an order by weight, and what was made of that.
type byWeight struct {
	arcs      *CSR // see ByWeight
	arcsLack  lack // of room for it
	first     *Lightest
	firstLack lack
}

// ByWeight returns the arcs of c with every list in order of weight, then of
// target: nil where the graph is not weighted, where it has not been reordered
// (a single run does not pay for it), or where the device has no room for it.
// It is made once for a resident graph.
func (d *Graph) ByWeight(c *CSR, o ArcOrder) (*CSR, error) {
	form, made := d.byWeightForm(c), &c.byWeight[o]
	if c.Weights == nil || !d.Host.Reordered() || d.without(form) || made.arcs == nil && d.engine.lacks(made.arcsLack) {
		return nil, nil
	}
	if made.arcs != nil {
		d.engine.uses(made.arcs)
		return made.arcs, nil
	}
	begin := time.Now()
	sorted, err := d.sortByWeight(c, o)
	var full *driver.OutOfMemory
	if errors.As(err, &full) {
		made.arcsLack = d.engine.lacking()
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	made.arcs = sorted
	d.engine.made(form, sorted, begin, sorted.Offsets, sorted.Targets, sorted.Weights)
	return sorted, nil
}

// free gives up what was made.
func (b *byWeight) free(e *Engine) {
	b.first.free(e)
	b.arcs.free(e)
	*b = byWeight{}
}

// byWeightForm names the form, with what is made of it.
func (d *Graph) byWeightForm(c *CSR) string {
	if c == d.out {
		return arcsByWeight
	}
	return inArcsByWeight
}

// Lists of more than shortList arcs are sorted by a block, of more than
// blockList in pieces of pieceArcs: see kernels/sort.cu.
const (
	shortList   = 32
	blockList   = 1 << 16
	pieceArcs   = 1 << 14
	sortThreads = 256 // DIGITS there
)

// A sorter makes one CSR in order of weight. What it holds beside that is freed
// in the end.
type sorter struct {
	*Graph
	host     graph.CSR
	from, to *CSR
	order    ArcOrder
	scratch  []*driver.Buffer
	lists    []byte // struct Lists
	passes   int
}

func (d *Graph) sortByWeight(c *CSR, o ArcOrder) (*CSR, error) {
	s := &sorter{Graph: d, host: d.Host.Out(), from: c, order: o, to: &CSR{Arcs: c.Arcs, Kind: c.Kind}}
	if c != d.out {
		s.host = d.Host.In()
	}
	err := s.copyShape()
	if err == nil && c.Arcs > 0 {
		err = s.run()
	}
	for _, b := range s.scratch {
		d.engine.free(b)
	}
	if err != nil {
		s.to.free(d.engine)
		return nil, err
	}
	return s.to, nil
}

// copyShape makes the arrays, of which the offsets are the same.
func (s *sorter) copyShape() (err error) {
	e, sizes := s.engine, csrSizesOf(uint64(s.N), s.from.Arcs, s.wide, true)
	if s.to.Offsets, err = e.alloc(sizes.offsets, "offsets of the arcs by weight"); err != nil {
		return err
	}
	if s.to.Targets, err = e.alloc(sizes.targets, "targets of the arcs by weight"); err != nil {
		return err
	}
	if s.to.Weights, err = e.alloc(sizes.weights, "weights of the arcs by weight"); err != nil {
		return err
	}
	return s.to.Offsets.CopyFrom(0, s.from.Offsets, 0, sizes.offsets)
}

func (s *sorter) run() error {
	shifts, err := s.shifts()
	if err != nil {
		return err
	}
	if err := s.layout(shifts); err != nil {
		return err
	}
	err = s.launch([]launch{{"sort_short", blocks(int(s.N), sortThreads), sortThreads, s.args()}})
	if err != nil {
		return err
	}
	bits, err := s.alloc((uint64(s.N)+31)/32*4, "bits of vertices with many arcs")
	if err != nil {
		return err
	}
	if err := s.sortMiddle(bits); err != nil {
		return err
	}
	return s.sortLong(bits)
}

// alloc makes a buffer that is freed in the end.
func (s *sorter) alloc(bytes uint64, what string) (*driver.Buffer, error) {
	b, err := s.engine.alloc(bytes, what)
	if err == nil {
		s.scratch = append(s.scratch, b)
	}
	return b, err
}

func (s *sorter) launch(list []launch) error { return s.engine.launchAll("sort", s.defines(), list) }

func (s *sorter) args() *driver.Args { return driver.NewArgs().Bytes(s.lists) }

// shifts finds the bytes of the weights that a pass is needed for; there is one
// pass at least, to copy.
func (s *sorter) shifts() (list []uint32, err error) {
	differ, err := s.alloc(4, "bits of weights")
	if err != nil {
		return nil, err
	}
	if err := differ.Fill(0, 4, 0); err != nil {
		return nil, err
	}
	wide := blocks(int(min(s.from.Arcs, 1<<22)), sortThreads)
	err = s.launch([]launch{{"sort_range", wide, sortThreads, driver.NewArgs().Buffer(s.from.Weights).Uint64(s.from.Arcs).Buffer(differ)}})
	if err != nil {
		return nil, err
	}
	var bits [4]byte
	if err := differ.Read(0, bits[:]); err != nil {
		return nil, err
	}
	for i, b := range bits {
		if b != 0 {
			list = append(list, uint32(8*i))
		}
	}
	if len(list) == 0 {
		list = []uint32{0}
	}
	return list, nil
}

// layout makes struct Lists.
func (s *sorter) layout(shifts []uint32) error {
	s.passes = len(shifts)
	var spare [2]uint64
	if s.passes > 1 {
		for i, what := range []string{"targets of arcs being sorted", "weights of arcs being sorted"} {
			b, err := s.alloc(4*s.from.Arcs, what)
			if err != nil {
				return err
			}
			spare[i] = b.Address()
		}
	}
	for _, x := range []uint64{s.from.Offsets.Address(), s.from.Targets.Address(), s.from.Weights.Address(),
		s.to.Targets.Address(), s.to.Weights.Address(), spare[0], spare[1]} {
		s.lists = binary.LittleEndian.AppendUint64(s.lists, x)
	}
	packed := uint32(0)
	for i, shift := range shifts {
		packed |= shift << (8 * i)
	}
	flip := uint32(0)
	if s.order == HeaviestFirst {
		flip = math.MaxUint32
	}
	for _, x := range []uint32{s.N, uint32(s.passes), packed, flip} {
		s.lists = binary.LittleEndian.AppendUint32(s.lists, x)
	}
	return nil
}

// vertices lists those with a number of arcs within bounds.
func (s *sorter) vertices(bits *driver.Buffer, least, most uint64) (*driver.Buffer, uint32, error) {
	list, count, err := s.list(s.from, bits, (uint64(s.N)+31)/32, least, most)
	if list != nil {
		s.scratch = append(s.scratch, list)
	}
	return list, count, err
}

// sortMiddle sorts the lists that are a block's.
func (s *sorter) sortMiddle(bits *driver.Buffer) error {
	list, count, err := s.vertices(bits, shortList+1, blockList)
	if err != nil || count == 0 {
		return err
	}
	ticket, err := s.alloc(4, "next list to be sorted")
	if err != nil {
		return err
	}
	if err := ticket.Fill(0, 4, 0); err != nil {
		return err
	}
	wide := min(int(count), 8*s.engine.Info().Processors)
	return s.launch([]launch{{"sort_block", wide, sortThreads, s.args().Buffer(list).Uint32(count).Buffer(ticket)}})
}

// sortLong sorts the longest lists, in pieces.
func (s *sorter) sortLong(bits *driver.Buffer) error {
	list, count, err := s.vertices(bits, blockList+1, math.MaxUint64)
	if err != nil || count == 0 {
		return err
	}
	long := make([]uint32, count)
	if err := list.Read(0, mem.Bytes(long)); err != nil {
		return err
	}
	first, cuts := s.cut(long)
	var sent [3]*driver.Buffer // first, pieces, table
	for i, bytes := range [][]byte{mem.Bytes(first), mem.Bytes(cuts)} {
		if sent[i], err = s.send(bytes, "pieces of lists"); err != nil {
			return err
		}
		s.scratch = append(s.scratch, sent[i])
	}
	pieces := uint32(len(cuts) / 2)
	if sent[2], err = s.alloc(uint64(pieces)*sortThreads*8, "digits of pieces of lists"); err != nil {
		return err
	}
	return s.launch(sortPasses(s.lists, s.passes, cutLists{sent[0], sent[1], sent[2], count, pieces}))
}

// cutLists are lists that are cut into pieces: which piece is the first of each, where the pieces lie, and room
// for how often each has which digit.
type cutLists struct {
	first, pieces, table *driver.Buffer
	lists, count         uint32 // of pieces
}

// sortPasses are the launches that sort lists in pieces, struct Lists of kernels/sort.cu.
func sortPasses(lists []byte, passes int, c cutLists) (all []launch) {
	wide := blocks(int(c.count), 1)
	for pass := range uint32(passes) {
		args := func() *driver.Args {
			return driver.NewArgs().Bytes(lists).Uint32(pass).Buffer(c.pieces).Uint32(c.count).Buffer(c.table)
		}
		all = append(all, launch{"sort_count", wide, sortThreads, args()},
			launch{"sort_bases", blocks(int(c.lists), 1), sortThreads, driver.NewArgs().Buffer(c.pieces).Buffer(c.first).Uint32(c.lists).Buffer(c.table)},
			launch{"sort_move", wide, sortThreads, args()})
	}
	return all
}

// cut cuts the lists of some vertices: the first piece of each list, and one
// more; where each piece begins and ends.
func (s *sorter) cut(vertices []uint32) (first []uint32, cuts []uint64) {
	for _, v := range vertices {
		first = append(first, uint32(len(cuts)/2))
		at, end := s.host.Offsets.Row(v)
		cuts = appendCuts(cuts, at, end, pieceArcs)
	}
	return append(first, uint32(len(cuts)/2)), cuts
}

// appendCuts appends where the pieces of a list begin and end, each of so many arcs but for the last.
func appendCuts(cuts []uint64, at, end, length uint64) []uint64 {
	for ; at < end; at += length {
		cuts = append(cuts, at, min(at+length, end))
	}
	return cuts
}
