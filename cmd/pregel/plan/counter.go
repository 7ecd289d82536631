package plan

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel/graph"
)

// A counter counts what the lines of a text name.
type counter struct {
	format  string
	strings bool
	lines   uint64 // of edges, or of lists
	arcs    uint64
	columns int    // of the first line
	most    uint64 // the greatest id
	least   uint64
	bytes   uint64 // of ids
	ids     sketch
	header  []string // words of the line that announces the sizes
	banner  []string // of Matrix Market
}

const longestLine = 1 << 26

func (c *counter) read(ctx context.Context, in io.Reader) error {
	c.least = ^uint64(0)
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 1<<20), longestLine)
	if c.format == "ligra" { // its numbers may stand on one line or on several
		lines.Split(bufio.ScanWords)
	}
	for i := 0; lines.Scan(); i++ {
		if i%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if c.line(lines.Bytes()) {
			return nil
		}
	}
	return lines.Err()
}

// line looks at a line; it returns true when the rest tells nothing more.
func (c *counter) line(line []byte) (done bool) {
	words := bytes.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == ';' || r == '\r' })
	if len(words) == 0 {
		return false
	}
	switch comment := words[0][0]; c.format {
	case "matrixmarket":
		if c.banner == nil {
			c.banner = texts(words)
			return false
		}
		if comment == '%' {
			return false
		}
		c.header = texts(words)
		return true
	case "dimacs":
		if string(words[0]) != "p" {
			return false
		}
		c.header = texts(words)
		return true
	case "metis":
		if comment == '%' {
			return false
		}
		c.header = texts(words)
		return true
	case "ligra":
		c.header = append(c.header, texts(words)...)
		return len(c.header) == 3
	default:
		if comment != '#' && comment != '%' {
			c.edges(words)
		}
	}
	return false
}

func texts(words [][]byte) []string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = string(w)
	}
	return list
}

func (c *counter) edges(words [][]byte) {
	if c.lines == 0 {
		if _, err := strconv.ParseUint(string(words[0]), 10, 64); err != nil && !c.strings {
			return // a line of names of columns
		}
		c.columns = len(words)
	}
	c.lines++
	ends := words[:min(len(words), 2)]
	if c.format == "adjacency" {
		ends = words
	}
	c.arcs += uint64(max(len(ends)-1, 0))
	for _, w := range ends {
		c.id(w)
	}
}

func (c *counter) id(word []byte) {
	c.bytes += uint64(len(word))
	if c.strings {
		c.ids.add(hashBytes(word))
		return
	}
	x := uint64(0)
	for _, d := range word {
		x = 10*x + uint64(d-'0')
	}
	c.most, c.least = max(c.most, x), min(c.least, x)
	c.ids.add(graph.SplitMix64(x))
}

// size tells what has been found.
func (c *counter) size(s *Size, g *job.Graph) {
	s.Arcs = c.arcs
	if c.columns == 3 && c.format != "adjacency" {
		s.Weights = graph.Float32 // as large as int32
	}
	switch c.format {
	case "matrixmarket", "dimacs", "metis", "ligra":
		c.announced(s)
		return
	}
	s.Vertices = c.ids.count()
	switch byRange := g.Vertices == "range" || g.Vertices == "" && (c.format == "el" || c.format == "pbbs"); {
	case c.strings:
		s.IDs, s.NameBytes = Names, s.Vertices*(c.bytes/max(2*c.lines, 1))
	case c.lines == 0:
		s.Vertices = 0
	case byRange:
		s.Vertices = c.most + 1
	case s.Vertices+s.Vertices/20 < c.most-c.least+1:
		s.IDs = Numbers
	default:
		s.Vertices = c.most - c.least + 1
	}
}

// announced takes the sizes from a header.
func (c *counter) announced(s *Size) {
	number := func(i int) uint64 {
		if i >= len(c.header) {
			return 0
		}
		x, _ := strconv.ParseUint(c.header[i], 10, 64)
		return x
	}
	s.How, s.Certainty = "by the header of the file", Exact
	switch c.format {
	case "matrixmarket":
		s.Vertices, s.Arcs = number(0), number(2)
		if len(c.banner) == 5 {
			s.Directed = !strings.EqualFold(c.banner[4], "symmetric")
			if !s.Directed {
				s.Certainty = AtMost // an entry on the diagonal is one arc
			}
			if !strings.EqualFold(c.banner[3], "pattern") {
				s.Weights = graph.Float32
			}
		}
	case "ligra":
		s.Vertices, s.Arcs = number(1), number(2)
		if slices.Contains(c.header, "WeightedAdjacencyGraph") {
			s.Weights = graph.Float32
		}
	case "dimacs":
		s.Vertices, s.Arcs, s.Weights = number(2), number(3), graph.Float32
	case "metis":
		s.Vertices, s.Arcs, s.Directed = number(0), number(1), false
		if len(c.header) > 2 && strings.HasSuffix(c.header[2], "1") {
			s.Weights = graph.Float32
		}
	}
}
