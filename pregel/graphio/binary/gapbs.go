package binary

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// A serialised graph of the GAP Benchmark Suite is, little-endian and without
// padding:
//
//	 0  1  1: directed, 0: not
//	 1  8  arcs, m (an undirected edge is two)
//	 9  8  vertices, n
//	17     n+1 offsets of 8 bytes, then m neighbours: of 4 bytes, the vertex, in
//	       .sg; of 8, vertex and weight, in .wsg
//
// and for a directed graph the same offsets and neighbours again for the
// in-arcs. All numbers are signed. Because nothing is aligned the arrays are
// converted, not used in place.

const (
	gapbsHeader  = 17
	gapbsMaximum = math.MaxInt32 // the greatest vertex
)

// ReadGAPBS reads the serialised graph at path, weighted (.wsg) or not (.sg):
// the name says which, or the size of the file where the name says neither.
// Everything is checked: counts, offsets, targets, the size of the file, that
// an undirected graph is symmetric and that in-arcs and out-arcs agree. The
// in-arcs are then left out: the graph makes them when they are asked for.
func ReadGAPBS(ctx context.Context, path string, workers int) (*graph.Graph, error) {
	f, err := mem.Map(path)
	if err != nil {
		return nil, err
	}
	var g *graph.Graph
	err = mem.Guarded(func() (err error) {
		g, err = decodeGAPBS(ctx, f.Bytes(), strings.ToLower(filepath.Ext(path)), workers)
		return err
	})
	if err != nil {
		err = named(path, err)
	}
	return g, errors.Join(err, f.Close())
}

// A gapbs is a file of the suite, cut into its parts.
type gapbs struct {
	directed bool
	weighted bool
	n, m     uint64
	out, in  gapbsArcs // in is empty for an undirected graph
}

type gapbsArcs struct{ offsets, neighbors []byte }

func decodeGAPBS(ctx context.Context, data []byte, ext string, workers int) (*graph.Graph, error) {
	file, err := cutGAPBS(data, ext)
	if err != nil {
		return nil, err
	}
	out, err := file.convert(ctx, workers)
	if err != nil {
		return nil, fmt.Errorf("out-arcs: %w", err)
	}
	found, err := inspect(ctx, out, workers, outward(file.directed))
	switch {
	case err != nil:
		return nil, err
	case !file.directed && found.hash != 0:
		return nil, fmt.Errorf("undirected, but some arcs have no arc of the same weight in return")
	case file.directed:
		hash, err := file.inspectInverse(ctx, workers)
		if err != nil {
			return nil, fmt.Errorf("in-arcs: %w", err)
		}
		if hash != found.hash {
			return nil, fmt.Errorf("the in-arcs are not the out-arcs turned round")
		}
	}
	return graph.New(graph.Parts{Directed: file.directed, IDs: graph.RangeIDs(0, int(file.n)), Out: out})
}

// cutGAPBS finds the parts of a file by its header and checks its size.
func cutGAPBS(data []byte, ext string) (*gapbs, error) {
	if len(data) < gapbsHeader {
		return nil, fmt.Errorf("truncated: %d bytes, the header of a serialised GAPBS graph takes %d", len(data), gapbsHeader)
	}
	m, n := int64(little.Uint64(data[1:])), int64(little.Uint64(data[9:]))
	switch {
	case data[0] > 1:
		return nil, fmt.Errorf("not a serialised GAPBS graph: direction %d, want 0 or 1", data[0])
	case m < 0 || m > math.MaxInt64>>5:
		return nil, fmt.Errorf("not a serialised GAPBS graph: %d arcs", m)
	case n < 0 || n > gapbsMaximum+1:
		return nil, fmt.Errorf("not a serialised GAPBS graph: %d vertices, want 0 to %d", n, gapbsMaximum+1)
	}
	file := &gapbs{directed: data[0] == 1, n: uint64(n), m: uint64(m)}
	size, plain, heavy := uint64(len(data)), file.size(4), file.size(8)
	switch {
	case ext != ".wsg" && size == plain:
	case ext != ".sg" && size == heavy:
		file.weighted = true
	case ext == ".sg":
		return nil, wrongSize(size, plain, "an unweighted")
	case ext == ".wsg":
		return nil, wrongSize(size, heavy, "a weighted")
	default:
		return nil, fmt.Errorf("%w, or %d bytes if weighted", wrongSize(size, plain, "an unweighted"), heavy)
	}
	rest := data[gapbsHeader:]
	rest = file.out.cut(rest, file)
	if file.directed {
		file.in.cut(rest, file)
	}
	return file, nil
}

