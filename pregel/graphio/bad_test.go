package graphio

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gopregel/pregel/graph"
)

// Bad input gets an error that names the file, the line, what was found and
// what was expected.
func TestBadInput(t *testing.T) {
	t.Parallel()
	strings_ := Options{IDs: IDsString}
	none := Options{Weights: WeightsNone}
	for _, c := range []struct {
		name, text string
		options    Options
		want       string
	}{
		{"g.txt", "0 1\nhello world\n", Options{}, "g.txt:2: \"hello\" is not an id: ids are integers from 0 to 2^64-1 (for names say `ids: string`)"},
		{"g.txt", "# c\nsource target\n0 1\n", Options{}, "g.txt:2: \"source\" is not an id: ids are integers from 0 to 2^64-1 (for names say `ids: string`)"},
		{"g.txt", "0 1\n\n2\n", Options{}, "g.txt:3: 1 column, want 2 columns (source, target) as on line 1"},
		{"g.txt", "7\n", Options{}, "g.txt:1: 1 column, want 2 (source, target) or 3 (source, target, weight)"},
		{"g.txt", "7\n", none, "g.txt:1: 1 column, want 2 (source, target) or 3 (source, target, weight)"},
		{"g.txt", "0 1\n1 18446744073709551616\n", Options{}, `g.txt:2: id "18446744073709551616" is beyond 64 bits (0 to 18446744073709551615)`},
		{"g.txt", "0 1\n1 99999999999999999999999999\n", Options{}, `g.txt:2: id "99999999999999999999999999" is beyond 64 bits (0 to 18446744073709551615)`},
		{"g.txt", "0 -1\n", Options{}, "g.txt:1: id -1 has a sign: ids are integers from 0 to 2^64-1"},
		{"g.txt", "0 1.5\n", Options{}, "g.txt:1: \"1.5\" is not an id: ids are integers from 0 to 2^64-1 (for names say `ids: string`)"},
		{"g.txt", "0 1 2\n1 2\n", Options{}, "g.txt:2: 2 columns, want 3 columns (source, target, weight) as on line 1"},
		{"g.txt", "0 1\n1 2 3\n", Options{}, "g.txt:2: 3 columns, want 2 columns (source, target) as on line 1"},
		{"g.txt", "0 1\n1 2 3 4\n", Options{}, "g.txt:2: more than 3 columns, want 2 columns (source, target) as on line 1"},
		{"g.txt", "0 1 1 1082040961\n", Options{}, "g.txt:1: more than 3 columns, want 2 (source, target) or 3 (source, target, weight); `weights: none` reads the first two of any number"},
		{"g.txt", "0,,1\n", Options{}, "g.txt:1: column 2 is empty"},
		{"g.csv", "0,1\n2,\n", Options{}, "g.csv:2: column 2 is empty"},
		{"g.csv", ",1\n", Options{}, "g.csv:1: column 1 is empty"},
		{"g.tsv", "0\t1\t2\n0\t\t2\n", Options{}, "g.tsv:2: column 2 is empty"},
		{"g.csv", "source,target\na,b\n", Options{}, "g.csv:2: \"a\" is not an id: ids are integers from 0 to 2^64-1 (for names say `ids: string`)"},
		{"g.csv", "x,y\nz,w\n", strings_, ""},
		{"g.csv", "\"a,b\n", strings_, `g.csv:1: the double quote of "\"a,b" is not closed on its line`},
		{"g.csv", "a,b\n\"a\"b,c\n", strings_, `g.csv:2: characters behind the closing quote of "\"a\"b,c"`},
		{"g.txt", "a b\na \x00\x01\n", strings_, `g.txt:2: id "\x00\x01" has control characters: this is no text`},
		{"g.txt", "0 1 2147483647\n0 1 2147483648\n", Options{}, "g.txt:2: weight 2147483648 is beyond int32 (-2147483648 to 2147483647); the weight type float32 would round it"},
		{"g.txt", "0 1 -2147483649\n0 1 2147483648\n", Options{}, "g.txt:1: weight -2147483649 is beyond int32 (-2147483648 to 2147483647); the weight type float32 would round it"},
		{"g.txt", "0 1 99999999999999999999\n", Options{WeightType: "int32"}, "g.txt:1: weight 99999999999999999999 is beyond int32 (-2147483648 to 2147483647); the weight type float32 would round it"},
		{"g.txt", "0 1 7\n0 1 0.5\n", Options{WeightType: "int32"}, "g.txt:2: weight 0.5 is not an integer, and the weights are to be int32"},
		{"g.txt", "0 1 1e39\n", Options{}, `g.txt:1: weight "1e39" is beyond float32 (largest 3.4e+38)`},
		{"g.txt", "0 1 7\n0 1 NaN\n", Options{}, `g.txt:2: weight "NaN" is not a finite number`},
		{"g.txt", "0 1 -inf\n", Options{}, `g.txt:1: weight "-inf" is not a finite number`},
		{"g.txt", "0 1 0x10\n", Options{}, `g.txt:1: weight "0x10" is not a number`},
		{"g.txt", "0 1 1e\n", Options{}, `g.txt:1: weight "1e" is not a number`},
		{"g.txt", "0 1 1_0.5\n", Options{}, `g.txt:1: weight "1_0.5" is not a number`},
		{"g.txt", "0 1\n", Options{Weights: WeightsFromFile}, "g.txt: the file has no weights"},
		{"g.txt", "0 1\n", Options{WeightType: "int"}, `weight type "int", want int32 or float32`},
		{"g.txt", "a b\n", Options{IDs: IDsString, Weights: WeightsHash}, "g.txt: splitmix64 weights are made of numeric ids, and the ids are to be strings"},
		{"g.txt", "a b\n", Options{IDs: IDsString, Vertices: VerticesRange}, "g.txt: vertices: a range is of numbers, and the ids are to be strings"},
		{"g.txt", strings.Repeat("\x00", 3<<20), Options{}, "g.txt:1: line of more than 1048576 bytes: this is no graph in text form"},
		{"g.txt", "\x7fELF\x02\x01\x01\x00\xff\xfe", Options{}, "g.txt:1: \"\\x7fELF\\x02\\x01\\x01\\x00\\xff\\xfe\" is not an id: ids are integers from 0 to 2^64-1 (for names say `ids: string`)"},
		{"g.txt", strings.Repeat("x", 100), Options{}, "g.txt:1: \"" + strings.Repeat("x", 40) + "\"… is not an id: ids are integers from 0 to 2^64-1 (for names say `ids: string`)"},
		{"g.el", "0 5000000\n", Options{}, "g.el: the greatest id is 5000000, but there are only 1 edges: with the vertices 0 to 5000000 nearly all would be isolated; `vertices: endpoints` takes those that occur, `vertices: range` insists"},
		{"g.el", "0 4294967295\n", Options{Vertices: VerticesRange}, "g.el: the greatest id is 4294967295: vertices 0 to 4294967295 are more than the 4294967295 that fit; `vertices: endpoints` takes those that occur"},
		{"g.foo", "", Options{}, `g.foo: no graph format has the extension ".foo" (known: .txt .edges .el .wel .csv .tsv .mtx .gr .graph .properties .e .adj .wadj .ea .wea .sg .wsg .pgr; or name the format)`},
		{"g.txt", "", Options{Format: "dot"}, `no graph format is called "dot" (known: edgelist, el, csv, tsv, matrixmarket, dimacs, metis, ldbc, adjacency, ligra, pbbs, gapbs, pgr)`},

		{"g.mtx", "", Options{}, `g.mtx:1: the first line is "", want "%%MatrixMarket matrix coordinate <field> <symmetry>"`},
		{"g.mtx", "1 2\n", Options{}, `g.mtx:1: the first line is "1 2", want "%%MatrixMarket matrix coordinate <field> <symmetry>"`},
		{"g.mtx", "%%MatrixMarket matrix array real general\n", Options{}, "g.mtx:1: a Matrix Market matrix in array form is no graph, want: matrix coordinate"},
		{"g.mtx", "%%MatrixMarket matrix coordinate complex general\n", Options{}, `g.mtx:1: entries of the field "complex" cannot be weights, want pattern, integer or real`},
		{"g.mtx", "%%MatrixMarket matrix coordinate real hermitian\n", Options{}, `g.mtx:1: a matrix of symmetry "hermitian" is no graph, want general or symmetric`},
		{"g.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n", Options{}, `g.mtx:1: a matrix of symmetry "skew-symmetric" is no graph, want general or symmetric`},
		{"g.mtx", "%%MatrixMarket matrix coordinate pattern general\n%\n", Options{}, "g.mtx: the file ends before the line of rows, columns and entries"},
		{"g.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2\n", Options{}, "g.mtx:2: 2 numbers, want 3 (rows, columns, entries)"},
		{"g.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 x 1\n", Options{}, `g.mtx:2: "x" is not a count`},
		{"g.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n", Options{}, "g.mtx:2: a matrix of 2 rows and 3 columns is no graph: the numbers must be equal"},
		{"g.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n", Options{}, "g.mtx: the header announces 2 entries, the file has 1"},
		{"g.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 3\n", Options{}, "g.mtx:3: vertex 3: the vertices of this file are 1 to 2"},
		{"g.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n0 1\n", Options{}, "g.mtx:3: vertex 0: the vertices of this file are 1 to 2"},
		{"g.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2 3\n", Options{}, "g.mtx:3: 3 columns, want 2 columns (source, target)"},
		{"g.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 0.5\n", Options{}, "g.mtx:3: weight 0.5 is not an integer, and the weights are to be int32"},
		{"g.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n1 2\n", Options{Directed: Directed}, "g.mtx: the matrix is symmetric, which is an undirected graph; it cannot be read as directed"},
		{"g.mtx", "%%MatrixMarket matrix coordinate pattern general\n5000000000 5000000000 0\n", Options{}, "g.mtx:2: 5000000000 vertices, at most 4294967295 fit"},
		{"g.mtx", "%%MatrixMarket matrix coordinate pattern general\n4000000000 4000000000 0\n", Options{}, "g.mtx:2: header announces 4000000000 vertices for 0 entries: nearly all would be isolated"},
		{"g.mtx", "%%MatrixMarket matrix coordinate pattern general\n1 1 18446744073709551615\n", Options{}, "g.mtx:2: 18446744073709551615 arcs are more than any file holds"},
		{"g.mtx", "", strings_, "g.mtx: ids: Matrix Market files number their vertices, they have no strings"},
		{"g.mtx", "", Options{Vertices: VerticesEndpoints}, "g.mtx: vertices: Matrix Market files have the vertices 1 to n of their header, not the endpoints"},

		{"g.gr", "", Options{}, `g.gr: the file ends before the line "p sp n m"`},
		{"g.gr", "c\na 1 2 3\n", Options{}, `g.gr:2: found "a 1 2 3", want "p sp n m"`},
		{"g.gr", "p max 2 1\n", Options{}, `g.gr:1: a DIMACS problem of the kind "max", want sp (shortest paths)`},
		{"g.gr", "p sp 2 1\n", Options{}, "g.gr: the header announces 1 arcs, the file has 0"},
		{"g.gr", "p sp 2 1\na 1 2\n", Options{}, "g.gr:2: 2 columns, want 3 columns (source, target, weight)"},
		{"g.gr", "p sp 2 1\na 1 3 4\n", Options{}, "g.gr:2: vertex 3: the vertices of this file are 1 to 2"},
		{"g.gr", "p sp 2 1\nx 1 2 4\n", Options{}, `g.gr:2: line begins with "x", want 'a' for an arc or "c" for a comment`},
		{"g.gr", "p sp 2 1\np sp 2 1\n", Options{}, `g.gr:2: line begins with "p", want 'a' for an arc or "c" for a comment`},

		{"g.graph", "% only a comment\n", Options{}, "g.graph: the file ends before the header (vertices, edges)"},
		{"g.graph", "2\n", Options{}, "g.graph:1: 1 numbers in the header, want 2 to 4 (vertices, edges, fmt, ncon)"},
		{"g.graph", "2 1 2\n2\n1\n", Options{}, `g.graph:1: fmt "2", want up to three digits of 0 and 1 (vertex sizes, vertex weights, edge weights)`},
		{"g.graph", "2 1 10 0\n", Options{}, "g.graph:1: 0 weights for each vertex, want 1 to 1024"},
		{"g.graph", "2 1\n2\n", Options{}, "g.graph: the header announces 2 vertices, the file has lists of 1"},
		{"g.graph", "2 1\n2\n1\n1\n", Options{}, "g.graph: the header announces 2 vertices, the file has a list for vertex 3"},
		{"g.graph", "2 2\n2\n1\n", Options{}, "g.graph: the header announces 2 edges, which is 4 entries, as each edge stands in two lists; the lists have 2; if they are the arcs of a directed graph say `directed: true`"},
		{"g.graph", "3 1\n2 3\n1\n1\n", Options{}, "g.graph: the header announces 1 edges, which is 2 entries, as each edge stands in two lists; the lists have 4"},
		{"g.graph", "3 1\n2\n\n\n", Options{Directed: Directed}, ""},
		{"g.graph", "3 2\n2\n\n\n", Options{Directed: Directed}, "g.graph: the header announces 2 arcs, the lists have 1"},
		{"g.graph", "3 2\n2\n1 3\n1\n", Options{}, "g.graph: vertex 2 lists 3 1 times and 3 lists 2 0 times: an undirected graph has each edge in both lists"},
		{"g.graph", "3 2\n3\n3\n1 1\n", Options{}, "g.graph: vertex 2 lists 3 1 times and 3 lists 2 0 times: an undirected graph has each edge in both lists"},
		{"g.graph", "2 1 1\n2 5\n1 6\n", Options{}, "g.graph: vertex 1 lists 2 with weight 5, and 2 lists 1 with weight 6: no undirected graph"},
		{"g.graph", "2 1 1\n2\n1 6\n", Options{}, "g.graph:2: neighbour 2 has no weight"},
		{"g.graph", "2 1 10\n5 2\n\n", Options{}, "g.graph: the line of vertex 2 is empty, want at least 1 numbers before the neighbours"},
		{"g.graph", "2 1 10 3\n5 2\n1 1 1\n", Options{}, "g.graph:2: 2 numbers, want at least 3 before the neighbours"},
		{"g.graph", "2 1\n%\n3\n1\n", Options{}, "g.graph:3: vertex 3: the vertices of this file are 1 to 2"},
		{"g.graph", "2 1\nx\n1\n", Options{}, "g.graph:2: \"x\" is not an id: ids are integers from 0 to 2^64-1 (for names say `ids: string`)"},
		{"g", "1 2\n2\n", Options{Format: "adjacency", Directed: Undirected}, "g: vertex 1 lists 2 1 times and 2 lists 1 0 times: an undirected graph has each edge in both lists"},
		{"g", "1 2\n2 0x\n", Options{Format: "adjacency"}, "g:2: \"0x\" is not an id: ids are integers from 0 to 2^64-1 (for names say `ids: string`)"},
		{"g", "1 2\n", Options{Format: "adjacency", Weights: WeightsFromFile}, "g: the file has no weights"},

		{"g.adj", "", Options{}, "g.adj: the file ends before the word AdjacencyGraph or WeightedAdjacencyGraph"},
		{"g.adj", "\nEdgeArray\n0 1\n", Options{}, `g.adj:2: the file begins with "EdgeArray", want AdjacencyGraph or WeightedAdjacencyGraph`},
		{"g.adj", "AdjacencyGraph\n", Options{}, "g.adj: the file ends before the number of vertices"},
		{"g.adj", "AdjacencyGraph\n1\n", Options{}, "g.adj: the file ends before the number of arcs"},
		{"g.adj", "AdjacencyGraph\n-1\n", Options{}, `g.adj:2: "-1" is not a count`},
		{"g.adj", "AdjacencyGraph 4294967296\n0", Options{}, "g.adj:2: 4294967296 vertices, at most 4294967295 fit"},
		{"g.adj", "AdjacencyGraph\n1 9223372036854775807", Options{}, "g.adj:2: 9223372036854775807 arcs are more than any file holds"},
		{"g.adj", "AdjacencyGraph\n4294967295\n288230376151711743\n0\n", Options{}, "g.adj: the header announces 4294967295 vertices and 288230376151711743 arcs, which is 288230380446679038 numbers behind it, the file has 1"},
		{"g.adj", "AdjacencyGraph\n2\n1\n0\n0\n1\n0\n", Options{}, "g.adj: the header announces 2 vertices and 1 arcs, which is 3 numbers behind it, the file has 4"},
		{"g.wadj", "WeightedAdjacencyGraph\n2\n1\n0\n0\n1\n", Options{}, "g.wadj: the header announces 2 vertices and 1 arcs, which is 4 numbers behind it, the file has 3"},
		{"g.adj.gz", gzipped(t, "AdjacencyGraph\n2\n1\n0\n0\n1\n0\n"), Options{}, "g.adj.gz: the header announces 2 vertices and 1 arcs, which is 3 numbers behind it, the file has 4"},
		{"g.adj", "AdjacencyGraph\n2\n1\n0\n2\n1\n", Options{}, `g.adj:5: the offset of vertex 1 is "2", want a number from 0 to 1`},
		{"g.adj", "AdjacencyGraph\n2\n1\n0 1 x1\n", Options{}, `g.adj:4: the target of arc 0 is "x1", want a number from 0 to 1`},
		{"g.adj", "AdjacencyGraph\n2\n1\n0 1\n\n2\n", Options{}, `g.adj:6: the target of arc 0 is "2", want a number from 0 to 1`},
		{"g.adj.gz", gzipped(t, "AdjacencyGraph\n2\n1\n0 1\n\n2\n"), Options{}, `g.adj.gz:6: the target of arc 0 is "2", want a number from 0 to 1`},
		{"g.adj", "AdjacencyGraph\n1\n1\n0 -1\n", Options{}, `g.adj:4: the target of arc 0 is "-1", want a number from 0 to 0`},
		{"g.adj", "AdjacencyGraph\n2\n1\n1\n1\n0\n", Options{}, "g.adj: the offset of vertex 0 is 1, want 0"},
		{"g.adj", "AdjacencyGraph\n3\n2\n0\n2\n1\n0\n0\n", Options{}, "g.adj: the offset of vertex 2 is 1, that of vertex 1 before it 2: offsets must not descend"},
		{"g.adj", "AdjacencyGraph\n0\n1\n0\n", Options{}, `g.adj:4: the target of arc 0 is "0", and there are no vertices`},
		{"g.adj", "AdjacencyGraph\n2\n1\n0\n1\n1\n", Options{Directed: Undirected}, "g.adj: vertex 0 lists 1 1 times and 1 lists 0 0 times: an undirected graph has each edge in both lists"},
		{"g.adj", "AdjacencyGraph\n2\n1\n0\n1\n1\n", Options{Weights: WeightsFromFile}, "g.adj: the file has no weights"},
		{"g.adj", "", Options{IDs: IDsString}, "g.adj: ids: Ligra files number their vertices, they have no strings"},
		{"g.adj", "", Options{Vertices: VerticesEndpoints}, "g.adj: vertices: Ligra files have the vertices 0 to n-1 of their header, not the endpoints"},
		{"g.wadj", "WeightedAdjacencyGraph\n1\n2\n0\n0\n0\n1\nNaN\n", Options{}, `g.wadj:8: weight "NaN" is not a finite number`},
		{"g.wadj", "WeightedAdjacencyGraph\n1\n2\n0\n0\n0\n1\n2147483648\n", Options{}, "g.wadj:8: weight 2147483648 is beyond int32 (-2147483648 to 2147483647); the weight type float32 would round it"},
		{"g.wadj", "WeightedAdjacencyGraph\n1\n2\n0\n0\n0\n1\n0.5\n", Options{WeightType: "int32"}, "g.wadj:8: weight 0.5 is not an integer, and the weights are to be int32"},
		{"g.ea", "", Options{}, `g.ea:1: the first line is "", want EdgeArray or WeightedEdgeArray`},
		{"g.ea", "0 1\n", Options{}, `g.ea:1: the first line is "0 1", want EdgeArray or WeightedEdgeArray`},
		{"g.ea", "EdgeArray\n0 1\n0\n", Options{}, "g.ea:3: 1 column, want 2 columns (source, target) as the first line says"},
		{"g.ea", "EdgeArray\n0 1 7\n", Options{}, "g.ea:2: 3 columns, want 2 columns (source, target) as the first line says"},
		{"g.wea", "WeightedEdgeArray\n0 1\n", Options{}, "g.wea:2: 2 columns, want 3 columns (source, target, weight) as the first line says"},
		{"g.wea", "WeightedEdgeArray\n0 1\n", none, "g.wea:2: 2 columns, want 3 columns (source, target, weight) as the first line says"},
		{"g.wea", "WeightedEdgeArray\n0 x 1\n", Options{}, "g.wea:2: \"x\" is not an id: ids are integers from 0 to 2^64-1 (for names say `ids: string`)"},
		{"g.wea", "WeightedEdgeArray\n0 1 y\n", Options{}, `g.wea:2: weight "y" is not a number`},
		{"g.ea", "", Options{IDs: IDsString}, "g.ea: ids: PBBS files number their vertices, they have no strings"},

		{"g.txt.gz", gzipped(t, strings.Repeat("0 1\n", 5000))[:60], Options{}, "g.txt.gz: compressed data ends too early: the file is truncated"},
		{"g.txt.gz", gzipped(t, "0 1\n") + "rubbish and more", Options{}, "g.txt.gz: damaged gzip data (gzip: invalid header)"},
		{"g.txt.zst", zstded(t, strings.Repeat("0 1 2", 5000))[:20], Options{}, "g.txt.zst: compressed data ends too early: the file is truncated"},
		{"g.txt.gz", "not compressed at all", Options{}, "g.txt.gz:1: \"not\" is not an id: ids are integers from 0 to 2^64-1 (for names say `ids: string`)"},
		{"g.txt.gz", gzipped(t, "0 1\n2 x\n"), Options{}, "g.txt.gz:2: \"x\" is not an id: ids are integers from 0 to 2^64-1 (for names say `ids: string`)"},
		{"g.pgr.gz", "", Options{}, "g.pgr.gz: binary graphs are mapped into memory and cannot be compressed; decompress the file first"},
		{"g.pgr", "", Options{Vertices: VerticesRange}, "g.pgr: vertices: a binary graph has its own set of vertices"},

		{"g.properties", "x\n", Options{}, `g.properties:1: "x" is not key = value`},
		{"g.properties", "graph.g.edge-file = g.e\n", Options{}, "g.properties: there is no key graph.<name>.vertex-file"},
		{"g.properties", "graph.g.vertex-file = g.v\n", Options{}, "g.properties: there is no key graph.g.edge-file"},
		{"g.properties", "graph.g.vertex-file = g.v\ngraph.h.vertex-file = g.v\n", Options{}, "g.properties: there is more than one key graph.<name>.vertex-file"},
		{"g.properties", "graph.g.vertex-file = g.v\ngraph.g.edge-file = g.e\n", Options{}, `g.properties: graph.g.directed is "", want true or false`},
		{"g.properties", "graph.g.vertex-file = g.v\ngraph.g.edge-file = g.e\ngraph.g.directed = true\n", Options{}, "g.properties: the vertex-file g.v does not exist"},
		{"g.properties", "graph.g.vertex-file = g.v\ngraph.g.edge-file = g.e\ngraph.g.directed = false\n", Options{Directed: Directed}, "g.properties: the vertex-file g.v does not exist"},
	} {
		path := textFile(t, c.name, c.text)
		for _, size := range []int{1, 5, defaultBlock} {
			l := defaultLimits
			l.block = size
			_, err := read(context.Background(), path, c.options, l)
			checkError(t, err, filepath.Dir(path), c.want, fmt.Sprintf("%s %q", c.name, c.text))
		}
	}
}

