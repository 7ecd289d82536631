package graphio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"gopregel/pregel/atomicfile"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphio/binary"
	"gopregel/pregel/parallel"
)

// WriteOptions say how a graph becomes a file. The zero value goes by the name
// of the file and refuses to lose anything.
type WriteOptions struct {
	Format    string // "": from the name, else the name of one of Formats
	AllowLoss bool   // write what the format can hold and leave the rest (see Losses)
	Workers   int    // 0: all processors

	// Progress is told how much is written and how much there is to write:
	// vertices and arcs of a text, bytes of a binary file.
	Progress func(done, total int64)
}

// Write goes through three stages: a check (write_check.go, write_scan.go) tells
// what the format cannot hold; a printer (write_lines.go, write_lists.go) turns
// arcs into text, in pieces that several workers format and one goroutine
// writes in order (write_pieces.go); atomicfile gives the finished file its
// name.

// Write puts g into the file at path. Text is compressed when the name ends in
// .gz or .zst. The file appears when it is complete: after an error or a
// cancellation it is as it was before.
//
// Ids, weights, direction and isolated vertices come back when the file is
// read; what a format cannot hold is an error. Two things a file cannot say
// and the reader is to be told: that an edge list is undirected (each edge
// stands in it once), and that ids are strings. DIMACS files are of arcs: an
// undirected edge becomes two, and stays two.
func Write(ctx context.Context, path string, g *graph.Graph, o WriteOptions) error {
	out, err := newOutput(path, g, o)
	if err == nil && g.IDs().Order() != nil {
		err = graph.ErrRenumbered
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	losses, err := out.obstacles()
	if err == nil && len(losses) > 0 && !o.AllowLoss {
		err = fmt.Errorf("%s would lose something (AllowLoss lets it): %s", out.format, strings.Join(losses, "; "))
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if out.format == "ldbc" {
		return out.writeLDBC(ctx)
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		err := out.compressed(w, func(w io.Writer) error { return out.writer.write(ctx, out, w) })
		return cmp.Or(err, ctx.Err())
	})
}

// Losses lists, in words, what would be lost of g in a file of that name, as
// far as AllowLoss lets it. The error says why the graph cannot be written at
// all.
func Losses(path string, g *graph.Graph, o WriteOptions) ([]string, error) {
	out, err := newOutput(path, g, o)
	if err != nil {
		return nil, err
	}
	return out.obstacles()
}

// An output is one call of Write.
type output struct {
	WriteOptions
	path        string
	ext         string // of the path, without that of the compression
	format      string
	compression string
	writer      writer
	graph       *graph.Graph
	done, total int64
}

func newOutput(path string, g *graph.Graph, o WriteOptions) (*output, error) {
	format, compression, err := FormatOf(path)
	switch {
	case o.Format != "":
		format = o.Format
	case err != nil:
		return nil, err
	}
	if _, err := formatNamed(format); err != nil {
		return nil, err
	}
	_, ext := splitName(path)
	out := &output{WriteOptions: o, path: path, ext: ext, format: format, compression: compression, graph: g, writer: writers()[format]}
	out.Workers = parallel.Workers(o.Workers)
	out.total = int64(g.N()) + int64(g.Arcs())
	if out.writer.check == nil {
		return nil, fmt.Errorf("the format %s can only be read", format)
	}
	return out, nil
}

// A writer is what there is to know of a format for writing it.
type writer struct {
	check func(o *output, f *findings) // reports what the format cannot hold
	write func(ctx context.Context, o *output, w io.Writer) error
}

// writers lists the formats that can be written.
func writers() map[string]writer {
	return map[string]writer{
		"edgelist":     {checkEdgeList, writeEdgeList},
		"el":           {checkEL, writeEL},
		"csv":          {checkCSV, writeCSV},
		"tsv":          {checkTSV, writeTSV},
		"matrixmarket": {checkMatrixMarket, writeMatrixMarket},
		"dimacs":       {checkDIMACS, writeDIMACS},
		"metis":        {checkMETIS, writeMETIS},
		"ldbc":         {check: checkLDBC}, // Write knows that it is several files
		"adjacency":    {checkAdjacency, writeAdjacency},
		"ligra":        {checkLigra, writeLigra},
		"pbbs":         {checkEdgeArray, writeEdgeArray},
		"gapbs":        {checkGAPBS, writeGAPBS},
		"pgr":          {checkPGR, writePGR},
	}
}

func canWrite(format string) bool { return writers()[format].check != nil }

// findings are what stands in the way of a format.
type findings struct {
	losses  []string // can be left out
	reasons []string // make it impossible
}

func (f *findings) lose(format string, args ...any) {
	f.losses = append(f.losses, fmt.Sprintf(format, args...))
}

func (f *findings) refuse(format string, args ...any) {
	f.reasons = append(f.reasons, fmt.Sprintf(format, args...))
}

// obstacles returns what the format would lose, or why it cannot be used.
func (o *output) obstacles() ([]string, error) {
	var f findings
	o.writer.check(o, &f)
	if len(f.reasons) > 0 {
		return nil, fmt.Errorf("%s cannot hold this graph: %s", o.format, strings.Join(f.reasons, "; "))
	}
	return f.losses, nil
}

// compressed calls f with what compresses into w as the name asks.
func (o *output) compressed(w io.Writer, f func(io.Writer) error) error {
	var z io.WriteCloser
	switch o.compression {
	case Gzip:
		z = gzip.NewWriter(w)
	case Zstd:
		encoder, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(o.Workers))
		if err != nil {
			return err
		}
		z = encoder
	default:
		return f(w)
	}
	return errors.Join(f(z), z.Close())
}

// weighted tells whether weights are written.
func (o *output) weighted() bool {
	bare := map[string]string{"el": ".el", "gapbs": ".sg", "ligra": ".adj", "pbbs": ".ea"}
	if o.format == "adjacency" || o.ext != "" && o.ext == bare[o.format] {
		return false
	}
	return o.graph.Weighted() != graph.Unweighted
}

// numbered returns the ids with which a format counts its vertices.
func (o *output) numbered() graph.IDs { return graph.RangeIDs(1, o.graph.N()) }

func writePGR(ctx context.Context, o *output, w io.Writer) error {
	return binary.Encode(ctx, w, o.graph, binary.WriteOptions{Workers: o.Workers, Progress: o.Progress})
}

func writeGAPBS(ctx context.Context, o *output, w io.Writer) error {
	g := o.graph
	if !o.weighted() {
		g = g.WithoutWeights()
	}
	return binary.EncodeGAPBS(ctx, w, g, o.Progress)
}
