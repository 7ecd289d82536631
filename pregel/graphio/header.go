package graphio

import (
	"bytes"
	"io"
	"strconv"
)

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
