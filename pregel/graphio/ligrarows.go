package graphio

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"gopregel/pregel/graph"
	"gopregel/pregel/parallel"
)

// rowColumns are the numbers of a Ligra file, each in its place.
type rowColumns struct {
	text    *text
	header  ligraHeader
	mode    weightMode
	offsets graph.Offsets
	targets []uint32

	mu    sync.Mutex
	held  []held // the weights of the blocks
	point bool   // one is no integer
	wide  error  // of the first beyond int32
	index int    // of its block
}

// read places all numbers. How many there are is known of a plain file before
// there is memory for them, so that a header alone does not ask for any.
func (c *rowColumns) read(ctx context.Context, workers int) error {
	found, err := uint64(0), error(nil)
	if c.text.plain {
		found, err = c.readPlain(ctx, parallel.Workers(workers))
	} else {
		found, err = c.readStream(ctx)
	}
	if err == nil {
		err = c.text.unchanged()
	}
	if err != nil {
		return err
	}
	return c.checkCount(found)
}

func (c *rowColumns) checkCount(found uint64) error {
	if want := c.header.numbers(); found != want {
		return c.text.failAll("the header announces %d vertices and %d arcs, which is %d numbers behind it, the file has %d", c.header.n, c.header.m, want, found)
	}
	return nil
}

func (c *rowColumns) readPlain(ctx context.Context, workers int) (found uint64, err error) {
	var mu sync.Mutex
	var before []uint64 // numbers before each block
	err = c.text.blocks(ctx, workers, func(_ int, b *block) error {
		count := countWords(b.text)
		mu.Lock()
		defer mu.Unlock()
		for len(before) <= b.index {
			before = append(before, 0)
		}
		before[b.index] = count
		return nil
	})
	if err != nil {
		return 0, err
	}
	for i, count := range before {
		before[i], found = found, found+count
	}
	if err := c.checkCount(found); err != nil {
		return 0, err
	}
	c.grow(found)
	return found, c.text.blocks(ctx, workers, func(_ int, b *block) error {
		if b.index >= len(before) {
			return c.text.failAll("changed while it was read")
		}
		return c.place(b, before[b.index])
	})
}

func (c *rowColumns) readStream(ctx context.Context) (found uint64, err error) {
	return found, c.text.blocks(ctx, 1, func(_ int, b *block) error {
		before := found
		found += countWords(b.text)
		c.grow(found)
		return c.place(b, before)
	})
}

// grow makes room for the first so many numbers.
func (c *rowColumns) grow(numbers uint64) {
	n, m := c.header.n, c.header.m
	offsets := min(numbers, n)
	targets := min(numbers-offsets, m)
	if c.offsets.Len() == 0 {
		c.offsets = graph.MakeOffsets(0, m)
	}
	c.offsets = c.offsets.Grown(int(offsets) - c.offsets.Len())
	c.targets = append(c.targets, make([]uint32, targets-uint64(len(c.targets)))...)
}

// place puts the numbers of a block into the columns, and holds its weights.
func (c *rowColumns) place(b *block, at uint64) error {
	p := rowParser{rowColumns: c, text: b.text, padded: b.text[:len(b.text)+textPadding], at: at}
	if f := p.parse(); f != nil {
		return c.text.fault(b, f)
	}
	if len(p.weights.ints)+len(p.weights.floats) == 0 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.point = c.point || p.weights.point
	if wide := p.weights.wide; wide != nil && (c.wide == nil || b.index < c.index) {
		c.wide, c.index = c.text.fault(b, wide), b.index
	}
	c.held = append(c.held, held{index: b.index, ints: p.weights.ints, floats: p.weights.floats, float: p.weights.float})
	return nil
}

// csr returns the rows once all is placed.
func (c *rowColumns) csr() (graph.CSR, error) {
	before := uint64(0)
	for u := range c.offsets.Len() {
		offset := c.offsets.At(uint32(u))
		if u == 0 && offset != 0 {
			return graph.CSR{}, c.text.failAll("the offset of vertex 0 is %d, want 0", offset)
		}
		if offset < before {
			return graph.CSR{}, c.text.failAll("the offset of vertex %d is %d, that of vertex %d before it %d: offsets must not descend", u, offset, u-1, before)
		}
		before = offset
	}
	offsets := c.offsets.Grown(1)
	offsets.Set(uint32(c.header.n), c.header.m)
	w, err := c.weights()
	return graph.CSR{Offsets: offsets, Targets: c.targets, Weights: w}, err
}

