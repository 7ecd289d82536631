package graphio

import (
	"bytes"
	"context"

	"gopregel/pregel/graph"
)

// A Ligra file is the rows of a graph: the word AdjacencyGraph, n, m, the n
// offsets of the rows, the m targets, from 0 on; behind the word
// WeightedAdjacencyGraph m weights follow. Between two of them there are line
// ends or blanks. Read as undirected, each edge must stand at both its ends;
// the file says nothing of that, and is read as directed.
// J. Shun, G. Blelloch, "Ligra", PPoPP 2013; the same in PBBS and GBBS.
//
// Method: what a number is, its place among all tells, so the numbers before a
// block must be counted. A plain file is gone through twice by all workers, to
// count and to place; a stream once by one, in order, with columns that grow.
// Cost: beside the graph an offset for each vertex, 4 bytes an arc, 8 a weight.
func readLigra(ctx context.Context, r *request) (*graph.Graph, error) {
	if err := r.numbered("Ligra", "0 to n-1"); err != nil {
		return nil, err
	}
	t, err := r.open(r.path, 2)
	if err != nil {
		return nil, err
	}
	t.maxLine = maxList
	h, err := r.ligraHeader(t)
	if err != nil {
		return nil, err
	}
	mode, err := r.mode(t, h.weighted, "")
	if err != nil {
		return nil, err
	}
	rows := &rowColumns{text: t, header: h, mode: mode}
	if err := rows.read(ctx, r.Workers); err != nil {
		return nil, err
	}
	csr, err := rows.csr()
	if err != nil {
		return nil, err
	}
	o := graph.Options{Directed: true, Loops: r.Loops, Duplicates: r.Duplicates, Workers: r.Workers}
	g, err := graph.Build(ctx, graph.RangeIDs(0, int(h.n)), rowSource{csr}, o)
	if err != nil {
		return nil, t.inFile(err)
	}
	if r.Directed == Undirected {
		return undirect(t.path, g)
	}
	return g, nil
}

const (
	ligraWord         = "AdjacencyGraph"
	weightedLigraWord = "WeightedAdjacencyGraph"
)

type ligraHeader struct {
	weighted bool
	n, m     uint64
}

// numbers is how many must follow the header.
func (h ligraHeader) numbers() uint64 {
	if h.weighted {
		return h.n + 2*h.m
	}
	return h.n + h.m
}

func (r *request) ligraHeader(t *text) (h ligraHeader, err error) {
	word, err := t.word("the word " + ligraWord + " or " + weightedLigraWord)
	if err != nil {
		return h, err
	}
	h.weighted = string(word) == weightedLigraWord
	if !h.weighted && string(word) != ligraWord {
		return h, t.fail("the file begins with %s, want %s or %s", excerpt(word), ligraWord, weightedLigraWord)
	}
	for i, what := range []string{"the number of vertices", "the number of arcs"} {
		if word, err = t.word(what); err != nil {
			return h, err
		}
		size, err := t.counts([][]byte{word})
		if err != nil {
			return h, err
		}
		*[]*uint64{&h.n, &h.m}[i] = size[0]
	}
	return h, r.checkCounts(t, h.n, h.m)
}

// word returns the next characters between blanks and line ends, and leaves
// the text behind them. At the end of the file it is an error that a word with
// the given content is missing.
func (t *text) word(want string) ([]byte, error) {
	line, err := t.headerLine("", want)
	if err != nil {
		return nil, err
	}
	fields := bytes.Fields(line)
	word := bytes.Clone(fields[0])
	if len(fields) > 1 {
		t.last = t.last[bytes.Index(t.last, word)+len(word):]
		t.unread()
	}
	return word, nil
}