// checkError compares an error with the one wanted, "" for none.
func checkError(t *testing.T, err error, dir, want, what string) {
	t.Helper()
	got := ""
	if err != nil {
		got = strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
	}
	if got != want {
		t.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}

func TestBadPaths(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := Read(t.Context(), filepath.Join(dir, "missing.txt"), Options{})
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "missing.txt") {
		t.Errorf("missing file: %v", err)
	}
	_, err = Read(t.Context(), dir, Options{})
	checkError(t, err, filepath.Dir(dir), filepath.Base(dir)+": is a directory, not a graph file", "directory")
	var known *FileError
	if !errors.As(err, &known) || known.Path != dir || known.Line != 0 {
		t.Errorf("directory: %#v", err)
	}
}

// A file of one endless line, as of zeros, is not read into memory.
func TestEndlessLine(t *testing.T) {
	t.Parallel()
	text := "0 1\n0 1\n" + strings.Repeat("1", 4<<20)
	for _, path := range []string{textFile(t, "g.txt", text), textFile(t, "g.txt.gz", gzipped(t, text))} {
		_, err := Read(t.Context(), path, Options{})
		checkError(t, err, filepath.Dir(path), filepath.Base(path)+":3: line of more than 1048576 bytes: this is no graph in text form", "endless line")
	}
	list := "1 " + strings.Repeat("1000000 ", 1<<18) + "\n1000000 1\n"
	if g := mustRead(t, textFile(t, "g", list), Options{Format: "adjacency"}); g.Arcs() != 1<<18+1 {
		t.Errorf("%d arcs", g.Arcs())
	}
}

