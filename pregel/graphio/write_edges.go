package graphio

import (
	"context"
	"fmt"
	"io"
	"strings"

	"gopregel/pregel/graph"
)

// The plain form is that of SNAP: comments that say what the lines are, then
// fields parted by tabs.
func writeEdgeList(ctx context.Context, o *output, w io.Writer) error {
	kind := "Directed graph: each line is an arc"
	if !o.graph.Directed() {
		kind = "Undirected graph: each edge stands on one line"
	}
	header := fmt.Sprintf("# %s\n# Vertices: %d Edges: %d\n# %s\n", kind, o.graph.N(), o.graph.Edges(), o.columns("\t"))
	return o.writeEdges(ctx, w, header, o.lines(o.graph.IDs(), "\t"))
}

// columns names the columns of an edge list.
func (o *output) columns(between string) string {
	names := []string{"source", "target"}
	if o.weighted() {
		names = append(names, "weight")
	}
	return strings.Join(names, between)
}

// GAPBS takes no comments.
func writeEL(ctx context.Context, o *output, w io.Writer) error {
	return o.writeEdges(ctx, w, "", o.lines(o.graph.IDs(), " "))
}

func writeCSV(ctx context.Context, o *output, w io.Writer) error {
	p := o.lines(o.graph.IDs(), ",")
	p.quotes = o.graph.IDs().Names() != nil
	return o.writeEdges(ctx, w, o.columns(",")+"\n", p)
}

func writeTSV(ctx context.Context, o *output, w io.Writer) error {
	return o.writeEdges(ctx, w, o.columns("\t")+"\n", o.lines(o.graph.IDs(), "\t"))
}

// An undirected graph is a symmetric matrix, of which the file has the lower
// half.
func writeMatrixMarket(ctx context.Context, o *output, w io.Writer) error {
	p := o.lines(o.numbered(), " ")
	symmetry := "general"
	if !o.graph.Directed() {
		symmetry = "symmetric"
		p.choice = downward
	}
	field := map[graph.WeightKind]string{graph.Unweighted: "pattern", graph.Int32: "integer", graph.Float32: "real"}[o.graph.Weighted()]
	n := o.graph.N()
	header := fmt.Sprintf("%%%%MatrixMarket matrix coordinate %s %s\n%d %d %d\n", field, symmetry, n, n, o.graph.Edges())
	return o.writeEdges(ctx, w, header, p)
}

// An undirected edge is two arcs of a DIMACS file.
func writeDIMACS(ctx context.Context, o *output, w io.Writer) error {
	p := o.lines(o.numbered(), " ")
	p.choice = allArcs
	p.before = "a "
	header := fmt.Sprintf("p sp %d %d\n", o.graph.N(), o.graph.Arcs())
	if !o.graph.Directed() {
		header = "c Undirected graph: each edge is two arcs\n" + header
	}
	return o.writeEdges(ctx, w, header, p)
}
