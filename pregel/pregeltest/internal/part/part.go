// Package part spreads a suite of tests over processes. Its own tests are not those of
// pregeltest, which a test inside of that would have compiled twice.
package part

import (
	"fmt"
	"os"
	"testing"
)

// Name is the environment variable that says which part a process does.
const Name = "PREGELTEST_PART"

// A Part is what one process does of a suite: of rules whose trials are spread its
// share of them, of the others every Of-th. 0 <= Index < Of.
type Part struct{ Index, Of int }

// Whole is the suite of one process.
var Whole = Part{0, 1}

// New reads the environment; without the variable it is the whole suite.
func New(t testing.TB) Part {
	t.Helper()
	text := os.Getenv(Name)
	if text == "" {
		return Whole
	}
	p, err := Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", Name, err)
	}
	return p
}

// Parse reads "3/8", the third part of eight.
func Parse(text string) (Part, error) {
	var number, of int
	var rest string
	if n, _ := fmt.Sscanf(text, "%d/%d%s", &number, &of, &rest); n != 2 || number < 1 || number > of {
		return Part{}, fmt.Errorf("found %q, want the number of a part and how many there are, such as 3/8", text)
	}
	return Part{number - 1, of}, nil
}

// Own are the elements of this part. Neighbours in the list stay together: trials that
// do tend to be of one program, which an engine may have to compile.
func Own[T any](p Part, list []T) []T {
	n := len(list)
	return list[n*p.Index/p.Of : n*(p.Index+1)/p.Of]
}
