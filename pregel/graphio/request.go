package graphio

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gopregel/pregel/graph"
)

// open opens a text that will be read in the given number of passes if it is
// plain.
func (r *request) open(path string, passes int64) (*text, error) {
	t, err := openText(path, r.block, passes, r.progress)
	if err != nil {
		return nil, err
	}
	r.texts = append(r.texts, t)
	return t, nil
}

const passes = 3 // over the arcs: census, count, place

// mode says how weights are read of a file that has them or not. fromFile is
// the type that the file's header tells, "" for none.
func (r *request) mode(t *text, weighted bool, fromFile string) (weightMode, error) {
	if r.Weights == WeightsNone || r.Weights == WeightsHash {
		return skipWeights, nil
	}
	if !weighted {
		if r.Weights == WeightsFromFile {
			return skipWeights, t.failAll("the file has no weights")
		}
		return skipWeights, nil
	}
	if r.WeightType != "" {
		fromFile = r.WeightType
	}
	switch fromFile {
	case "int32":
		return intWeights, nil
	case "float32":
		return floatWeights, nil
	}
	return findWeights, nil
}

// parsesWeights tells whether columns behind the second are of interest.
func (r *request) parsesWeights() bool {
	return r.Weights == WeightsByFile || r.Weights == WeightsFromFile
}

// census returns the census that the options ask for, of ids that are free.
func (r *request) census(t *text, names *nameTable, byFormat VertexSet) (census, error) {
	set := r.Vertices
	if set == VerticesByFormat {
		set = byFormat
	}
	switch {
	case names != nil && r.Vertices == VerticesRange:
		return nil, t.failAll("vertices: a range is of numbers, and the ids are to be strings")
	case names != nil:
		return nameCensus{names}, nil
	case set == VerticesRange:
		return &rangeCensus{guard: r.Vertices == VerticesByFormat, slack: r.rangeSlack}, nil
	}
	return endpointCensus{newIDSet(t.idLimit(), r.Workers)}, nil
}

// newNames returns a table for ids that are strings, nil if they are not.
func (r *request) newNames() *nameTable {
	if r.IDs == IDsString {
		return newNameTable()
	}
	return nil
}

// idLimit bounds the bitmap of ids: one bit for each byte of text, so that the
// map is an eighth of the text at most and holds any ids without great gaps.
func (t *text) idLimit() uint64 {
	switch size := uint64(t.size()); {
	case t.plain:
		return size
	case size > 0:
		return size * 4
	}
	return 1 << 27
}

// directed returns the direction asked for, or the default.
func (r *request) directed(byFile bool) bool {
	return r.Directed == Directed || r.Directed == DirectionFromFile && byFile
}

// job is all that differs between the formats once the header is read.
type job struct {
	text     *text
	parser   parser
	mode     weightMode
	census   census
	directed bool
	named    bool // ids are strings
}

// pass makes the first pass over a text.
func (r *request) pass(ctx context.Context, j job) (*source, graph.IDs, error) {
	s, err := newSource(ctx, j.text, j.parser, j.mode, r.Workers, j.named, j.census)
	if err != nil {
		return nil, graph.IDs{}, err
	}
	ids, numbering, err := j.census.finish(s.arcs)
	if err != nil {
		return nil, graph.IDs{}, j.text.failAll("%v", err)
	}
	s.numbering = numbering
	return s, ids, nil
}

// inFile puts the name of the file before an error that lacks it.
func (t *text) inFile(err error) error {
	var known *FileError
	if errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%s: %w", t.path, err)
}

// build makes the graph after the first pass.
func (r *request) build(ctx context.Context, s *source, ids graph.IDs, directed bool) (*graph.Graph, error) {
	g, err := graph.Build(ctx, ids, s, graph.Options{Directed: directed, Loops: r.Loops, Duplicates: r.Duplicates, Workers: r.Workers})
	if changed := s.text.unchanged(); changed != nil && ctx.Err() == nil {
		return nil, changed // whatever else went wrong
	}
	if err != nil {
		return nil, s.text.inFile(err)
	}
	return g, nil
}

// run makes the graph of a text whose header is read.
func (r *request) run(ctx context.Context, j job) (*graph.Graph, error) {
	s, ids, err := r.pass(ctx, j)
	if err != nil {
		return nil, err
	}
	return r.build(ctx, s, ids, j.directed)
}

// checkHeaderSize refuses headers that ask for memory without arcs.
func (r *request) checkHeaderSize(t *text, n, m uint64) error {
	if err := r.checkCounts(t, n, m); err != nil {
		return err
	}
	if mostlyIsolated(n, int64(m), r.headerSlack) {
		return t.fail("header announces %d vertices for %d entries: nearly all would be isolated", n, m)
	}
	return nil
}

// checkCounts refuses numbers that no graph or file has.
func (r *request) checkCounts(t *text, n, m uint64) error {
	switch {
	case n > graph.MaxVertices:
		return t.fail("%d vertices, at most %d fit", n, uint64(graph.MaxVertices))
	case m > math.MaxInt64/32:
		return t.fail("%d arcs are more than any file holds", m)
	}
	return nil
}

// numbered refuses options that do not go with a header of n vertices.
func (r *request) numbered(format, vertices string) error {
	switch {
	case r.IDs == IDsString:
		return &FileError{Path: r.path, Problem: "ids: " + format + " files number their vertices, they have no strings"}
	case r.Vertices == VerticesEndpoints:
		return &FileError{Path: r.path, Problem: "vertices: " + format + " files have the vertices " + vertices + " of their header, not the endpoints"}
	}
	return nil
}
