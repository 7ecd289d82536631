package graphio

import (
	"context"
	"io"
	"sort"
	"sync"
	"sync/atomic"

	"gopregel/pregel/graph"
	"gopregel/pregel/parallel"
)

// Result: the text of all vertices and their arcs, in order.
// Method: imagine one row in which each vertex follows its arcs; its place is
// Offsets[u+1]+u. The row is cut into pieces of equal length, so that one hub
// does not make one long piece. Workers take pieces in order and format them
// into buffers; one goroutine writes the buffers in order. A worker waits for
// a buffer before it takes a piece, so that at most 2 buffers a worker exist,
// and the piece that is to be written next is always being worked on.

const pieceLength = 1 << 14

// A segment formats arcs lo to hi of vertex u; last says that they are the end
// of its list, even if there are none.
type segment func(to []byte, u uint32, lo, hi uint64, last bool) []byte

type pieces struct {
	n       uint64
	offsets graph.Offsets // none: there are no arcs
	format  segment
	count   uint64
	next    atomic.Uint64
	free    chan struct{} // a token for each buffer that may be filled
	slots   []slot        // of piece i: i modulo their number
	stop    chan struct{}
	once    sync.Once
}

type slot struct {
	text  []byte
	ready chan struct{}
}

// writePieces formats the arcs of c and writes them to w.
func (o *output) writePieces(ctx context.Context, w io.Writer, c graph.CSR, format segment) error {
	return o.writeRow(ctx, w, &pieces{n: uint64(c.N()), offsets: c.Offsets, format: format})
}

// writeEach formats the vertices alone and writes them to w.
func (o *output) writeEach(ctx context.Context, w io.Writer, format segment) error {
	return o.writeRow(ctx, w, &pieces{n: uint64(o.graph.N()), format: format})
}

func (o *output) writeRow(ctx context.Context, w io.Writer, p *pieces) error {
	p.count = (p.length() + pieceLength - 1) / pieceLength
	p.stop = make(chan struct{})
	buffers := 2 * o.Workers
	p.free, p.slots = make(chan struct{}, buffers), make([]slot, buffers)
	for i := range p.slots {
		p.slots[i].ready = make(chan struct{}, 1)
		p.free <- struct{}{}
	}
	var err error
	parallel.Do(o.Workers+1, func(worker int) {
		finished := false
		defer func() {
			if worker == 0 || !finished { // all is written, an error, or a panic
				p.once.Do(func() { close(p.stop) })
			}
		}()
		if worker == 0 {
			err = p.write(ctx, w, o)
		} else {
			p.work()
		}
		finished = true
	})
	return err
}

// work formats pieces until there are none or the writer stops.
func (p *pieces) work() {
	for {
		select {
		case <-p.stop:
			return
		case <-p.free:
		}
		i := p.next.Add(1) - 1
		if i >= p.count {
			return
		}
		s := &p.slots[i%uint64(len(p.slots))]
		s.text = p.piece(s.text[:0], i)
		s.ready <- struct{}{}
	}
}

// write writes the pieces as they are ready.
func (p *pieces) write(ctx context.Context, w io.Writer, o *output) error {
	for i := range p.count {
		s := &p.slots[i%uint64(len(p.slots))]
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.stop: // a worker panicked: parallel.Do throws it
			return nil
		case <-s.ready:
		}
		if _, err := w.Write(s.text); err != nil {
			return err
		}
		o.progress(pieceLength)
		p.free <- struct{}{}
	}
	return ctx.Err()
}

// place tells where vertex u stands in the row: behind its arcs.
func (p *pieces) place(u uint64) uint64 {
	if p.offsets.Len() == 0 {
		return u
	}
	return p.offsets.At(uint32(u)+1) + u
}

func (p *pieces) length() uint64 {
	if p.offsets.Len() == 0 {
		return p.n
	}
	return p.offsets.At(uint32(p.n)) + p.n
}

// piece formats piece i.
func (p *pieces) piece(to []byte, i uint64) []byte {
	at, end := i*pieceLength, min((i+1)*pieceLength, p.length())
	u := uint64(sort.Search(int(p.n), func(u int) bool { return p.place(uint64(u)) >= at }))
	for at < end {
		place := p.place(u)
		stop := min(end, place)
		to = p.format(to, uint32(u), at-u, stop-u, end > place)
		at = place + 1
		u++
	}
	return to
}

func (o *output) progress(length int64) {
	o.done = min(o.done+length, o.total)
	if o.Progress != nil {
		o.Progress(o.done, o.total)
	}
}
