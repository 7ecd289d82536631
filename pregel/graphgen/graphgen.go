// Package graphgen makes graphs: random ones that benchmarks use (Kronecker,
// R-MAT, SSCA#2, uniform), regular ones (grid, path, tree, …) and the small
// ones of textbooks.
//
// A Spec fixes a graph for ever: random numbers are a function of the seed and
// a counter (which edge, which draw), never of a generator's state, so edges
// can be made in any order, by any number of workers, twice over. That makes a
// generator a graph.Source, which graph.Build reads twice; no list of edges is
// held in memory. Golden hashes in the tests keep it so.
//
// Kinds is the table of what there is. Parse reads a Spec from text and
// Validate checks one made in Go; both report a *FieldError.
package graphgen

import (
	"context"
	"fmt"
	"sync/atomic"

	"gopregel/pregel/graph"
)

// Weights says which weights a generated graph gets.
type Weights uint8

// The choices of weights.
const (
	OwnWeights Weights = iota // those the kind has; most have none
	NoWeights                 // none
	// HashWeights are graph.HashWeight of the ids, splitmix64. As for a graph
	// that is read from a file, they are put on the arcs that are left when
	// duplicates have been merged.
	HashWeights
)

// Options say how Open and Generate make a graph of a Spec. The zero value
// takes the kind's own direction and weights, and keeps loops and duplicates.
type Options struct {
	Directed   *bool // nil: as the kind is by default
	Weights    Weights
	Loops      graph.Loops
	Duplicates graph.Duplicates
	Workers    int // 0: all processors
	// Progress, if set, is told how much of the work is done. It is called by
	// several goroutines, not always in ascending order.
	Progress func(done, total uint64)
}

// An Input is what graph.Build needs to make a graph: what a file is to a
// reader.
type Input struct {
	IDs      graph.IDs
	Source   graph.Source
	Directed bool
	Weighted bool // the source gives integer weights (the kind's own)
}

// Open prepares the edges of s. It takes O(1) time for most kinds.
func Open(s Spec, o Options) (*Input, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	k, s := s.kind(), s.withDefaults()
	directed := k.Directed || s.Orient != ""
	if o.Directed != nil {
		directed = *o.Directed
	}
	if s.Orient != "" && !directed {
		return nil, &FieldError{Field: "orient", Found: s.Orient, Allowed: "in a directed graph only, and directed is false"}
	}
	ids, gen, err := k.open(s, directed)
	if err != nil {
		return nil, fmt.Errorf("generate: %s: %w", s.Kind, err)
	}
	in := &Input{IDs: ids, Directed: directed}
	src := source{gen: gen}
	if o.Weights == HashWeights && ids.Names() != nil {
		return nil, &FieldError{Field: "weights", Found: "splitmix64", Allowed: "file or none, as the ids of " + s.Kind + " are strings and splitmix64 is made of numbers"}
	}
	in.Weighted = k.Weighted && o.Weights == OwnWeights
	src.weighted = in.Weighted
	if o.Progress != nil {
		total, done := 2*gen.units(), new(atomic.Uint64) // Build reads twice
		src.done = func(units uint64) { o.Progress(done.Add(units), total) }
	}
	in.Source = src
	return in, nil
}

// Generate makes the graph of s. It is the same for any number of workers.
func Generate(ctx context.Context, s Spec, o Options) (*graph.Graph, error) {
	in, err := Open(s, o)
	if err != nil {
		return nil, err
	}
	g, err := graph.Build(ctx, in.IDs, in.Source, graph.Options{
		Directed:   in.Directed,
		Loops:      o.Loops,
		Duplicates: o.Duplicates,
		Workers:    o.Workers,
	})
	if err == nil && o.Weights == HashWeights {
		return g.WithHashWeights()
	}
	return g, err
}
