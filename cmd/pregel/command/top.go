package command

import (
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"gopregel/cmd/pregel/output"
	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// A topTable is the rows of an answer that are shown.
type topTable struct {
	ids   graph.IDs
	table pregel.Table // with the ids as its first column
	all   bool         // it has all rows
}

func tableRows(t *pregel.Table, g *graph.Graph) int {
	if t.PerVertex {
		return g.N()
	}
	return t.Rows()
}

// topRows takes at most n rows: those with the greatest numbers in the first
// column, where it holds numbers; else the first.
func topRows(g *graph.Graph, t *pregel.Table, n int) *topTable {
	total := tableRows(t, g)
	var rows []int
	if len(t.Columns) > 0 && t.Columns[0].Vertices == nil {
		rows = greatest(t.Columns[0], n)
	} else {
		for i := range min(n, total) {
			rows = append(rows, i)
		}
	}
	top := &topTable{ids: g.IDs(), all: len(rows) == total}
	if t.PerVertex {
		ids := make([]uint32, len(rows))
		for i, row := range rows {
			ids[i] = uint32(row)
		}
		top.table.Columns = append(top.table.Columns, pregel.Column{Name: "id", Vertices: ids})
	}
	for _, c := range t.Columns {
		top.table.Columns = append(top.table.Columns, pick(c, rows))
	}
	return top
}

// pick returns some rows of a column.
func pick(c pregel.Column, rows []int) pregel.Column {
	return pregel.Column{
		Name: c.Name, Vertices: pickFrom(c.Vertices, rows), Counts: pickFrom(c.Counts, rows),
		Ints: pickFrom(c.Ints, rows), Floats: pickFrom(c.Floats, rows),
	}
}

func pickFrom[T any](list []T, rows []int) []T {
	if list == nil {
		return nil
	}
	picked := make([]T, len(rows))
	for i, row := range rows {
		picked[i] = list[row]
	}
	return picked
}

// rowHeap has the least of the greatest rows on top.
type rowHeap struct {
	rows  []int
	order func(a, b int) int
}

func (h rowHeap) Len() int           { return len(h.rows) }
func (h rowHeap) Less(i, j int) bool { return h.order(h.rows[i], h.rows[j]) > 0 }
func (h rowHeap) Swap(i, j int)      { h.rows[i], h.rows[j] = h.rows[j], h.rows[i] }
func (h *rowHeap) Push(x any)        { h.rows = append(h.rows, x.(int)) }
func (h *rowHeap) Pop() any {
	last := h.rows[len(h.rows)-1]
	h.rows = h.rows[:len(h.rows)-1]
	return last
}

// greatest returns the n rows with the greatest numbers, in descending order,
// least rows first among equals, without rows that hold nothing.
// Cost: O(rows · log n).
func greatest(c pregel.Column, n int) []int {
	h := &rowHeap{order: func(a, b int) int {
		return cmp.Or(-compareCells(c, a, b), cmp.Compare(a, b))
	}}
	for i := range c.Len() {
		switch {
		case c.Empty(i) || n == 0:
		case len(h.rows) < n:
			heap.Push(h, i)
		case h.order(i, h.rows[0]) < 0:
			h.rows[0] = i
			heap.Fix(h, 0)
		}
	}
	slices.SortFunc(h.rows, h.order)
	return h.rows
}

func compareCells(c pregel.Column, a, b int) int {
	switch {
	case c.Counts != nil:
		return cmp.Compare(c.Counts[a], c.Counts[b])
	case c.Ints != nil:
		return cmp.Compare(c.Ints[a], c.Ints[b])
	}
	return cmp.Compare(c.Floats[a], c.Floats[b])
}

// json writes the rows as a list of objects.
func (t *topTable) json() (json.RawMessage, error) {
	var b bytes.Buffer
	if err := output.Encode(context.Background(), &b, output.NDJSON, t.ids, &t.table); err != nil {
		return nil, err
	}
	lines := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	return json.RawMessage("[" + string(bytes.ReplaceAll(lines, []byte("}\n{"), []byte("},{"))) + "]"), nil
}

// text writes the rows as a table, floats to six digits.
func (t *topTable) text(w io.Writer) error {
	rows := t.table.Rows()
	if rows == 0 {
		return nil
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	names := make([]string, len(t.table.Columns))
	for k, c := range t.table.Columns {
		names[k] = c.Name
	}
	fmt.Fprintf(out, "\n%s\t\n", strings.Join(names, "\t"))
	for i := range rows {
		for _, c := range t.table.Columns {
			fmt.Fprintf(out, "%s\t", t.cell(c, i))
		}
		fmt.Fprintln(out)
	}
	if !t.all {
		fmt.Fprintln(out, "…")
	}
	return out.Flush()
}

func (t *topTable) cell(c pregel.Column, i int) string {
	switch {
	case c.Empty(i):
		return "-"
	case c.Vertices != nil:
		return t.ids.Text(c.Vertices[i])
	case c.Counts != nil:
		return fmt.Sprint(c.Counts[i])
	case c.Ints != nil:
		return fmt.Sprint(c.Ints[i])
	}
	return strconv.FormatFloat(c.Floats[i], 'g', 6, 64)
}
