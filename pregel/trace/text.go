package trace

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Nothing is how null is shown.
const Nothing = "-"

// Text shows a value as its program has it: "depth 3, parent 33", "rank 0.1".
func (r *Run) Text(p *Program, v Value) string {
	if p == nil {
		p = &Program{}
	}
	fields := fieldsOf(v)
	if fields == nil {
		text := r.scalar(v, len(p.Vertices) > 0)
		if len(p.Columns) == 1 {
			text = p.Columns[0] + " " + text
		}
		return text
	}
	return r.fields(fields, p.Vertices)
}

// AggregateText shows the aggregates of a superstep, by their names where those are
// known; "" if it has none.
func (r *Run) AggregateText(s *Superstep) string {
	var names []string
	if p := r.ProgramAt(s.Superstep); p != nil {
		names = p.Aggregates
	}
	words := make([]string, len(s.Aggregates))
	for i, x := range s.Aggregates {
		words[i] = r.Text(nil, x)
		if len(names) == len(words) {
			words[i] = names[i] + " " + words[i]
		}
	}
	return strings.Join(words, ", ")
}

// MessageText shows a message.
func (r *Run) MessageText(p *Program, m Value) string {
	if p == nil {
		p = &Program{}
	}
	if fields := fieldsOf(m); fields != nil {
		return r.fields(fields, p.MessageVertices)
	}
	return r.scalar(m, p.Message != "")
}

// fields shows those of a struct, some of which name vertices.
func (r *Run) fields(list []field, vertices []string) string {
	words := make([]string, len(list))
	for i, f := range list {
		words[i] = f.name + " " + r.scalar(f.value, slices.Contains(vertices, f.name))
	}
	return strings.Join(words, ", ")
}

// scalar shows a number, a vertex by its id.
func (r *Run) scalar(v Value, vertex bool) string {
	text := string(v)
	if text == "null" || text == "" {
		return Nothing
	}
	if n, err := strconv.ParseUint(text, 10, 32); vertex && err == nil {
		return r.ID(uint32(n))
	}
	if n, ok := Number(v); ok && strings.ContainsAny(text, ".e") {
		return strconv.FormatFloat(n, 'g', 6, 64)
	}
	return strings.Trim(text, `"`)
}

type field struct {
	name  string
	value Value
}

// fieldsOf takes an object apart, in its order; nil if it is none.
func fieldsOf(v Value) []field {
	if len(v) == 0 || v[0] != '{' {
		return nil
	}
	in := json.NewDecoder(strings.NewReader(string(v)))
	if _, err := in.Token(); err != nil {
		return nil
	}
	list := []field{}
	for in.More() {
		name, err := in.Token()
		var value Value
		if err != nil || in.Decode(&value) != nil {
			return nil
		}
		list = append(list, field{name.(string), value})
	}
	return list
}

// Weight returns the weight of the arc from u to v, and false if there is none, or
// there are several that differ.
func (r *Run) Weight(u, v uint32) (weight float64, ok bool) {
	g := r.Graph
	if g == nil || g.Weights == nil {
		return 0, false
	}
	for i, s := range g.Sources {
		t := g.Targets[i]
		if !(s == u && t == v || !r.Header.Graph.Directed && s == v && t == u) {
			continue
		}
		if ok && g.Weights[i] != weight {
			return 0, false
		}
		weight, ok = g.Weights[i], true
	}
	return weight, ok
}
