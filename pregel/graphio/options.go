package graphio

import "gopregel/pregel/graph"

// Options say how a file becomes a graph. The zero value finds everything from
// the file and keeps everything.
type Options struct {
	Format     string       // "": from the name, else the name of one of Formats
	Directed   Direction    // zero: what the file says; edge lists say nothing and are read as directed
	IDs        IDKind       // zero: integers
	Vertices   VertexSet    // zero: by format
	Weights    WeightSource // zero: those of the file, if it has any
	WeightType string       // "int32", "float32", or "": int32 if every weight of the file is an integer, else float32
	Loops      graph.Loops
	Duplicates graph.Duplicates
	Workers    int // 0: all processors

	// Progress is told the bytes read so far and the bytes to be read in all
	// passes over the file (0 when not known). It may be called from several
	// goroutines at once.
	Progress func(done, total int64)
}

// Direction says whether the lines of a file are arcs or undirected edges.
type Direction uint8

// The directions. A file that says it is undirected cannot be read as
// directed.
const (
	DirectionFromFile Direction = iota
	Directed
	Undirected
)

// IDKind says what the ids in a file are.
type IDKind uint8

// The kinds of ids: integers from 0 to 2^64-1, or strings.
const (
	IDsInteger IDKind = iota
	IDsString
)

// VertexSet says which vertices a graph has.
type VertexSet uint8

// The sets of vertices. Files with a header (Matrix Market, DIMACS, METIS)
// always have the vertices 1 to n of the header, Ligra files 0 to n-1.
const (
	VerticesByFormat  VertexSet = iota // el, pbbs: the range; ldbc: the .v file; else the endpoints
	VerticesEndpoints                  // the ids that occur on a line
	VerticesRange                      // 0 to the greatest id that occurs
)

// WeightSource says where weights come from.
type WeightSource uint8

// The sources of weights.
const (
	WeightsByFile   WeightSource = iota // the file's, if it has any
	WeightsFromFile                     // the file's; an error if it has none
	WeightsNone                         // none, whatever the file has; edge lists may then have further columns of any content
	WeightsHash                         // graph.HashWeight of the two ids, whatever the file has, given after duplicates are merged
)
