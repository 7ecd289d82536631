package sssp

import (
	"reflect"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// What the records of runs in place say (pregel.Choosing, pregel.Measured).
const (
	onlyWorker   = "there is one worker: bucket {limit} has {have} vertices"
	aloneSmall   = "the graph has {have} vertices, not above {limit}, and few arcs: one worker takes all buckets, as several would wait for each other's labels"
	aloneFew     = "the bucket has {have} vertices, below {limit}: one worker goes on with it, and with those that follow while they are as small"
	aloneFaster  = "the bucket has {have} vertices, below {limit}: one worker alone was faster with such ones"
	sharedFaster = "the bucket has {have} vertices, below {limit}: several workers were faster with such ones"
	sharedByMany = "the bucket has {have} vertices, not below {limit}: all workers share it"
)

// choose notes why the current bucket is one worker's or not.
func (r *relaxing[T]) choose(workers int, alone bool) {
	c := pregel.Choice{Rule: sharedByMany, Have: r.pending, Limit: r.as(pacedBelow)}
	switch {
	case workers == 1:
		c.Rule, c.Limit = onlyWorker, r.current
	case r.small:
		c = pregel.Choice{Rule: aloneSmall, Have: uint64(r.g.N()), Limit: aloneVertices}
	case r.pending < r.as(aloneBelow):
		c.Rule, c.Limit = aloneFew, r.as(aloneBelow)
	case r.pending < r.as(pacedBelow) && alone:
		c.Rule = aloneFaster
	case r.pending < r.as(pacedBelow):
		c.Rule = sharedFaster
	}
	r.chosen = c
}

// Chosen tells why the last bucket was one worker's or not.
func (r *relaxing[T]) Chosen() pregel.Choice { return r.chosen }

// Widths are those of labels: one is read and written at a vertex, and one read at
// the end of an arc.
func (r *relaxing[T]) Widths() pregel.Widths {
	size := uint64(reflect.TypeFor[T]().Size())
	w := pregel.Widths{Value: size, Message: size, Frontier: pregel.ListedFrontier}
	if r.g.Weighted() != graph.Unweighted {
		w.Weight = 4
	}
	return w
}

// Aggregates returns none.
func (*relaxing[T]) Aggregates() []any { return nil }
