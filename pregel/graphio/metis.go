package graphio

import (
	"bytes"
	"context"
	"io"
	"strings"

	"gopregel/pregel/graph"
)

// A METIS file begins with "n m [fmt [ncon]]"; then line u lists the
// neighbours of vertex u. fmt is up to three digits: there are vertex sizes,
// vertex weights (ncon of them), edge weights. Sizes and weights of vertices
// are read over. The graph is undirected, each edge stands in both lists and
// once in m; read as directed, each entry is an arc, and m counts them.
// G. Karypis, "METIS manual 5.1.0", section 4.1.
func readMETIS(ctx context.Context, r *request) (*graph.Graph, error) {
	if err := r.numbered("METIS", "1 to n"); err != nil {
		return nil, err
	}
	t, err := r.open(r.path, passes)
	if err != nil {
		return nil, err
	}
	t.maxLine = maxList
	h, err := r.metisHeader(ctx, t)
	if err != nil {
		return nil, err
	}
	mode, err := r.mode(t, h.weighted, "")
	if err != nil {
		return nil, err
	}
	p := &listParser{comments: "%", skip: h.skip, weighted: h.weighted, lowest: 1, highest: h.n}
	s, ids, err := r.pass(ctx, job{text: t, parser: p, mode: mode, census: headerCensus{h.n}})
	if err != nil {
		return nil, err
	}
	if err := r.checkLists(t, s, h); err != nil {
		return nil, err
	}
	s.countLoops = true
	g, err := r.build(ctx, s, ids, true)
	if err != nil || r.Directed == Directed {
		return g, err
	}
	entries := uint64(s.arcs)
	if entries != 2*h.m && entries+uint64(s.loops.Load()) != 2*h.m {
		return nil, h.wrongEdges(t, entries)
	}
	return undirect(t.path, g)
}

type metisHeader struct {
	n, m     uint64
	skip     int // numbers before the neighbours
	weighted bool
}

func (r *request) metisHeader(ctx context.Context, t *text) (h metisHeader, err error) {
	line, err := t.headerLine("%", "the header (vertices, edges)")
	if err != nil {
		return h, err
	}
	fields := bytes.Fields(line)
	if len(fields) < 2 || len(fields) > 4 {
		return h, t.fail("%d numbers in the header, want 2 to 4 (vertices, edges, fmt, ncon)", len(fields))
	}
	size, err := t.counts(fields)
	if err != nil {
		return h, err
	}
	h.n, h.m = size[0], size[1]
	if err := r.checkHeaderSize(t, h.n, h.m); err != nil {
		return h, err
	}
	if len(fields) < 3 {
		return h, nil
	}
	flags := "000" + string(fields[2])
	flags = flags[len(flags)-3:]
	if len(fields[2]) > 3 || strings.Trim(flags, "01") != "" {
		return h, t.fail("fmt %s, want up to three digits of 0 and 1 (vertex sizes, vertex weights, edge weights)", excerpt(fields[2]))
	}
	h.weighted = flags[2] == '1'
	if flags[1] == '1' {
		h.skip = 1
		if len(fields) == 4 {
			if size[3] < 1 || size[3] > 1<<10 {
				return h, t.fail("%d weights for each vertex, want 1 to %d", size[3], 1<<10)
			}
			h.skip = int(size[3])
		}
	}
	if flags[0] == '1' {
		return h, r.vertexSizes(ctx, t, &h)
	}
	return h, nil
}

// vertexSizes decides whether the sizes that fmt announces are there. GAPBS's
// files say 100 and have none: it takes the digit for something else. The
// number of fields in the lists tells: with the sizes it is n greater than
// that of the entries, which are two for each edge, or less where a loop is
// listed once.
func (r *request) vertexSizes(ctx context.Context, t *text, h *metisHeader) error {
	if h.skip > 0 || h.weighted {
		h.skip++
		return nil
	}
	again, err := openText(t.path, r.block, 0, &progress{})
	if err != nil {
		return err
	}
	defer again.close()
	again.maxLine = maxList
	for range t.lines {
		if _, err := again.line(); err != nil {
			return err
		}
	}
	fields, err := again.countFields(ctx)
	if err != nil {
		return err
	}
	entries := 2 * h.m
	if r.Directed == Directed {
		entries = h.m
	}
	if fields > entries {
		h.skip = 1
	}
	return nil
}

// countFields counts the fields of all lines that are no comments.
func (t *text) countFields(ctx context.Context) (fields uint64, err error) {
	for ctx.Err() == nil {
		line, err := t.line()
		if err == io.EOF {
			return fields, nil
		}
		if err != nil {
			return 0, err
		}
		if len(line) > 0 && line[0] != '%' {
			fields += uint64(len(bytes.Fields(line)))
		}
	}
	return 0, ctx.Err()
}

// checkLists compares the lists with the header, before anything is built.
func (r *request) checkLists(t *text, s *source, h metisHeader) error {
	entries := uint64(s.arcs)
	filled, bare := 0, 0
	for _, l := range s.lists {
		if l.filled > 0 {
			filled = l.before + l.filled
		}
		if l.bare > 0 && bare == 0 {
			bare = l.before + l.bare
		}
	}
	switch {
	case uint64(s.rows) < h.n:
		return t.failAll("the header announces %d vertices, the file has lists of %d", h.n, s.rows)
	case uint64(filled) > h.n:
		return t.failAll("the header announces %d vertices, the file has a list for vertex %d", h.n, filled)
	case h.skip > 0 && bare > 0 && uint64(bare) <= h.n:
		return t.failAll("the line of vertex %d is empty, want at least %d numbers before the neighbours", bare, h.skip)
	case r.Directed == Directed && entries != h.m:
		return t.failAll("the header announces %d arcs, the lists have %d", h.m, entries)
	case r.Directed != Directed && (entries > 2*h.m || entries < h.m):
		return t.failAll("the header announces %d edges, which is %d entries, as each edge stands in two lists; the lists have %d", h.m, 2*h.m, entries)
	}
	return nil
}

func (h metisHeader) wrongEdges(t *text, entries uint64) error {
	advice := ""
	if entries == h.m {
		advice = "; if they are the arcs of a directed graph say `directed: true`"
	}
	return t.failAll("the header announces %d edges, which is %d entries, as each edge stands in two lists; the lists have %d%s", h.m, 2*h.m, entries, advice)
}
