// Package programs lists the built-in algorithms. Nothing in it is privileged:
// each is an ordinary user of package pregel, in a folder of its own with its
// documentation, its job file and its tests.
package programs

import (
	"gopregel/pregel"
)

// An Entry is one built-in algorithm.
type Entry struct {
	Name string
	Doc  string                  // one line
	New  func() pregel.Algorithm // with its default parameters
}

// All returns the built-in algorithms, by name.
func All() []Entry {
	return []Entry{}
}
