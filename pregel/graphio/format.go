package graphio

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"gopregel/pregel/graph"
)

// A Format is one form of graph file.
type Format struct {
	Name       string
	Extensions []string // with the dot, lower case, without .gz or .zst; none: must be named
	Doc        string
	CanRead    bool
	CanWrite   bool

	read func(ctx context.Context, r *request) (*graph.Graph, error)
}

// Formats lists the formats there are.
func Formats() []Format {
	table := []Format{
		{Name: "edgelist", Extensions: []string{".txt", ".edges"}, Doc: "SNAP and other plain edge lists: source, target and perhaps weight on each line", read: readEdgeList},
		{Name: "el", Extensions: []string{".el", ".wel"}, Doc: "GAPBS edge list: as edgelist, but the vertices are 0 to the greatest id", read: readEL},
		{Name: "csv", Extensions: []string{".csv"}, Doc: "edge list with commas and perhaps a header line", read: readCSV},
		{Name: "tsv", Extensions: []string{".tsv"}, Doc: "edge list with tabs and perhaps a header line", read: readTSV},
		{Name: "matrixmarket", Extensions: []string{".mtx"}, Doc: "Matrix Market coordinate matrix; a symmetric one is an undirected graph", read: readMatrixMarket},
		{Name: "dimacs", Extensions: []string{".gr"}, Doc: "DIMACS challenge 9 shortest-path graph", read: readDIMACS},
		{Name: "metis", Extensions: []string{".graph"}, Doc: "METIS adjacency lists, undirected", read: readMETIS},
		{Name: "ldbc", Extensions: []string{".properties", ".e"}, Doc: "LDBC Graphalytics: .properties, or .e with the .v beside it", read: readLDBC},
		{Name: "adjacency", Doc: "lines of a vertex and its out-neighbours", read: readAdjacency},
		{Name: "ligra", Extensions: []string{".adj", ".wadj"}, Doc: "adjacency graph of Ligra, GBBS and PBBS, as text: offsets, targets and perhaps weights", read: readLigra},
		{Name: "pbbs", Extensions: []string{".ea", ".wea"}, Doc: "edge array of PBBS: the vertices are 0 to the greatest id", read: readEdgeArray},
		{Name: "gapbs", Extensions: []string{".sg", ".wsg"}, Doc: "GAPBS serialised graph", read: readGAPBS},
		{Name: "pgr", Extensions: []string{".pgr"}, Doc: "gopregel's own binary form, mapped into memory", read: readPGR},
	}
	for i := range table {
		table[i].CanRead = table[i].read != nil
		table[i].CanWrite = canWrite(table[i].Name)
	}
	return table
}

// Compression is how FormatOf calls what it takes off a name.
const (
	Gzip = "gzip"
	Zstd = "zstd"
)

// FormatOf tells the format and the compression ("", "gzip" or "zstd") that
// the name of a file stands for.
func FormatOf(path string) (name, compression string, err error) {
	base := strings.ToLower(filepath.Base(path))
	switch filepath.Ext(base) {
	case ".gz":
		compression = Gzip
	case ".zst":
		compression = Zstd
	}
	if compression != "" {
		base = strings.TrimSuffix(base, filepath.Ext(base))
	}
	ext := filepath.Ext(base)
	var known []string
	for _, f := range Formats() {
		for _, e := range f.Extensions {
			if e == ext {
				return f.Name, compression, nil
			}
			known = append(known, e)
		}
	}
	return "", compression, fmt.Errorf("%s: no graph format has the extension %q (known: %s; or name the format)", path, ext, strings.Join(known, " "))
}

// formatNamed returns the format of that name.
func formatNamed(name string) (Format, error) {
	var known []string
	for _, f := range Formats() {
		if f.Name == name {
			return f, nil
		}
		known = append(known, f.Name)
	}
	return Format{}, fmt.Errorf("no graph format is called %q (known: %s)", name, strings.Join(known, ", "))
}
