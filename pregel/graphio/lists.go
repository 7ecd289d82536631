package graphio

import (
	"bytes"
	"fmt"
	"slices"
)

// A listParser parses adjacency lists: each line is the neighbours of a
// vertex. In METIS files the vertex is the number of the line, which a block
// does not know; u then counts from 1 in each block, and the source adds what
// was before. In the adjacency form the vertex is the first number.
type listParser struct {
	comments string
	heads    bool   // the line begins with the vertex
	skip     int    // numbers before the neighbours that are not looked at
	weighted bool   // each neighbour is followed by the weight
	lowest   uint64 // ids are from lowest
	highest  uint64 // to highest
	names    *nameTable
	mode     weightMode
}

func (p listParser) withWeights(mode weightMode) parser {
	p.mode = mode
	return &p
}

func (p *listParser) parse(text []byte, to *batch) *fault {
	n := len(text)
	to.u, to.v = slices.Grow(to.u, n/2+1), slices.Grow(to.v, n/2+1)
	b := text[:n+textPadding]
	for at := 0; at < n; {
		c := listCursor{listParser: p, b: b, at: at, line: at, to: to}
		if problem := c.list(); problem != "" {
			return &fault{at, problem}
		}
		at = c.at + 1
	}
	return nil
}

// A listCursor reads one line.
type listCursor struct {
	*listParser
	b    []byte
	at   int
	line int // where it begins
	to   *batch
}

// list reads the line and leaves at on its end.
func (c *listCursor) list() (problem string) {
	more := c.next()
	if c.isComment() {
		c.at += bytes.IndexByte(c.b[c.at:], '\n')
		return ""
	}
	var u uint64
	if c.heads {
		if !more {
			return ""
		}
		if u, problem = c.id(); problem != "" {
			return problem
		}
	} else {
		c.to.rows++
		u = uint64(c.to.rows)
		if more {
			c.to.filled = c.to.rows
		} else if c.to.bare == 0 {
			c.to.bare = c.to.rows
		}
	}
	for i := range c.skip {
		if i == 0 && !more {
			return "" // all right behind the last list
		}
		if !c.next() {
			return fmt.Sprintf("%d numbers, want at least %d before the neighbours", i, c.skip)
		}
		if _, problem = parseWeight(c.field()); problem != "" {
			return problem
		}
	}
	return c.neighbours(u)
}

func (c *listCursor) isComment() bool {
	return c.b[c.at] != '\n' && bytes.IndexByte([]byte(c.comments), c.b[c.at]) >= 0
}

func (c *listCursor) neighbours(u uint64) (problem string) {
	first := len(c.to.u)
	for c.next() {
		v, problem := c.id()
		if problem != "" {
			return problem
		}
		if c.weighted {
			if !c.next() {
				return fmt.Sprintf("neighbour %d has no weight", v)
			}
			field := c.field()
			if c.mode != skipWeights {
				if problem := c.to.addWeight(field, c.mode, c.line); problem != "" {
					return problem
				}
			}
		}
		c.to.u, c.to.v = append(c.to.u, u), append(c.to.v, v)
	}
	if c.heads && first == len(c.to.u) {
		c.to.alone = append(c.to.alone, u)
	}
	return ""
}

// next goes to the next field and tells whether there is one on the line.
func (c *listCursor) next() bool {
	for c.b[c.at] == ' ' || c.b[c.at] == '\t' {
		c.at++
	}
	if c.b[c.at] == '\r' && c.b[c.at+1] == '\n' {
		c.at++
	}
	return c.b[c.at] != '\n'
}

// field returns the characters up to the next blank or line end.
func (c *listCursor) field() []byte {
	start := c.at
	for ; !c.atBreak(); c.at++ {
	}
	return c.b[start:c.at]
}

func (c *listCursor) atBreak() bool {
	x := c.b[c.at]
	return x == ' ' || x == '\t' || x == '\n' || x == '\r' && c.b[c.at+1] == '\n'
}

func (c *listCursor) id() (id uint64, problem string) {
	start := c.at
	if c.names != nil {
		field := c.field()
		if problem = checkName(field); problem != "" {
			return 0, problem
		}
		return c.names.number(field, &c.to.names), ""
	}
	id, c.at = number(c.b, start)
	if c.at == start || !c.atBreak() {
		c.at = start
		if id, problem = parseID(c.field()); problem != "" {
			return 0, problem
		}
	}
	if id < c.lowest || id > c.highest {
		return 0, fmt.Sprintf("vertex %d: the vertices of this file are %d to %d", id, c.lowest, c.highest)
	}
	return id, ""
}