// Of several bad lines the first is reported, whoever comes upon it first.
func TestFirstErrorWins(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("1 2\n", 3000) + "1 x\n" + strings.Repeat("1 2\ny y\n", 3000)
	path := textFile(t, "g.txt", text)
	for _, name := range []string{path, textFile(t, "g.txt.gz", gzipped(t, text))} {
		for range 10 {
			l := defaultLimits
			l.block = 100
			_, err := read(context.Background(), name, Options{Workers: 8}, l)
			var known *FileError
			if !errors.As(err, &known) || known.Line != 3001 {
				t.Fatalf("got %v, want line 3001", err)
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("1 2\n", 1000)
	for _, path := range []string{textFile(t, "g.txt", text), textFile(t, "g.txt.gz", gzipped(t, text))} {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := Read(ctx, path, Options{}); err != context.Canceled {
			t.Errorf("%s: %v, want %v", path, err, context.Canceled)
		}
		ctx, cancel = context.WithCancel(context.Background())
		l := defaultLimits
		l.block = 10
		o := Options{Progress: func(done, _ int64) {
			if done > 20 {
				cancel()
			}
		}}
		if _, err := read(ctx, path, o, l); err != context.Canceled {
			t.Errorf("%s: %v, want %v", path, err, context.Canceled)
		}
	}
}

// A file that changes between the passes is not taken for a graph.
func TestChangedFile(t *testing.T) {
	t.Parallel()
	for _, lines := range []int{99, 100, 101} {
		path := textFile(t, "g.txt", strings.Repeat("1 2\n", 100))
		changed := false
		o := Options{Workers: 1, Progress: func(done, total int64) {
			if done <= total/2 || changed {
				return
			}
			changed = true
			if err := os.WriteFile(path, []byte(strings.Repeat("2 1\n", lines)), 0o644); err != nil {
				t.Error(err)
			}
			later := time.Now().Add(time.Hour)
			if err := os.Chtimes(path, later, later); err != nil {
				t.Error(err)
			}
		}}
		_, err := Read(t.Context(), path, o)
		checkError(t, err, filepath.Dir(path), "g.txt: changed while it was read", "changed file")
		if !changed {
			t.Error("the file was not changed")
		}
	}
}

// An edge list without edges is the graph without vertices.
func TestEmpty(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"g.txt", "g.el", "g.csv", "g.tsv", "g.e", "g.txt.gz", "g.txt.zst"} {
		for _, text := range []string{"", "\n", "# nothing\n", "\r\n#"} {
			switch {
			case strings.HasSuffix(name, ".gz"):
				text = gzipped(t, text)
			case strings.HasSuffix(name, ".zst"):
				text = zstded(t, text)
			}
			g := mustRead(t, textFile(t, name, text), Options{})
			if g.N() != 0 || g.Arcs() != 0 || g.Weighted() != graph.Unweighted {
				t.Errorf("%s %q: %d vertices, %d arcs", name, text, g.N(), g.Arcs())
			}
		}
	}
}
