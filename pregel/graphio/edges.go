package graphio

import (
	"bytes"
	"fmt"
	"slices"
)

// A parser turns blocks of text into batches. It is used by several goroutines
// at once, each with a batch of its own.
type parser interface {
	// parse appends what the text, whole lines, says. textPadding bytes behind
	// the text can be read.
	parse(text []byte, to *batch) *fault
	// withWeights returns the parser for another mode of weights.
	withWeights(mode weightMode) parser
}

// An edgeParser parses lines of a source, a target and perhaps a weight.
//
// Nearly all lines of a large file have the same plain form: digits, one
// character, digits, perhaps one character and a weight, line end. fast reads
// those without leaving its loop; any other line goes to line, which knows all
// the rules and words the errors.
type edgeParser struct {
	dialect
	prefix  byte       // each line begins with it and a blank; 0: none
	columns int        // 2 or 3 on each line; 0: two are read and the rest is not looked at
	as      string     // where the number of columns comes from, for errors
	lowest  uint64     // ids are from lowest
	highest uint64     // to highest
	names   *nameTable // ids are strings of it; nil: ids are integers
	mode    weightMode
}

func (p edgeParser) withWeights(mode weightMode) parser {
	p.mode = mode
	return &p
}

func (p *edgeParser) parse(text []byte, to *batch) *fault {
	if p.names == nil {
		to.grow(len(text)/4+1, p.mode)
	}
	for at := 0; at < len(text); {
		if p.names == nil {
			if at = p.fast(text, at, to); at == len(text) {
				return nil
			}
		}
		end := at + bytes.IndexByte(text[at:], '\n')
		if problem := p.line(text[at:end], at, to); problem != "" {
			return &fault{at, problem}
		}
		at = end + 1
	}
	return nil
}

// grow makes room for n more arcs.
func (b *batch) grow(n int, mode weightMode) {
	b.u, b.v = slices.Grow(b.u, n), slices.Grow(b.v, n)
	if mode != skipWeights {
		b.ints, b.floats = slices.Grow(b.ints, n), slices.Grow(b.floats, n)
	}
}

// line parses any line; at is its place in the text.
func (p *edgeParser) line(line []byte, at int, to *batch) (problem string) {
	fields, problem := p.split(line, to)
	if problem != "" || fields == nil {
		return problem
	}
	u, problem := p.id(fields[0], to)
	if problem != "" {
		return problem
	}
	v, problem := p.id(fields[1], to)
	if problem != "" {
		return problem
	}
	if p.columns == 3 && p.mode != skipWeights {
		if problem := to.addWeight(fields[2], p.mode, at); problem != "" {
			return problem
		}
	}
	to.u, to.v = append(to.u, u), append(to.v, v)
	return ""
}

// split cuts a line into its columns and checks their number. It returns nil
// for a line that says nothing.
func (p *edgeParser) split(line []byte, to *batch) (_ [][]byte, problem string) {
	limit := 4
	if p.columns == 0 {
		limit = 2
	}
	if p.prefix != 0 {
		limit++
	}
	fields, problem := p.fields(line, to.fields[:0], limit)
	to.fields = fields
	if problem != "" || fields == nil {
		return nil, problem
	}
	if p.prefix != 0 {
		if string(fields[0]) != string(p.prefix) {
			return nil, fmt.Sprintf("line begins with %s, want %q for an arc or %q for a comment", excerpt(fields[0]), p.prefix, p.comments)
		}
		fields = fields[1:]
	}
	if want := max(p.columns, 2); len(fields) != want {
		return nil, columnProblem(len(fields), want) + p.as
	}
	return fields, ""
}

func columnProblem(found, want int) string {
	what := "2 columns (source, target)"
	if want == 3 {
		what = "3 columns (source, target, weight)"
	}
	switch {
	case found > 3:
		return "more than 3 columns, want " + what
	case found == 1:
		return "1 column, want " + what
	}
	return fmt.Sprintf("%d columns, want %s", found, what)
}

func (p *edgeParser) id(field []byte, to *batch) (id uint64, problem string) {
	if p.names != nil {
		if problem := checkName(field); problem != "" {
			return 0, problem
		}
		return p.names.number(field, &to.names), ""
	}
	id, problem = parseID(field)
	if problem == "" && (id < p.lowest || id > p.highest) {
		problem = fmt.Sprintf("vertex %d: the vertices of this file are %d to %d", id, p.lowest, p.highest)
	}
	return id, problem
}
