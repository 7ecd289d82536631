package pregel

import "gopregel/pregel/graph"

// This file puts the arcs of short rows side by side, where all of a block are short and all
// vertices are awake: the first arcs of all rows, then the second ones of those that have two, and so
// on, the longest rows first. The k-th messages of all rows then lie as functions of many take
// them, and none is copied: on grids that was a fourth of PageRank's time.
//
// Cost: O(arcs), and O(rows) for each length that there is.

// rowColumns are those of rows of a block, the longest first.
type rowColumns struct {
	arcs  int
	first uint32                // vertex of the block
	rows  int                   // that have arcs
	order [BlockSize + 1]uint8  // the last is nobody's: see list
	begin [BlockSize]uint64     // the first arc of each
	more  [shortPiece + 1]uint8 // rows with more arcs than that
}

// of makes those of rows of these lengths, from that of v on, if they have few arcs enough.
func (c *rowColumns) of(v uint32, rows graph.Offsets, degrees []uint32) bool {
	n, lengths := len(degrees), uint32(0)
	if rows.Between(0, uint32(n)) > ArcsAtOnce {
		return false
	}
	for _, d := range degrees {
		lengths |= 1 << min(d, shortPiece+1)
	}
	if lengths>>(shortPiece+1) != 0 {
		return false
	}
	c.first, c.arcs, c.rows = v, int(rows.Between(0, uint32(n))), 0
	for d := uint32(shortPiece); d > 0; d-- {
		c.more[d] = uint8(c.rows)
		if lengths>>d&1 != 0 {
			c.list(d, degrees)
		}
	}
	c.more[0] = uint8(c.rows)
	for k, i := range c.order[:c.rows] {
		c.begin[k] = rows.At(uint32(i))
	}
	return true
}

// list lists the rows with d arcs. It has no branch on which these are: what it has written last, beyond
// them, is no row.
func (c *rowColumns) list(d uint32, degrees []uint32) {
	n := c.rows
	for i, x := range degrees {
		c.order[n] = uint8(i)
		if x == d {
			n++
		}
	}
	c.rows = n
}

// byColumns reads what a list has for each arc.
func byColumns[T any](c *rowColumns, to, list []T) {
	n := 0
	for k := 0; k < shortPiece && c.more[k] > 0; k++ {
		for _, at := range c.begin[:c.more[k]] {
			to[n] = list[at+uint64(k)]
			n++
		}
	}
}

// gatherColumns reads what is offered along each arc.
func gatherColumns[M any](c *rowColumns, messages *[ArcsAtOnce]M, offers []M, targets []uint32) {
	rest := messages[:c.arcs]
	for k := 0; len(rest) > 0; k++ {
		begin, from := c.begin[:c.more[k]], targets[k:]
		column := rest[:len(begin)]
		for i, at := range begin {
			column[i] = offers[from[at]]
		}
		rest = rest[len(begin):]
	}
}

// owners are the vertices whose rows arcs are in.
func (c *rowColumns) owners(to *[ArcsAtOnce]uint32) {
	n := 0
	for k := 0; k < shortPiece && c.more[k] > 0; k++ {
		for _, i := range c.order[:c.more[k]] {
			to[n] = c.first + uint32(i)
			n++
		}
	}
}

// weigh reads the weights of the arcs.
func (c *rowColumns) weigh(to []float64, w graph.Weights) {
	if w.Int == nil && w.Float == nil {
		weighAll(to, w)
		return
	}
	n := 0
	for k := 0; k < shortPiece && c.more[k] > 0; k++ {
		for _, at := range c.begin[:c.more[k]] {
			to[n] = w.At(at + uint64(k))
			n++
		}
	}
}

// combineColumns combines the messages of each row into its result.
func (m *bundle[M]) combineColumns(many func(as, bs []M)) {
	c := &m.columns
	rest := m.messages[c.more[0]:c.arcs]
	for k := 1; len(rest) > 0; k++ {
		n := c.more[k]
		many(m.messages[:n:n], rest[:n:n])
		rest = rest[n:]
	}
	for k, i := range c.order[:c.rows] {
		m.results[i] = m.messages[k]
		m.got |= 1 << i
	}
}

// unfold makes pieces of columns, without what is dropped.
func (m *bundle[M]) unfold() {
	c := &m.columns
	m.bs = m.messages
	n := 0
	for i, row := range c.order[:c.rows] {
		p := piece{v: c.first + uint32(row), at: uint8(n)}
		for k, at := 0, i; k < shortPiece && i < int(c.more[k]); k++ {
			if m.arcs.dropped[at/64]>>(at%64)&1 == 0 {
				m.messages[n] = m.bs[at]
				n, p.n = n+1, p.n+1
			}
			at += int(c.more[k])
		}
		m.pieces[m.rows] = p
		m.rows++
	}
	m.arcs.dropped = [ArcsAtOnce / 64]uint64{}
}

// even is how many arcs each row has, if that is the same for all, and few; else 0.
func even(degrees []uint32) int {
	if len(degrees) == 0 {
		return 0
	}
	d, differ := degrees[0], uint32(0)
	for _, x := range degrees {
		differ |= x ^ d
	}
	if differ != 0 || d > shortPiece {
		return 0
	}
	return int(d)
}

// combineEven combines, for n rows of d arcs each, what us offer, and offers travel unchanged.
func (m *bundle[M]) combineEven(many func(as, bs []M), offers []M, us []uint32, n, d int) {
	column := m.results[:n:n]
	for k := range d {
		at := k
		for i := range column {
			column[i] = offers[us[at]]
			at += d
		}
		if k > 0 {
			many(m.results[:n:n], column)
		}
		column = m.bs[:n:n]
	}
	m.got = ^uint64(0) >> (BlockSize - n)
}
