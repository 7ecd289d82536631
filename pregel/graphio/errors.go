package graphio

import "strconv"

// A FileError says what is wrong on a line of a file.
type FileError struct {
	Path    string
	Line    int // from 1, of the decompressed text; 0: the file as a whole
	Problem string
}

// Error gives path:line: problem.
func (e *FileError) Error() string {
	if e.Line == 0 {
		return e.Path + ": " + e.Problem
	}
	return e.Path + ":" + strconv.Itoa(e.Line) + ": " + e.Problem
}

// A fault is what a parser finds wrong in a block of text.
type fault struct {
	at      int // in the text of the block
	problem string
}

const excerptBytes = 40

// excerpt quotes text that a user is to recognise, cut where it is long.
func excerpt(text []byte) string {
	if len(text) > excerptBytes {
		return strconv.Quote(string(text[:excerptBytes])) + "…"
	}
	return strconv.Quote(string(text))
}
