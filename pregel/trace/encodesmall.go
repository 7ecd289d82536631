package trace

import (
	"errors"
	"fmt"
	"strconv"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// This file writes programs, small graphs and their answers as text, without their records: to
// make those, and to have them written by reflection, takes longer than such a run.

// A wholeGraph is a small graph, and written as its record is (graphOf).
type wholeGraph struct{ *graph.Graph }

func (wholeGraph) kind() string { return "graph" }

func (g wholeGraph) check(s *state) error {
	switch n := s.header.Graph.Vertices; {
	case s.graph:
		return errors.New("a second record of kind graph")
	case g.N() != n:
		return fmt.Errorf("ids: found %d, want one for each of the %d vertices", g.N(), n)
	}
	s.graph = true
	return nil
}

func appendGraph(to []byte, g *graph.Graph) []byte {
	ids := g.IDs()
	to = append(to, `{"kind":"graph","ids":[`...)
	for v := range uint32(g.N()) {
		to = appendID(appendComma(to, int(v)), ids, v)
	}
	list := func(key string, f func(to []byte, u, v uint32, at uint64) []byte) {
		to = append(append(to, key...), '[')
		first := len(to)
		eachEdge(g, func(u, v uint32, at uint64) { to = f(appendComma(to, len(to)-first), u, v, at) })
		to = append(to, ']')
	}
	to = append(to, ']')
	list(`,"sources":`, func(to []byte, u, _ uint32, _ uint64) []byte { return appendNumber(to, uint64(u)) })
	list(`,"targets":`, func(to []byte, _, v uint32, _ uint64) []byte { return appendNumber(to, uint64(v)) })
	switch w := g.Out().Weights; g.Weighted() {
	case graph.Unweighted:
		to = append(to, `,"weights":null`...)
	case graph.Int32:
		list(`,"weights":`, func(to []byte, _, _ uint32, at uint64) []byte { return appendSmall(to, int64(w.Int[at])) })
	default:
		list(`,"weights":`, func(to []byte, _, _ uint32, at uint64) []byte { return appendFloat(to, w.At(at), 64) })
	}
	return append(to, '}', '\n')
}

// An answered stop is written with the rows of a table (rowsOf).
type answered struct {
	*Stop
	table *pregel.Table
	ids   graph.IDs
}

// encodeAnswered appends the stop record as a line; its Answer, which it does not have
// itself, is its last key.
func encodeAnswered(to []byte, a answered) ([]byte, error) {
	const none = `null}` + "\n"
	to, err := encode(to, a.Stop)
	if err != nil {
		return nil, err
	}
	return append(appendRows(to[:len(to)-len(none)], a.table, a.ids), '}', '\n'), nil
}

func appendRows(to []byte, t *pregel.Table, ids graph.IDs) []byte {
	to = append(to, '[')
	for i := range t.Rows() {
		to = append(appendComma(to, i), '[')
		if t.PerVertex {
			to = appendID(to, ids, uint32(i))
		}
		for k, c := range t.Columns {
			if k > 0 || t.PerVertex {
				to = append(to, ',')
			}
			to = appendCell(to, &c, i, ids)
		}
		to = append(to, ']')
	}
	return append(to, ']')
}

// appendCell writes what cell gives.
func appendCell(to []byte, c *pregel.Column, i int, ids graph.IDs) []byte {
	switch {
	case c.Empty(i):
		return append(to, "null"...)
	case c.Vertices != nil:
		return appendID(to, ids, c.Vertices[i])
	case c.Counts != nil:
		return appendNumber(to, uint64(c.Counts[i]))
	case c.Ints != nil:
		return strconv.AppendInt(to, c.Ints[i], 10)
	}
	return appendFloat(to, c.Floats[i], 64)
}

// appendID writes the id of a vertex as a string.
func appendID(to []byte, ids graph.IDs, v uint32) []byte {
	from := len(to)
	to = ids.Append(append(to, '"'), v)
	if text := to[from+1:]; !plain(text) {
		return appendString(to[:from], string(text))
	}
	return append(to, '"')
}

// appendProgram writes a program as package json does, which takes some 30 µs for the
// first one of a process, while the run waits.
func appendProgram(to []byte, p *Program) []byte {
	to = appendText(to, `{"kind":"program","program":`, p.Program)
	to = strconv.AppendInt(append(to, `,"superstep":`...), int64(p.Superstep), 10)
	to = appendTexts(append(to, `,"columns":`...), p.Columns)
	to = appendTexts(append(to, `,"vertices":`...), p.Vertices)
	to = appendTold(to, `,"message":`, p.Message)
	if len(p.MessageVertices) > 0 {
		to = appendTexts(append(to, `,"message_vertices":`...), p.MessageVertices)
	}
	if len(p.Aggregates) > 0 {
		to = appendTexts(append(to, `,"aggregates":`...), p.Aggregates)
	}
	to = appendText(to, `,"combine":`, p.Combine)
	to = appendTold(appendTold(to, `,"edge":`, p.Edge), `,"along":`, p.Along)
	to = appendFlag(to, `,"silent":true`, p.Silent)
	return append(to, '}', '\n')
}

// appendTold writes a text, unless there is none.
func appendTold(to []byte, key, text string) []byte {
	if text == "" {
		return to
	}
	return appendText(to, key, text)
}

// appendTexts writes a list; none is null.
func appendTexts(to []byte, list []string) []byte {
	if list == nil {
		return append(to, "null"...)
	}
	to = append(to, '[')
	for i, text := range list {
		to = appendString(appendComma(to, i), text)
	}
	return append(to, ']')
}
