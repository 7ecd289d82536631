package binary

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// Verification says how much of a file is checked when it is opened; the
// package comment tells what each kind guarantees.
type Verification uint8

// The kinds of verification.
const (
	VerifyAuto   Verification = iota // Always for small files, samples of large ones
	VerifyAlways                     // every byte
	VerifyNever                      // header, table, sizes and ids
)

// autoLimit is the size from which Auto no longer checks every byte.
const autoLimit = 256 << 20

// ReadOptions say how to open a file. The zero value is right for most uses.
type ReadOptions struct {
	Verify  Verification
	Workers int // 0: all processors
}

// Read opens the .pgr file at path. The graph uses the mapped file in place,
// until Graph.Close.
func Read(ctx context.Context, path string, o ReadOptions) (*graph.Graph, error) {
	f, err := mem.Map(path)
	if err != nil {
		return nil, err
	}
	var g *graph.Graph
	err = mem.Guarded(func() (err error) {
		g, err = open(ctx, f.Bytes(), f, o)
		return err
	})
	if err != nil {
		return nil, errors.Join(named(path, err), f.Close())
	}
	return g, nil
}

// named gives an error the name of its file.
func named(path string, err error) error {
	var fault *mem.FaultError
	if errors.As(err, &fault) { // has it
		return fault
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Verify reports the first damage found in the .pgr file at path, having
// looked at every byte.
func Verify(ctx context.Context, path string, workers int) error {
	g, err := Read(ctx, path, ReadOptions{Verify: VerifyAlways, Workers: workers})
	if err != nil {
		return err
	}
	return g.Close()
}

// open makes a graph of the bytes of a file.
func open(ctx context.Context, data []byte, closer io.Closer, o ReadOptions) (*graph.Graph, error) {
	if err := littleEndian(); err != nil {
		return nil, err
	}
	h, err := decodeHeader(data, uint64(len(data)))
	if err != nil {
		return nil, err
	}
	all := o.Verify == VerifyAlways || o.Verify == VerifyAuto && len(data) < autoLimit
	switch {
	case all:
		err = h.verifySums(ctx, data, o.Workers, h.everyBlock())
	case o.Verify == VerifyAuto:
		err = h.verifySums(ctx, data, o.Workers, h.someBlocks())
	}
	if err != nil {
		return nil, err
	}
	g, in, err := h.assemble(data, closer, o.Workers)
	if err != nil || !all {
		return g, err
	}
	if err := h.verifyContent(ctx, data, g, in, o.Workers); err != nil {
		return nil, err
	}
	return g, nil
}

// assemble views the sections as the arrays of a graph.
func (h *header) assemble(data []byte, closer io.Closer, workers int) (*graph.Graph, *graph.CSR, error) {
	ids, err := h.readIDs(data, workers)
	if err != nil {
		return nil, nil, err
	}
	p := graph.Parts{Directed: h.directed, IDs: ids, Closer: closer}
	if p.Out, err = h.csr(data, outOffsets, outTargets, outWeights); err != nil {
		return nil, nil, fmt.Errorf("out-arcs: %w", err)
	}
	if _, ok := h.find(inOffsets); ok {
		in, err := h.csr(data, inOffsets, inTargets, inWeights)
		if err != nil {
			return nil, nil, fmt.Errorf("in-arcs: %w", err)
		}
		p.In = &in
	}
	g, err := graph.New(p)
	return g, p.In, err
}

// bytes returns the bytes of a section, empty when there is none.
func (h *header) bytes(data []byte, kind uint32) []byte {
	s, _ := h.find(kind)
	return data[s.start : s.start+s.length]
}

func (h *header) csr(data []byte, offsets, targets, weights uint32) (graph.CSR, error) {
	rows := mem.View[uint64](h.bytes(data, offsets))
	c := graph.CSR{Offsets: mem.WideOffsets(rows), Targets: mem.View[uint32](h.bytes(data, targets))}
	if first, last := rows[0], rows[h.vertices]; first != 0 || last != h.arcs {
		return c, fmt.Errorf("offsets go from %d to %d, want 0 to %d", first, last, h.arcs)
	}
	switch b := h.bytes(data, weights); h.weights {
	case graph.Int32:
		c.Weights.Int = orEmpty(mem.View[int32](b))
	case graph.Float32:
		c.Weights.Float = orEmpty(mem.View[float32](b))
	}
	return c, nil
}

// orEmpty keeps weights of no arcs from looking like no weights.
func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func (h *header) readIDs(data []byte, workers int) (graph.IDs, error) {
	switch h.ids {
	case idsNumbers:
		return graph.NumberIDs(mem.View[uint64](h.bytes(data, idNumbers)))
	case idsNames:
		return readNames(mem.View[uint64](h.bytes(data, nameOffsets)), h.bytes(data, nameBytes), workers)
	}
	return graph.RangeIDs(h.base, int(h.vertices)), nil
}

// Info is what the header of a .pgr file tells.
type Info struct {
	Version  int
	Size     int64 // of the file, in bytes
	Directed bool
	Vertices uint64
	Arcs     uint64
	Edges    uint64 // as Graph.Edges counts them
	Loops    uint64
	Weights  graph.WeightKind
	IDs      string // "range", "numbers" or "strings"
	Base     uint64 // the first id of a range
	WithIn   bool   // the in-arcs are in the file
}

// Describe reads the header of the .pgr file at path, and nothing else.
func Describe(path string) (Info, error) {
	f, err := os.Open(path)
	if err != nil {
		return Info{}, err
	}
	defer f.Close()
	stat, err := f.Stat()
	if err != nil {
		return Info{}, err
	}
	if !stat.Mode().IsRegular() {
		return Info{}, fmt.Errorf("%s: not a regular file", path)
	}
	b, err := io.ReadAll(io.LimitReader(f, headerLimit))
	if err != nil {
		return Info{}, err
	}
	h, err := decodeHeader(b, uint64(stat.Size()))
	if err != nil {
		return Info{}, fmt.Errorf("%s: %w", path, err)
	}
	return h.info(), nil
}

func (h *header) info() Info {
	info := Info{
		Version: version, Size: int64(h.size), Directed: h.directed, Vertices: h.vertices, Arcs: h.arcs,
		Edges: h.arcs, Loops: h.loops, Weights: h.weights, Base: h.base,
		IDs: []string{"range", "numbers", "strings"}[h.ids],
	}
	if !h.directed {
		info.Edges = (h.arcs + h.loops) / 2
	}
	_, info.WithIn = h.find(inOffsets)
	return info
}
