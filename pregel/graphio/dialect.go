package graphio

import (
	"bytes"
	"fmt"
	"math"
	"strings"
)

const maxID = math.MaxUint64

// The classes of characters in a line of fields.
const (
	inField  uint8 = iota
	blank          // any number of them part two fields
	splitter       // at most one of them parts two fields, with blanks around it
)

// A dialect is how a format writes lines of fields.
type dialect struct {
	class    [256]uint8
	comments string // a line that begins with one of these says nothing
	header   bool   // the first line may name the columns
	quotes   bool   // fields may stand in double quotes
	spaced   bool   // blanks may stand within a field: only splitters part
}

func newDialect(blanks, splitters, comments string) dialect {
	d := dialect{comments: comments}
	for _, c := range []byte(blanks) {
		d.class[c] = blank
	}
	for _, c := range []byte(splitters) {
		d.class[c] = splitter
	}
	return d
}

// fields cuts a line into at most limit fields, and no further. It returns nil
// for a blank line or a comment.
func (d *dialect) fields(line []byte, to [][]byte, limit int) (_ [][]byte, problem string) {
	line = d.trim(trimLineEnd(line))
	if len(line) == 0 || strings.IndexByte(d.comments, line[0]) >= 0 {
		return nil, ""
	}
	for {
		field, rest, problem := d.field(line)
		if problem != "" {
			return to, problem
		}
		to = append(to, field)
		if len(field) == 0 {
			return to, fmt.Sprintf("column %d is empty", len(to))
		}
		if rest == nil || len(to) == limit {
			return to, ""
		}
		line = rest
	}
}

// trim takes blanks off both ends.
func (d *dialect) trim(line []byte) []byte {
	for len(line) > 0 && d.class[line[0]] == blank {
		line = line[1:]
	}
	for len(line) > 0 && d.class[line[len(line)-1]] == blank {
		line = line[:len(line)-1]
	}
	return line
}

// field returns the first field of a trimmed line and what follows it, nil at
// the end of the line.
func (d *dialect) field(line []byte) (field, rest []byte, problem string) {
	if d.quotes && len(line) > 0 && line[0] == '"' {
		return d.quoted(line)
	}
	end := 0
	for end < len(line) && (d.class[line[end]] == inField || d.spaced && d.class[line[end]] == blank) {
		end++
	}
	rest, _ = d.gap(line[end:])
	return d.trim(line[:end]), rest, ""
}

// gap skips what parts two fields. ok is false at the end of the line and
// where there is nothing to skip.
func (d *dialect) gap(line []byte) (rest []byte, ok bool) {
	if len(line) == 0 {
		return nil, false
	}
	for i, split := 0, false; ; i++ {
		if i == len(line) {
			return line[i:], i > 0
		}
		c := d.class[line[i]]
		if c == inField || c == splitter && split {
			return line[i:], i > 0
		}
		split = split || c == splitter
	}
}

// quoted returns a field in double quotes; two of them stand for one.
func (d *dialect) quoted(line []byte) (field, rest []byte, problem string) {
	end := 1
	for {
		i := bytes.IndexByte(line[end:], '"')
		if i < 0 {
			return nil, nil, fmt.Sprintf("the double quote of %s is not closed on its line", excerpt(line))
		}
		end += i + 1
		if end == len(line) || line[end] != '"' {
			break
		}
		end++
	}
	field = bytes.ReplaceAll(line[1:end-1], []byte(`""`), []byte(`"`))
	rest, ok := d.gap(line[end:])
	if !ok && end < len(line) {
		return nil, nil, fmt.Sprintf("characters behind the closing quote of %s", excerpt(line))
	}
	return field, rest, ""
}

// parseID parses a non-negative integer of up to 64 bits.
func parseID(field []byte) (id uint64, problem string) {
	for _, c := range field {
		digit := uint64(c - '0')
		if digit > 9 {
			return 0, idProblem(field)
		}
		if id > math.MaxUint64/10 || id*10 > math.MaxUint64-digit {
			return 0, fmt.Sprintf("id %s is beyond 64 bits (0 to %d)", excerpt(field), uint64(math.MaxUint64))
		}
		id = id*10 + digit
	}
	return id, ""
}

func idProblem(field []byte) string {
	if _, whole := parseWhole(field); whole {
		return fmt.Sprintf("id %s has a sign: ids are integers from 0 to 2^64-1", field)
	}
	return fmt.Sprintf("%s is not an id: ids are integers from 0 to 2^64-1 (for names say `ids: string`)", excerpt(field))
}

// checkName refuses names that no text has, to tell rubbish from a graph.
func checkName(field []byte) (problem string) {
	for _, c := range field {
		if c < ' ' || c == 0x7f {
			return fmt.Sprintf("id %s has control characters: this is no text", excerpt(field))
		}
	}
	return ""
}
