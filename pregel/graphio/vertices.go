package graphio

import "bytes"

// A vertexParser parses lines that begin with an id. Properties of the vertex
// may follow and are not looked at.
type vertexParser struct {
	dialect
	names *nameTable
}

func (p vertexParser) withWeights(weightMode) parser { return &p }

func (p *vertexParser) parse(text []byte, to *batch) *fault {
	ids := edgeParser{names: p.names, highest: maxID}
	for at := 0; at < len(text); {
		end := at + bytes.IndexByte(text[at:], '\n')
		fields, problem := p.fields(text[at:end], to.fields[:0], 1)
		to.fields = fields
		if problem == "" && len(fields) > 0 {
			var id uint64
			id, problem = ids.id(fields[0], to)
			to.alone = append(to.alone, id)
		}
		if problem != "" {
			return &fault{at, problem}
		}
		at = end + 1
	}
	return nil
}
