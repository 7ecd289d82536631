package output

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// readCSV reads rows with the given separator.
func (f *filler) readCSV(ctx context.Context, r io.Reader, separator rune) error {
	in := csv.NewReader(bufio.NewReaderSize(r, 1<<20))
	in.Comma, in.ReuseRecord = separator, true
	header, err := in.Read()
	if err == io.EOF {
		return &ReadError{Path: f.path, Problem: "empty file, want a header line"}
	}
	if err != nil {
		return f.csvError(err)
	}
	labels := slices.Clone(header)
	columns, err := f.columns(labels)
	if err != nil {
		return f.fail(1, 0, "", err)
	}
	for row := 0; ; row++ {
		if err := ctx.Err(); row%batch == 0 && err != nil {
			return err
		}
		fields, err := in.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return f.csvError(err)
		}
		if k, err := f.row(columns, fields); err != nil {
			line, column := in.FieldPos(k)
			return f.fail(line, column, labels[k], err)
		}
	}
}

// row puts the fields of a line into the table. With an error comes the number
// of the field at fault.
func (f *filler) row(columns []int, fields []string) (int, error) {
	id := ""
	at := max(slices.Index(columns, isID), 0)
	if f.table.PerVertex {
		id = fields[at]
	}
	i, err := f.begin(id)
	if err != nil {
		return at, err
	}
	for k, c := range columns {
		if c == isID {
			continue
		}
		if err := f.set(c, i, fields[k]); err != nil {
			return k, err
		}
	}
	return 0, nil
}

func (f *filler) csvError(err error) error {
	var at *csv.ParseError
	if errors.As(err, &at) {
		return f.fail(at.Line, at.Column, "", at.Err)
	}
	return f.readError(err)
}

func (f *filler) readError(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return &ReadError{Path: f.path, Problem: "ends too early: the file is truncated"}
	}
	return fmt.Errorf("%s: %w", f.path, err)
}

const longestLine = 1 << 20

// readNDJSON reads an object from each line.
func (f *filler) readNDJSON(ctx context.Context, r io.Reader) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 1<<16), longestLine)
	var labels []string
	var columns []int
	for line := 1; in.Scan(); line++ {
		if err := ctx.Err(); line%batch == 0 && err != nil {
			return err
		}
		object, err := readObject(in.Bytes())
		if err != nil {
			return f.fail(line, 0, "", err)
		}
		found := make([]string, len(object))
		fields := make([]string, len(object))
		for k, m := range object {
			found[k], fields[k] = m.name, m.text
		}
		if !slices.Equal(found, labels) {
			if columns, err = f.columns(found); err != nil {
				return f.fail(line, 0, "", err)
			}
			labels = found
		}
		if k, err := f.row(columns, fields); err != nil {
			return f.fail(line, 0, labels[k], err)
		}
	}
	if err := in.Err(); err != nil {
		return f.readError(err)
	}
	return nil
}

type member struct{ name, text string }

// readObject reads the members of a flat object as text, null as "".
func readObject(line []byte) ([]member, error) {
	in := json.NewDecoder(bytes.NewReader(line))
	in.UseNumber()
	var list []member
	if t, err := in.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("found %s, want a JSON object", strconv.Quote(string(line[:min(len(line), 40)])))
	}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return nil, err
		}
		value, err := in.Token()
		if err != nil {
			return nil, err
		}
		m := member{name: name.(string)}
		switch v := value.(type) {
		case nil:
		case string:
			m.text = v
		case json.Number:
			m.text = v.String()
		default:
			return nil, fmt.Errorf("%s: found %v, want a number, a string or null", m.name, value)
		}
		list = append(list, m)
	}
	if _, err := in.Token(); err != nil {
		return nil, fmt.Errorf("the object does not end on its line")
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, fmt.Errorf("something stands behind the object")
	}
	return list, nil
}
