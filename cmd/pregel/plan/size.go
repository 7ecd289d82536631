package plan

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/graphio"
	pgr "gopregel/pregel/graphio/binary"
	"gopregel/pregel/parallel"
)

// Cheap tells whether Measure knows the size without reading the graph.
func Cheap(g *job.Graph) bool {
	if g.Generate != nil {
		return g.Generate.Kind != "ssca2"
	}
	switch formatOf(g) {
	case "pgr", "gapbs", "matrixmarket", "dimacs", "metis", "ligra":
		return true
	}
	return false
}

func formatOf(g *job.Graph) string {
	if g.Format != "" {
		return g.Format
	}
	name, _, _ := graphio.FormatOf(g.Path)
	return name
}

// Measure finds the size of a job's graph without loading it.
func Measure(ctx context.Context, j *job.Job) (Size, error) {
	g := &j.Graph
	var s Size
	var err error
	switch format := formatOf(g); {
	case g.Generate != nil:
		s, err = ofGenerator(ctx, g)
	case format == "pgr":
		return ofPGR(ctx, j)
	case format == "gapbs":
		s, err = ofGAPBS(j.GraphPath())
	default:
		s, err = ofText(ctx, j.GraphPath(), format, g)
	}
	if err != nil {
		return s, err
	}
	s.options(g)
	s.Ways = j.Trace.Path == "" && s.ways(g)
	return s, nil
}

// ways tells whether weights are known to be whole numbers above 0, and distances to stay
// below 2^31: by the number of vertices, or as ways in graphs of random arcs are short.
func (s Size) ways(g *job.Graph) bool {
	switch {
	case s.Weights == graph.Unweighted:
		return true
	case !s.Loading.Hashes:
		return false
	case g.Generate != nil && (g.Generate.Kind == "kronecker" || g.Generate.Kind == "rmat" || g.Generate.Kind == "uniform"):
		return true
	}
	return s.Vertices*mostHashed < 1<<31
}

// mostHashed is the greatest of hashed weights (graph.HashWeight).
const mostHashed = 255

// options applies what the job says of weights and duplicates.
func (s *Size) options(g *job.Graph) {
	s.Placed = s.Arcs
	if g.Duplicates == "drop" || g.Duplicates == "min" || g.Duplicates == "sum" {
		s.Loading.Merges = true
		s.Certainty = max(s.Certainty, AtMost)
	}
	if g.SelfLoops == "drop" {
		s.Certainty = max(s.Certainty, AtMost)
	}
	switch g.Weights {
	case "none":
		s.Weights = graph.Unweighted
	case "splitmix64":
		s.Weights, s.Loading.Hashes = graph.Int32, true
	}
}

// ofGenerator knows the edges that a generator draws by its parameters, or
// counts them.
func ofGenerator(ctx context.Context, g *job.Graph) (Size, error) {
	in, err := graphgen.Open(*g.Generate, graphgen.Options{Directed: g.Directed})
	if err != nil {
		return Size{}, err
	}
	s := Size{Vertices: uint64(in.IDs.Len()), Directed: in.Directed, How: "by the parameters of the generator"}
	if in.Weighted {
		s.Weights = graph.Int32
	}
	s.setIDs(in.IDs)
	edges, exact, known := drawn(*g.Generate, s.Vertices, in.Directed)
	if !known {
		s.How = "the generator's edges are counted"
		s.Arcs, err = countArcs(ctx, in.Source, in.Directed)
		return s, err
	}
	s.Arcs = edges
	if !in.Directed {
		s.Arcs *= 2
	}
	if !exact && !in.Directed {
		s.Certainty = AtMost // a self-loop is one arc
	}
	return s, nil
}

// drawn returns how many edges a generator makes, and whether no self-loops are
// among them.
func drawn(spec graphgen.Spec, n uint64, directed bool) (edges uint64, noLoops, known bool) {
	factor := uint64(spec.EdgeFactor)
	if factor == 0 {
		factor = 16
	}
	switch spec.Kind {
	case "kronecker", "rmat", "uniform":
		return factor * n, false, true
	case "grid":
		rows, cols := uint64(spec.Rows), uint64(spec.Cols)
		return rows*(cols-1) + (rows-1)*cols, true, true
	case "path", "star", "tree":
		return n - 1, true, true
	case "cycle":
		return n, true, true
	case "complete":
		if directed {
			return n * (n - 1), true, true
		}
		return n * (n - 1) / 2, true, true
	}
	return 0, false, false
}

// countArcs counts an edge of an undirected graph twice, unless it is a loop.
func countArcs(ctx context.Context, src graph.Source, directed bool) (uint64, error) {
	var total atomic.Uint64
	err := src.Arcs(ctx, parallel.Workers(0), func(b graph.Block) error {
		arcs := len(b.U)
		for i, u := range b.U {
			if !directed && u != b.V[i] {
				arcs++
			}
		}
		total.Add(uint64(arcs))
		return nil
	})
	return total.Load(), err
}

// ofPGR reads the header, and the ids if they are no range; nothing else of a
// mapped file is touched.
func ofPGR(ctx context.Context, j *job.Job) (Size, error) {
	g, err := pgr.Read(ctx, j.GraphPath(), pgr.ReadOptions{Verify: pgr.VerifyNever, Workers: j.Engine.Workers})
	if err != nil {
		return Size{}, err
	}
	defer g.Close()
	s := OfGraph(g)
	s.How, s.Loading = "by the header of the file", Loading{Mapped: true}
	kept, options := s.Certainty, j.Graph
	s.options(&options)
	if !s.Loading.Merges && options.SelfLoops != "drop" {
		s.Certainty = kept
	}
	if rebuilt := s.Loading.Merges || options.SelfLoops == "drop" || options.Directed != nil && *options.Directed != s.Directed; rebuilt {
		s.Loading.Mapped = false
		if options.Directed != nil && s.Directed && !*options.Directed {
			s.Directed, s.HasIn, s.Arcs, s.Certainty = false, false, 2*s.Arcs, AtMost
			s.Placed = s.Arcs
		}
	}
	s.Ways = j.Trace.Path == "" && s.ways(&j.Graph)
	return s, nil
}

// ofGAPBS reads the header of a serialised graph: direction, arcs, vertices.
func ofGAPBS(path string) (Size, error) {
	f, err := os.Open(path)
	if err != nil {
		return Size{}, err
	}
	defer f.Close()
	var b [17]byte
	if _, err := io.ReadFull(f, b[:]); err != nil {
		return Size{}, fmt.Errorf("%s: %w", path, err)
	}
	s := Size{
		Directed: b[0] == 1, Arcs: binary.LittleEndian.Uint64(b[1:]), Vertices: binary.LittleEndian.Uint64(b[9:]),
		How: "by the header of the file",
	}
	if strings.HasSuffix(strings.ToLower(path), ".wsg") {
		s.Weights = graph.Int32
	}
	if s.Vertices > graph.MaxVertices || s.Arcs > 1<<48 {
		return s, fmt.Errorf("%s: not a serialised GAPBS graph: %d vertices, %d arcs", path, s.Vertices, s.Arcs)
	}
	return s, nil
}