func wrongSize(got, want uint64, kind string) error {
	what := "truncated"
	if got > want {
		what = "too long"
	}
	return fmt.Errorf("%s: %d bytes, want %d for %s serialised GAPBS graph of its numbers of vertices and arcs", what, got, want, kind)
}

// size is the length of the file with neighbours of the given size.
func (file *gapbs) size(neighbor uint64) uint64 {
	arcs := 8*(file.n+1) + neighbor*file.m
	if file.directed {
		arcs *= 2
	}
	return gapbsHeader + arcs
}

func (a *gapbsArcs) cut(b []byte, file *gapbs) (rest []byte) {
	offsets := 8 * (file.n + 1)
	end := offsets + file.stride()*file.m
	a.offsets, a.neighbors = b[:offsets], b[offsets:end]
	return b[end:]
}

// stride is the length of a neighbour.
func (file *gapbs) stride() uint64 {
	if file.weighted {
		return 8
	}
	return 4
}

// convert returns the out-arcs, sorted.
func (file *gapbs) convert(ctx context.Context, workers int) (graph.CSR, error) {
	c := graph.CSR{Targets: mem.Make[uint32](int(file.m))}
	var err error
	if c.Offsets, err = file.out.convertOffsets(file, workers); err != nil {
		return c, err
	}
	if file.weighted {
		c.Weights.Int = mem.Make[int32](int(file.m))
	}
	var first firstError
	eachRange(c, workers, func(lo, hi uint32) {
		var pairs []uint64
		if err := ctx.Err(); err != nil {
			first.set(uint64(lo), err)
			return
		}
		for u := lo; u < hi; u++ {
			from, to := c.Offsets.Row(u)
			list, weights := c.Targets[from:to], c.Weights.Slice(from, to)
			file.out.neighborsOf(from, list, weights.Int)
			pairs = sortArcs(list, weights.Int, pairs)
		}
	})
	return c, first.err
}

// neighborsOf copies the neighbours from place at on into a list.
func (a gapbsArcs) neighborsOf(at uint64, list []uint32, weights []int32) {
	if weights == nil {
		b := a.neighbors[4*at:]
		for i := range list {
			list[i] = little.Uint32(b[4*i:])
		}
		return
	}
	b := a.neighbors[8*at:]
	for i := range list {
		list[i] = little.Uint32(b[8*i:])
		weights[i] = int32(little.Uint32(b[8*i+4:]))
	}
}

// sortArcs puts a list in the order of package graph, by target, then weight,
// if it is not so already. It returns its buffer, to be passed in again.
func sortArcs(list []uint32, weights []int32, pairs []uint64) []uint64 {
	if weights == nil {
		if !slices.IsSorted(list) {
			slices.Sort(list)
		}
		return pairs
	}
	sorted := true
	for i := 1; i < len(list) && sorted; i++ {
		sorted = cmp.Or(cmp.Compare(list[i-1], list[i]), cmp.Compare(weights[i-1], weights[i])) <= 0
	}
	if sorted {
		return pairs
	}
	const flip = 1 << 31 // makes int32 sort as uint32
	pairs = pairs[:0]
	for i, v := range list {
		pairs = append(pairs, uint64(v)<<32|uint64(uint32(weights[i])^flip))
	}
	slices.Sort(pairs)
	for i, p := range pairs {
		list[i], weights[i] = uint32(p>>32), int32(uint32(p)^flip)
	}
	return pairs
}
