package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Reader reads the records of a trace, in their order. Kinds and keys that it
// does not know are left out; what else is not as the format has it is an
// *Error.
type Reader struct {
	in    *bufio.Reader
	name  string
	line  int
	state state
	steps walk // of a line, those that are left
	folds bool // a line had many
	err   error
}

// NewReader makes a reader. name is what errors call the file; it may be empty.
func NewReader(name string, r io.Reader) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, 1<<16), name: name}
}

// Next returns the next record; io.EOF after the last.
func (r *Reader) Next() (Record, error) {
	for r.err == nil {
		if s := r.steps.superstep(); s != nil {
			return s, nil
		}
		var rec Record
		if rec, r.err = r.next(); rec != nil {
			return rec, nil
		}
	}
	return nil, r.err
}

// Folded tells whether a line had many supersteps so far (Unfold).
func (r *Reader) Folded() bool { return r.folds }

// next reads a line; it returns nothing for one of an unknown kind.
func (r *Reader) next() (Record, error) {
	text, err := r.in.ReadBytes('\n')
	whole := err == nil
	r.line++
	switch {
	case whole:
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%s: %w", r.where(), err)
	case len(text) == 0 && r.state.stop && err == io.EOF:
		return nil, io.EOF
	case len(text) == 0 && r.state.header != nil:
		return nil, r.truncated("the trace ends before its last record, of kind stop")
	case len(text) == 0:
		return nil, r.fail("the file is empty, want a trace")
	}
	rec, err := parse(text)
	if err == nil && rec != nil {
		err = r.state.take(rec)
	}
	many, packed := rec.(*packed)
	switch {
	case err == nil && packed:
		r.steps, r.folds = *over(many.steps), true
		return nil, nil
	case err == nil:
		return rec, nil
	case !whole && r.state.header != nil:
		return nil, r.truncated("the last line is cut off")
	}
	return nil, r.fail("%v", err)
}

func (r *Reader) where() string {
	if r.name == "" {
		return fmt.Sprintf("line %d", r.line)
	}
	return fmt.Sprintf("%s:%d", r.name, r.line)
}

func (r *Reader) fail(format string, args ...any) error {
	return &Error{File: r.name, Line: r.line, Problem: fmt.Sprintf(format, args...)}
}

func (r *Reader) truncated(problem string) error {
	return &Error{File: r.name, Line: r.line, Problem: problem, Truncated: true}
}

// parse reads a line as a record, nil if its kind is unknown.
func parse(text []byte) (Record, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, errors.New("an empty line, want a JSON object")
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil || keys == nil {
		return nil, fmt.Errorf("want a JSON object%s", because(err))
	}
	var kind string
	if err := json.Unmarshal(keys["kind"], &kind); err != nil {
		return nil, errors.New("kind: missing, want a string")
	}
	empty, known := kinds[kind]
	if !known {
		return nil, nil
	}
	for _, key := range required[kind] {
		if value, ok := keys[key]; !ok || string(value) == "null" && key != "values" {
			return nil, fmt.Errorf("%s: missing in a record of kind %s", key, kind)
		}
	}
	rec := empty()
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	if err := in.Decode(rec); err != nil {
		return nil, fmt.Errorf("a record of kind %s%s", kind, because(err))
	}
	return rec, nil
}

// because puts an error of package json into words of the format.
func because(err error) string {
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &wrong):
		return fmt.Sprintf(": %s: found a %s, want %s", or(wrong.Field, "it"), wrong.Value, article(wrong.Type.String()))
	}
	return ": " + strings.TrimPrefix(err.Error(), "json: ")
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// article names a Go type as JSON does.
func article(name string) string {
	switch {
	case strings.HasPrefix(name, "[]"):
		return "a list"
	case strings.HasPrefix(name, "int"), strings.HasPrefix(name, "uint"):
		return "a whole number, " + name
	case strings.HasPrefix(name, "float"), name == "trace.Float":
		return "a number"
	case slices.Contains([]string{"string", "bool"}, name):
		return "a " + name
	}
	return "an object"
}
