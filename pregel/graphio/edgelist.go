package graphio

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"gopregel/pregel/graph"
)

// The edge lists: a source, a target and perhaps a weight on each line.
func plainDialect() dialect { return newDialect(" \t", ",", "#%") }

func csvDialect() dialect {
	d := newDialect(" \t", ",", "#%")
	d.header, d.quotes = true, true
	return d
}

func tsvDialect() dialect {
	d := newDialect(" ", "\t", "#%")
	d.header = true
	return d
}

func readEdgeList(ctx context.Context, r *request) (*graph.Graph, error) {
	return r.edgeList(ctx, plainDialect(), VerticesEndpoints)
}

func readEL(ctx context.Context, r *request) (*graph.Graph, error) {
	return r.edgeList(ctx, plainDialect(), VerticesRange)
}

func readCSV(ctx context.Context, r *request) (*graph.Graph, error) {
	return r.edgeList(ctx, csvDialect(), VerticesEndpoints)
}

func readTSV(ctx context.Context, r *request) (*graph.Graph, error) {
	return r.edgeList(ctx, tsvDialect(), VerticesEndpoints)
}

func (r *request) edgeList(ctx context.Context, d dialect, byFormat VertexSet) (*graph.Graph, error) {
	t, err := r.open(r.path, passes)
	if err != nil {
		return nil, err
	}
	names := r.newNames()
	c, err := r.census(t, names, byFormat)
	if err != nil {
		return nil, err
	}
	return r.edges(ctx, t, d, names, "", c, r.directed(true))
}

// edges reads a list of edges from the first line on.
func (r *request) edges(ctx context.Context, t *text, d dialect, names *nameTable, weightType string, c census, directed bool) (*graph.Graph, error) {
	d.spaced = names != nil && d.header
	p := &edgeParser{dialect: d, highest: maxID, names: names}
	if err := r.firstEdge(t, p); err != nil {
		return nil, err
	}
	mode, err := r.mode(t, p.columns == 3, weightType)
	if err != nil {
		return nil, err
	}
	return r.run(ctx, job{text: t, parser: p, mode: mode, census: c, directed: directed, named: names != nil})
}

// firstEdge reads lines up to the first edge, which tells the number of
// columns, and leaves the text before it.
func (r *request) firstEdge(t *text, p *edgeParser) error {
	header := p.header
	for {
		line, err := t.line()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		fields, problem := p.fields(line, nil, 4)
		if problem != "" {
			return t.fail("%s", problem)
		}
		if fields == nil {
			continue
		}
		if header && isHeader(fields, p.names != nil) {
			header = false
			continue
		}
		p.columns = len(fields)
		p.as = fmt.Sprintf(" as on line %d", t.lines)
		if p.columns >= 2 && !r.parsesWeights() {
			p.columns = 0
		}
		if p.columns == 1 || p.columns > 3 {
			return r.badFirstEdge(t, p, fields)
		}
		t.unread()
		return nil
	}
}

// badFirstEdge words the error of a first line that is no edge.
func (r *request) badFirstEdge(t *text, p *edgeParser, fields [][]byte) error {
	if _, problem := p.id(fields[0], &batch{}); problem != "" {
		return t.fail("%s", problem)
	}
	if len(fields) == 1 {
		return t.fail("1 column, want 2 (source, target) or 3 (source, target, weight)")
	}
	return t.fail("more than 3 columns, want 2 (source, target) or 3 (source, target, weight); `weights: none` reads the first two of any number")
}

// isHeader tells whether the first line names the columns. Among numbers it
// does if neither of its first two fields is one. Among names nothing tells a
// column's name from a vertex's, so these must be such that tools write.
func isHeader(fields [][]byte, names bool) bool {
	if len(fields) < 2 {
		return false
	}
	if !names {
		return hasLetter(fields[0]) && hasLetter(fields[1])
	}
	pair := strings.ToLower(string(fields[0]) + "," + string(fields[1]))
	return slices.Contains(headers, pair)
}

var headers = []string{
	"source,target", "src,dst", "from,to", "fromnodeid,tonodeid", "source_id,target_id", "src_id,dst_id",
	"node1,node2", "node_1,node_2", "id1,id2", "id_1,id_2", "node_id_1,node_id_2",
}

func hasLetter(field []byte) bool {
	return bytes.ContainsFunc(field, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' || r > 0x7f })
}
