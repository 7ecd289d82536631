package pregel

import (
	"iter"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
)

// A Gatherer is an edge program that combines, in loops of its own, what arrives along the arcs to some
// vertices:
//
//	func (Ranks) Gather(r *pregel.Rows[float64]) {
//		for i, us := range r.All() {
//			sum, got := 0.0, false
//			for _, u := range us {
//				if r.Awake(u) {
//					sum, got = sum+r.Offers[u], true
//				}
//			}
//			r.Messages[i], r.Got[i] = sum, got
//		}
//	}
//
// Where nobody ever sleeps, Awake need not be asked (ExampleGatherer); else it must be: what stands at who
// sleeps is no message.
//
// Engines call this where messages are pulled and the combiner, or the edge operation, is a function of
// one's own: they would call these for each arc, while here the compiler knows what is done along an arc.
// It must do what these functions do for each row, up to the rounding of sums of floats, and no more. They are
// still called for what is pushed; and the combiner for what comes of the parts of a very long row, or, along
// BothEdges of a directed graph, of a vertex's two rows. Package check compares. Of a row the rest may be left
// where the program knows that it would change nothing.
//
// It is called by several goroutines at a time, for different vertices; rows may be empty. It is not
// asked where combiner and edge operation are named ones, which have such loops; where the combiner is Any; nor
// where all that is offered in a superstep is the same, if an Idempotent combiner and Copy spare the arcs.
type Gatherer[M any] interface {
	// Gather stores in Messages and Got, for each row, what the offers of those awake become on their
	// arcs, combined, and whether there is any: Got is true of each row along which something is sent.
	Gather(r *Rows[M])
}

// Rows are the arcs to some vertices of a block; that of number i has its message in Messages[i], and
// so on. They are good until the call returns.
type Rows[M any] struct {
	Offers   []M    // of all vertices, by their numbers; anything may stand at who sleeps
	Messages []M    // to be set: the combiner's identity before
	Got      []bool // likewise: false before

	awake   bitmap.Bitmap // nil: all are
	targets []uint32
	weights graph.Weights
	starts  []uint64 // where rows begin, and where the last of them ends: of rows that are not listed anything
	list    []uint8  // numbers of the rows
	first   uint32   // vertex of the block
	worker  *Worker
	room    *rowsRoom
	more    [BlockSize]M // messages along the second of two CSRs
}

// rowsRoom is what slices of rows lie in.
type rowsRoom struct {
	numbers numbers
	got     [BlockSize]bool
	starts  [BlockSize + 1]uint64
}

// All are the rows, each with its number: the sources of the arcs, ascending. They are to be read only.
func (r *Rows[M]) All() iter.Seq2[int, []uint32] {
	return func(yield func(int, []uint32) bool) {
		first, targets, starts, worker := r.first, r.targets, r.starts, r.worker
		for _, k := range r.list {
			i := int(k)
			worker.At = first + uint32(i)
			if !yield(i, targets[starts[i]:starts[i+1]]) {
				return
			}
		}
	}
}

// Awake tells whether u sends anything.
func (r *Rows[M]) Awake(u uint32) bool { return r.awake == nil || r.awake.Has(u) }

// Target is the vertex to which the arcs of row i lead, i being a number that All gives.
func (r *Rows[M]) Target(i int) uint32 { return r.first + uint32(i) }

// Weight is that of arc k of row i, 1 in an unweighted graph and where the edge operation is Weightless.
func (r *Rows[M]) Weight(i, k int) float64 { return r.weights.At(r.starts[i] + uint64(k)) }
