// Package programs lists the built-in algorithms. Nothing in it is privileged:
// each is an ordinary user of package pregel, in a folder of its own with its
// documentation, its job file and its tests.
package programs

import (
	"gopregel/pregel"
	"gopregel/programs/bfs"
	"gopregel/programs/cdlp"
	"gopregel/programs/lcc"
	"gopregel/programs/mst"
	"gopregel/programs/pagerank"
	"gopregel/programs/scc"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
)

// An Entry is an algorithm as commands know it, by its name.
type Entry struct {
	Name string
	Doc  string                  // one line
	New  func() pregel.Algorithm // with its default parameters
}

// All returns the built-in algorithms, by name.
func All() []Entry {
	return []Entry{
		{"bfs", "depths and parents of a breadth-first search", bfs.New},
		{"cdlp", "communities by label propagation, as LDBC defines it", cdlp.New},
		{"lcc", "local clustering coefficients, as LDBC defines them", lcc.New},
		{"mst", "a minimum spanning forest", mst.New},
		{"pagerank", "the stationary distribution of a random surfer", pagerank.New},
		{"scc", "strongly connected components", scc.New},
		{"sssp", "shortest paths by weight from a source", sssp.New},
		{"wcc", "weakly connected components", wcc.New},
	}
}
