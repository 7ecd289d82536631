package command

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"gopregel/cmd/pregel/diff"
	"gopregel/pregel/graph"
)

// A diffReport is what diff prints as JSON.
type diffReport struct {
	Engines    [2]string     `json:"engines"`
	Equal      bool          `json:"equal"`
	Lockstep   bool          `json:"lockstep"` // false: only the answers are compared
	Supersteps int           `json:"supersteps"`
	Superstep  *int          `json:"superstep"` // after which they differ, from 0
	Vertex     *string       `json:"vertex"`    // null: the difference is of no vertex
	What       string        `json:"what"`
	Columns    []diffColumn  `json:"columns"`
	Messages   []diffMessage `json:"messages"`

	reference string // the engine whose values before and messages are shown
}

type diffColumn struct {
	Name   string    `json:"name"`
	Values [2]string `json:"values"`
	ULPs   *uint64   `json:"ulps"` // of floats
	Before string    `json:"before,omitempty"`
	Differ bool      `json:"differ"`
}

type diffMessage struct {
	Source  string   `json:"source"`
	Weight  float64  `json:"weight"`
	Values  []string `json:"values"`
	Awake   string   `json:"awake"`
	Message string   `json:"message"`
}

// report prints what was found and writes the test.
func (d *comparison) report(ctx context.Context, path string, f *diff.Finding) error {
	q := &d.question
	r := diffReport{Engines: [2]string{q.Sides[0].Name, q.Sides[1].Name}, Equal: f.Difference == nil, Lockstep: !q.All, Supersteps: f.Supersteps}
	r.reference = r.Engines[q.Reference()]
	var err error
	if f.Difference != nil {
		if err := r.describe(ctx, q, f.Difference); err != nil {
			return err
		}
	}
	if d.json {
		err = writeJSON(d.app.out, r)
	} else {
		err = r.write(d.app.out, f)
	}
	if err != nil || f.Difference == nil {
		return err
	}
	if d.test != "" {
		if err := d.emit(ctx, path, f.Difference); err != nil {
			return fmt.Errorf("--emit-test: %w", err)
		}
	}
	return &exit{exitCertificate, fmt.Errorf("%s and %s differ", r.Engines[0], r.Engines[1])}
}

func (r *diffReport) describe(ctx context.Context, q *diff.Question, d *diff.Difference) error {
	ids := q.Graph.IDs()
	r.What = d.What
	if d.Superstep >= 0 {
		r.Superstep = &d.Superstep
	}
	if d.Row < 0 {
		return nil
	}
	text := rowName(q.Graph, d)
	r.Vertex = &text
	for i, c := range d.Cells {
		column := diffColumn{Name: c.Column, Values: [2]string{c.Text(0, ids), c.Text(1, ids)}, Differ: c.Differ}
		if c.Kind == diff.Float {
			column.ULPs = &c.ULPs
		}
		if i < len(d.Before) {
			column.Before = d.Before[i].Text(0, ids)
		}
		r.Columns = append(r.Columns, column)
	}
	messages, err := q.Messages(ctx, d)
	for _, m := range messages {
		one := diffMessage{Source: ids.Text(m.Source), Weight: m.Weight, Awake: m.Awake.String(), Message: m.Sent, Values: []string{}}
		for _, c := range m.Values {
			one.Values = append(one.Values, c.Text(0, ids))
		}
		r.Messages = append(r.Messages, one)
	}
	return err
}

// rowName is the vertex of a row, or its number in a table of other things.
func rowName(g *graph.Graph, d *diff.Difference) string {
	if d.Row < g.N() && d.Superstep >= 0 {
		return g.IDs().Text(uint32(d.Row))
	}
	return fmt.Sprint(d.Row)
}

const mostMessages = 20

func (r *diffReport) write(w io.Writer, f *diff.Finding) error {
	a, b := r.Engines[0], r.Engines[1]
	if r.Equal {
		what := "after each superstep"
		if !r.Lockstep {
			what = "in their answers; supersteps were not compared"
		}
		_, err := fmt.Fprintf(w, "%s and %s agree %s: %s, %s\n", a, b, what, stopText(f.Stops[0]), plural(f.Rows, "row"))
		return err
	}
	when := "in their answers"
	if r.Superstep != nil {
		when = fmt.Sprintf("after superstep %d", *r.Superstep)
	}
	if r.Vertex == nil {
		_, err := fmt.Fprintf(w, "%s and %s differ %s: %s\n", a, b, when, r.What)
		return err
	}
	at := "vertex"
	if r.Superstep == nil {
		at = "row"
	}
	fmt.Fprintf(w, "%s and %s differ %s, first at %s %s\n\n", a, b, when, at, *r.Vertex)
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(out, "column\tbefore\t%s\t%s\tULPs\t\n", a, b)
	for _, c := range r.Columns {
		ulps, mark := "", ""
		if c.ULPs != nil {
			ulps = fmt.Sprint(*c.ULPs)
		}
		if c.Differ {
			mark = "differs"
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\n", c.Name, dash(c.Before), c.Values[0], c.Values[1], ulps, mark)
	}
	if len(r.Messages) > 0 {
		r.writeMessages(out)
	}
	return out.Flush()
}

func dash(text string) string {
	if text == "" {
		return "?"
	}
	return text
}

// writeMessages lists the neighbours that messages come from, those awake
// first.
func (r *diffReport) writeMessages(out io.Writer) {
	list := slices.Clone(r.Messages)
	slices.SortStableFunc(list, func(a, b diffMessage) int { return strings.Compare(b.Awake, a.Awake) })
	fmt.Fprintf(out, "\nwhat came from its %s in superstep %d, by the values of %s before it\n", plural(len(list), "neighbour"), *r.Superstep, r.reference)
	names := make([]string, len(r.Columns))
	for i, c := range r.Columns {
		names[i] = c.Name
	}
	fmt.Fprintf(out, "from\tweight\tawake\tmessage\t%s\n", strings.Join(names, "\t"))
	for i, m := range list {
		if i == mostMessages {
			fmt.Fprintf(out, "… and %d more\n", len(list)-i)
			break
		}
		fmt.Fprintf(out, "%s\t%g\t%s\t%s\t%s\n", m.Source, m.Weight, m.Awake, dash(m.Message), strings.Join(m.Values, "\t"))
	}
}