// weights joins those of the blocks, in one type.
func (c *rowColumns) weights() (w graph.Weights, err error) {
	slices.SortFunc(c.held, func(a, b held) int { return a.index - b.index })
	float := c.mode == floatWeights || c.mode == findWeights && c.point
	if !float && c.wide != nil {
		return w, c.wide
	}
	for i, h := range c.held {
		switch {
		case !float:
			w.Int = append(w.Int, h.ints...)
		case h.float:
			w.Float = append(w.Float, h.floats...)
		default:
			w.Float = appendFloats(w.Float, h.ints)
		}
		c.held[i] = held{}
	}
	return w, nil
}

// A rowParser places the numbers of one block.
type rowParser struct {
	*rowColumns
	text, padded []byte
	i            int    // where it is
	at           uint64 // which number comes next
	weights      batch
}

func (p *rowParser) parse() *fault {
	n, m := p.header.n, p.header.m
	for p.skip() {
		start, problem := p.i, ""
		switch {
		case p.at < n:
			x := uint64(0)
			x, problem = p.number("the offset of vertex", p.at, m)
			p.offsets.Set(uint32(p.at), x)
		case p.at-n < m:
			v := uint64(0)
			v, problem = p.number("the target of arc", p.at-n, n-1)
			p.targets[p.at-n] = uint32(v)
		case p.mode != skipWeights && p.at-n-m < m:
			problem = p.weights.addWeight(p.word(), p.mode, start)
		default:
			p.word() // too many: their number is told
		}
		if problem != "" {
			return &fault{start, problem}
		}
		p.at++
	}
	return nil
}

// skip goes to the next number and tells whether there is one.
func (p *rowParser) skip() bool {
	for p.i < len(p.text) && isSpace(p.text[p.i]) {
		p.i++
	}
	return p.i < len(p.text)
}

// word returns the characters up to the next blank or line end.
func (p *rowParser) word() []byte {
	start := p.i
	for ; p.i < len(p.text) && !isSpace(p.text[p.i]); p.i++ {
	}
	return p.text[start:p.i]
}

func (p *rowParser) number(what string, which, most uint64) (x uint64, problem string) {
	start := p.i
	x, p.i = number(p.padded, start)
	if p.i > start && isSpace(p.padded[p.i]) && x <= most && most+1 > 0 {
		return x, ""
	}
	p.i = start
	if most+1 == 0 {
		return 0, fmt.Sprintf("%s %d is %s, and there are no vertices", what, which, excerpt(p.word()))
	}
	return 0, fmt.Sprintf("%s %d is %s, want a number from 0 to %d", what, which, excerpt(p.word()), most)
}

func isSpace(c byte) bool { return c == '\n' || c == ' ' || c == '\r' || c == '\t' }

func countWords(text []byte) (words uint64) {
	space := true
	for _, c := range text {
		s := isSpace(c)
		if space && !s {
			words++
		}
		space = s
	}
	return words
}

// A rowSource gives the arcs of rows, which need not be sorted.
type rowSource struct{ graph.CSR }

const sourceArcs = 1 << 14 // of a block

// Arcs yields the rows in order, in blocks of whole ones.
func (s rowSource) Arcs(ctx context.Context, workers int, yield func(graph.Block) error) error {
	bounds := s.Cut(sourceArcs, 1)
	failed := newFirstError()
	parallel.Range(workers, len(bounds)-1, 1, func(_, i, _ int) {
		if failed.skip(i) {
			return
		}
		err := ctx.Err()
		if err == nil {
			err = yield(s.rows(bounds[i], bounds[i+1]))
		}
		if err != nil {
			failed.set(i, err)
		}
	})
	return failed.err
}

func (s rowSource) rows(from, to uint32) graph.Block {
	lo, hi := s.Offsets.At(from), s.Offsets.At(to)
	b := graph.Block{U: make([]uint32, 0, hi-lo), V: s.Targets[lo:hi]}
	for u := from; u < to; u++ {
		for range s.Degree(u) {
			b.U = append(b.U, u)
		}
	}
	switch s.Weights.Kind() {
	case graph.Int32:
		b.Weights.Int = s.Weights.Int[lo:hi]
	case graph.Float32:
		b.Weights.Float = s.Weights.Float[lo:hi]
	}
	return b
}
