package binary

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"gopregel/pregel/atomicfile"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// The kinds of the sections that a prepared graph adds.
const (
	preparedKey = ignorable + 1 + iota
	preparedOrder
	preparedOffsets
	preparedTargets
	preparedWeights
	preparedInOffsets
	preparedInTargets
	preparedInWeights
)

// A Prepared is a graph with its renumbered form.
type Prepared struct {
	User  *graph.Graph // as it is
	Graph *graph.Graph // User.Renumbered
	Key   string       // says what both were made of
}

// A content is a section that is no graph's own, with its bytes, or with offsets.
type content struct {
	kind    uint32
	size    int // of an element
	bytes   []byte
	offsets graph.Offsets
}

func (c *content) write(s *sink) {
	s.bytes(c.bytes)
	s.offsets(c.offsets)
}

func (c *content) length() uint64 { return uint64(len(c.bytes)) + 8*uint64(c.offsets.Len()) }

func sectionsOf(list []content) []section {
	sections := make([]section, len(list))
	for i, c := range list {
		sections[i] = section{kind: c.kind, element: uint32(c.size), length: c.length()}
	}
	return sections
}

// WritePrepared puts both graphs, with the in-arcs of directed ones, into one
// .pgr file at path, which other readers take for the user's graph. Like Write
// it leaves a whole file or none.
func WritePrepared(ctx context.Context, path string, p Prepared, o WriteOptions) error {
	order := p.Graph.IDs().Order()
	if order == nil {
		return errors.New("the prepared graph is in the order of its ids")
	}
	list := []content{{kind: preparedKey, size: 1, bytes: []byte(p.Key)}, {kind: preparedOrder, size: 4, bytes: mem.Bytes(order)}}
	list = appendArcs(list, preparedOffsets, p.Graph.Out())
	if p.Graph.Directed() {
		list = appendArcs(list, preparedInOffsets, p.Graph.In())
	}
	o.WithIn = true
	return atomicfile.Write(path, func(w io.Writer) error { return cmp.Or(encode(ctx, w, p.User, o, list), ctx.Err()) })
}

// appendArcs adds offsets, targets and weights, whose kinds follow each other.
func appendArcs(list []content, kind uint32, c graph.CSR) []content {
	list = append(list, content{kind: kind, size: 8, offsets: c.Offsets}, content{kind: kind + 1, size: 4, bytes: mem.Bytes(c.Targets)})
	switch c.Weights.Kind() {
	case graph.Int32:
		list = append(list, content{kind: kind + 2, size: 4, bytes: mem.Bytes(c.Weights.Int)})
	case graph.Float32:
		list = append(list, content{kind: kind + 2, size: 4, bytes: mem.Bytes(c.Weights.Float)})
	}
	return list
}

// ReadPrepared maps the file at path, which WritePrepared has written. Every
// checksum is compared, whatever the size of the file, and its key must be
// accepted before anything is made of it. Arrays are not looked at beyond that:
// that they are right follows from who wrote them. User.Close ends both graphs.
func ReadPrepared(ctx context.Context, path string, accept func(key string) error, workers int) (*Prepared, error) {
	f, err := mem.Map(path)
	if err != nil {
		return nil, err
	}
	var p *Prepared
	err = mem.Guarded(func() (err error) {
		p, err = openPrepared(ctx, f, accept, workers)
		return err
	})
	if err != nil {
		return nil, errors.Join(named(path, err), f.Close())
	}
	return p, nil
}

func openPrepared(ctx context.Context, f *mem.File, accept func(key string) error, workers int) (*Prepared, error) {
	data := f.Bytes()
	if err := littleEndian(); err != nil {
		return nil, err
	}
	h, err := decodeHeader(data, uint64(len(data)))
	if err != nil {
		return nil, err
	}
	if err := h.verifySums(ctx, data, workers, h.everyBlock()); err != nil {
		return nil, err
	}
	if err := h.checkPrepared(); err != nil {
		return nil, err
	}
	p := &Prepared{Key: string(h.bytes(data, preparedKey))}
	if err := accept(p.Key); err != nil {
		return nil, err
	}
	if p.User, _, err = h.assemble(data, f, workers); err != nil {
		return nil, err
	}
	p.Graph, err = h.renumbered(data, p.User)
	return p, err
}

// checkPrepared finds a section of a prepared graph that is missing or has not
// the length that goes with the graph.
func (h *header) checkPrepared() error {
	want := map[uint32]uint64{preparedOrder: 4 * h.vertices}
	arcs := func(kind uint32) {
		want[kind], want[kind+1] = 8*(h.vertices+1), 4*h.arcs
		if h.weights != graph.Unweighted {
			want[kind+2] = 4 * h.arcs
		}
	}
	arcs(preparedOffsets)
	if h.directed {
		arcs(preparedInOffsets)
	}
	for kind := uint32(preparedOrder); kind <= preparedInWeights; kind++ {
		if s, _ := h.find(kind); s.length != want[kind] {
			return fmt.Errorf("no prepared graph: section of kind %#x has %d bytes, want %d", kind, s.length, want[kind])
		}
	}
	return nil
}

// renumbered views the sections as the prepared form of a graph.
func (h *header) renumbered(data []byte, g *graph.Graph) (*graph.Graph, error) {
	out, err := h.csr(data, preparedOffsets, preparedTargets, preparedWeights)
	if err != nil {
		return nil, fmt.Errorf("prepared out-arcs: %w", err)
	}
	var in *graph.CSR
	if h.directed {
		c, err := h.csr(data, preparedInOffsets, preparedInTargets, preparedInWeights)
		if err != nil {
			return nil, fmt.Errorf("prepared in-arcs: %w", err)
		}
		in = &c
	}
	return g.RenumberedAs(orEmpty(mem.View[uint32](h.bytes(data, preparedOrder))), out, in)
}
