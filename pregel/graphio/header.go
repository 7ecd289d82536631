package graphio

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
)

// line returns the next line without its line end; io.EOF after the last. It
// is valid until the next call.
func (t *text) line() ([]byte, error) {
	t.last = t.last[:0]
	if t.pending != nil {
		t.last, t.pending = append(t.last, t.pending...), nil
	} else {
		for {
			piece, err := t.in.ReadSlice('\n')
			t.last = append(t.last, piece...)
			if err == io.EOF && len(t.last) > 0 || err == nil {
				break
			}
			if err == io.EOF {
				return nil, err
			}
			if err != bufio.ErrBufferFull {
				return nil, t.readError(err)
			}
			if len(t.last) > t.maxLine {
				return nil, t.tooLong(t.lines + 1)
			}
		}
	}
	t.offset += int64(len(t.last))
	t.lines++
	return trimLineEnd(t.last), nil
}

// unread gives the line that was read last back.
func (t *text) unread() {
	t.pending = bytes.Clone(t.last)
	t.offset -= int64(len(t.last))
	t.lines--
}

func (t *text) tooLong(line int) error {
	return &FileError{Path: t.path, Line: line, Problem: fmt.Sprintf("line of more than %d bytes: this is no graph in text form", t.maxLine)}
}

// fail makes an error of the line that was read last.
func (t *text) fail(format string, args ...any) error {
	return &FileError{Path: t.path, Line: t.lines, Problem: fmt.Sprintf(format, args...)}
}

// failAll makes an error of the file as a whole.
func (t *text) failAll(format string, args ...any) error {
	return &FileError{Path: t.path, Problem: fmt.Sprintf(format, args...)}
}

func trimLineEnd(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

// headerLine returns the next line that is neither blank nor begins with a
// character of comments. At the end of the file it is an error that a line
// with the given content is missing.
func (t *text) headerLine(comments, want string) ([]byte, error) {
	for {
		line, err := t.line()
		if err == io.EOF {
			return nil, t.failAll("the file ends before %s", want)
		}
		if err != nil {
			return nil, err
		}
		line = bytes.TrimSpace(line)
		if len(line) > 0 && bytes.IndexByte([]byte(comments), line[0]) < 0 {
			return line, nil
		}
	}
}

// counts parses non-negative integers of a header line.
func (t *text) counts(fields [][]byte) ([]uint64, error) {
	numbers := make([]uint64, len(fields))
	for i, f := range fields {
		n, err := strconv.ParseUint(string(f), 10, 64)
		if err != nil {
			return nil, t.fail("%s is not a count", excerpt(f))
		}
		numbers[i] = n
	}
	return numbers, nil
}
