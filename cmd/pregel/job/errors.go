package job

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A place is where something of a job was written: in a file or in a flag.
type place struct {
	file         string
	line, column int    // from 1; 0: the file as a whole
	flag         string // as on the command line: "--set a.b=c"
}

func (p place) String() string {
	switch {
	case p.flag != "":
		return p.flag
	case p.line == 0:
		return p.file
	case p.column == 0:
		return fmt.Sprintf("%s:%d", p.file, p.line)
	}
	return fmt.Sprintf("%s:%d:%d", p.file, p.line, p.column)
}

// An Error is one thing that is wrong with a job.
type Error struct {
	at      place
	Field   string // with the names of its sections: "params.damping"; "" for the job as a whole
	Problem string
}

func (e *Error) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("%s: %s", e.at, e.Problem)
	}
	return fmt.Sprintf("%s: %s: %s", e.at, e.Field, e.Problem)
}

// Errors are all the things that are wrong with a job, in the order of its
// lines.
type Errors []*Error

func (list Errors) Error() string {
	lines := make([]string, len(list))
	for i, e := range list {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the single errors.
func (list Errors) Unwrap() []error {
	errs := make([]error, len(list))
	for i, e := range list {
		errs[i] = e
	}
	return errs
}

func (list Errors) sort() {
	slices.SortStableFunc(list, func(a, b *Error) int {
		return cmp.Or(strings.Compare(a.at.flag, b.at.flag), cmp.Compare(a.at.line, b.at.line), cmp.Compare(a.at.column, b.at.column))
	})
}
