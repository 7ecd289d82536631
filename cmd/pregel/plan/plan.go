// Package plan says how much memory a job needs, before anything is loaded.
//
// A Size is what is known of the graph: exactly, for graphs in .pgr files, most
// generators and files with a header; as an upper bound, where duplicates are
// dropped; as an estimate, where a text had to be read through (size.go,
// text.go). Host adds up the arrays that loading, the program and its answer
// take on the CPU (host.go, programs.go), cuda.Plan those on the device. Tests
// hold the sum for the host to the measured peak of real runs.
package plan

import (
	"fmt"

	"gopregel/pregel/graph"
)

// Certainty tells how sure a size is.
type Certainty uint8

// The certainties.
const (
	Exact Certainty = iota
	AtMost
	Estimated
)

// MarshalText gives the certainty's name.
func (c Certainty) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

func (c Certainty) String() string { return [...]string{"exact", "at most", "estimated"}[c] }

// IDKind tells how a graph's ids are stored.
type IDKind uint8

// The kinds of ids.
const (
	Range IDKind = iota
	Numbers
	Names
)

// A Size is what memory depends on.
type Size struct {
	Vertices, Arcs uint64 // an undirected edge is two arcs
	Placed         uint64 // arcs while loading, before duplicates go
	Directed       bool
	Weights        graph.WeightKind
	IDs            IDKind
	NameBytes      uint64 // of ids that are strings
	HasIn          bool   // the file has the in-arcs
	Prepared       bool   // the program runs on a renumbered copy
	Ways           bool   // sssp in place is sure to find parents beside distances, without in-arcs (programs/sssp/inplace_way.go)

	Certainty Certainty
	How       string // where the numbers come from
	Loading   Loading
}

// A Loading is how a graph comes into memory.
type Loading struct {
	Mapped   bool   // the arrays are those of the file
	Loaded   bool   // it is there
	Merges   bool   // duplicates are merged
	Hashes   bool   // weights are made afterwards
	Text     uint64 // bytes of the file, when it is text
	Held     bool   // its arcs are held in memory, as it can be read once only, or has them in columns
	BothEnds bool   // the text has an undirected edge at both its ends
}

// An Item is an array, or a few that belong together.
type Item struct {
	Name  string `json:"name"`
	Bytes uint64 `json:"bytes"`
}

// A Need is a list of arrays.
type Need struct {
	Items []Item `json:"items"`
	Total uint64 `json:"total"`
}

func (n *Need) add(name string, bytes uint64) {
	if bytes > 0 {
		n.Items = append(n.Items, Item{name, bytes})
		n.Total += bytes
	}
}

// String describes the size.
func (s Size) String() string {
	return fmt.Sprintf("%d vertices, %d arcs (%s, %s)", s.Vertices, s.Arcs, s.Certainty, s.How)
}

// OfGraph is the size of a graph that is loaded.
func OfGraph(g *graph.Graph) Size {
	s := Size{
		Vertices: uint64(g.N()), Arcs: g.Arcs(), Placed: g.Arcs(), Directed: g.Directed(), Weights: g.Weighted(), HasIn: g.Directed() && g.HasIn(),
		How: "the graph is loaded", Loading: Loading{Loaded: true},
	}
	s.setIDs(g.IDs())
	return s
}

func (s *Size) setIDs(ids graph.IDs) {
	switch {
	case ids.Numbers() != nil:
		s.IDs = Numbers
	case ids.Names() != nil:
		s.IDs = Names
		for _, name := range ids.Names() {
			s.NameBytes += uint64(len(name))
		}
	}
}
