package pregel

import (
	"reflect"

	"gopregel/pregel/graph"
)

// An EdgeOp says what becomes of an offer on its way along an edge. The zero
// value is Copy.
type EdgeOp[M any] struct {
	Name string
	// Many is a function of one's own (EdgeFunc) for many arcs at a time: it does for each
	// what that does, to the last bit. Nil: there is none. Engines call it where they have
	// many arcs; package check compares the two. Named operations have one, but for Copy,
	// which needs none; of these engines may make messages otherwise.
	Many func(a *Arcs[M])
	// Weightless says of a function of one's own, and of Many, that nothing they do hangs on the
	// weight of an edge. Then none is read: the function is called with 1, and Arcs.Weights and
	// Rows.Weight are 1. To look weights up can take as long as the rest of a search. Other
	// operations may not say so: the run fails. Package check compares what the function does.
	Weightless bool
	kind       opKind
	// along is the operation as a function of offer, ends and weight; the named
	// operations have one too, for combiners without loops of their own.
	along func(x M, u, v uint32, w float64) (M, bool)
	// row makes of one offer the messages along arcs of these weights; nil: there is none.
	row func(x M, w graph.Weights, messages []M)
}

type opKind uint8

const (
	opCopy opKind = iota
	opPlus
	opTimes
	opLeast
	opSource
	opFunc
)

// Copy passes the offer on unchanged.
func Copy[M any]() EdgeOp[M] { return EdgeOp[M]{Name: "copy"} }

// PlusWeight adds the weight of the edge (1 in an unweighted graph). An offer of
// Largest to Min, or of Smallest to Max of a type with a sign, is left as it is:
// unreached plus a weight is unreached.
func PlusWeight[M Number]() EdgeOp[M] {
	return EdgeOp[M]{Name: "plus_weight", kind: opPlus,
		along: func(x M, _, _ uint32, w float64) (M, bool) { return x + weightAs[M](w), true },
		Many: func(a *Arcs[M]) {
			for i, w := range a.Weights() {
				a.Messages[i] += weightAs[M](w)
			}
		},
		row: func(x M, w graph.Weights, messages []M) {
			weightsAs(messages, w)
			for i := range messages {
				messages[i] += x
			}
		}}
}

// TimesWeight multiplies by the weight of the edge; it leaves the same offers as
// they are.
func TimesWeight[M Number]() EdgeOp[M] {
	return EdgeOp[M]{Name: "times_weight", kind: opTimes,
		along: func(x M, _, _ uint32, w float64) (M, bool) { return x * weightAs[M](w), true },
		Many: func(a *Arcs[M]) {
			for i, w := range a.Weights() {
				a.Messages[i] *= weightAs[M](w)
			}
		},
		row: func(x M, w graph.Weights, messages []M) {
			weightsAs(messages, w)
			for i := range messages {
				messages[i] *= x
			}
		}}
}

// MinWeight passes on the lesser of offer and weight.
func MinWeight[M Number]() EdgeOp[M] {
	return EdgeOp[M]{Name: "min_weight", kind: opLeast,
		along: func(x M, _, _ uint32, w float64) (M, bool) { return min(x, weightAs[M](w)), true },
		Many: func(a *Arcs[M]) {
			for i, w := range a.Weights() {
				a.Messages[i] = min(a.Messages[i], weightAs[M](w))
			}
		},
		row: func(x M, w graph.Weights, messages []M) {
			weightsAs(messages, w)
			for i, y := range messages {
				messages[i] = min(x, y)
			}
		}}
}

// weightAs makes a weight a message; a negative one wraps around in a type
// without a sign, as it does when int32 is converted.
func weightAs[M Number](w float64) M {
	if isInteger[M]() {
		return M(int64(w))
	}
	return M(w)
}

// weightsAs is weightAs for many.
func weightsAs[M Number](to []M, w graph.Weights) {
	if w.Int == nil {
		for i := range to {
			to[i] = weightAs[M](w.At(uint64(i)))
		}
		return
	}
	for i, x := range w.Int {
		to[i] = M(x)
	}
}

// SourceID sends the id of the source vertex; what Emit returns does not count
// and Emit is not called. Combined by Min or Any it lets a vertex that pulls
// stop at its first awake neighbour.
func SourceID[M Integer]() EdgeOp[M] {
	return EdgeOp[M]{Name: "source_id", kind: opSource,
		along: func(_ M, u, _ uint32, _ float64) (M, bool) { return M(u), true },
		Many: func(a *Arcs[M]) {
			for i, u := range a.Sources() {
				a.Messages[i] = M(u)
			}
		}}
}

// EdgeFunc makes an operation of a pure function of the offer of u, the ends of
// the edge and its weight; it returns false to send nothing. It costs a call
// per edge, is pushed by no more than one worker while few vertices are awake, else
// pulled, and runs on the CPU only. Where arcs are many, these calls are much of a run's
// time: let the program be a Gatherer, or set Many beside f, and Weightless where f does without w. Combined by Any it is pushed by any number of workers, and a vertex
// that pulls calls it for its awake neighbours in turn until one sends; Many is not called then.
//
//	longer := pregel.EdgeFunc("longer", func(x float64, _, _ uint32, w float64) (float64, bool) { return x + w, x < limit })
//	longer.Many = func(a *pregel.Arcs[float64]) {
//		for i, w := range a.Weights() {
//			if a.Messages[i] >= limit {
//				a.Drop(i)
//			}
//			a.Messages[i] += w
//		}
//	}
func EdgeFunc[M any](name string, f func(offer M, u, v uint32, w float64) (M, bool)) EdgeOp[M] {
	return EdgeOp[M]{Name: name, kind: opFunc, along: f}
}

// Send returns what the offer of u becomes on an edge of weight w (1 to what is Weightless) to v, and
// whether anything is sent. An infinite offer to Min or Max is not asked about:
// see PlusWeight.
func (e EdgeOp[M]) Send(offer M, u, v uint32, w float64) (M, bool) {
	switch {
	case e.along == nil:
		return offer, true
	case e.Weightless:
		w = 1
	}
	return e.along(offer, u, v, w)
}

// leaves tells whether the operation leaves an offer to a combiner as it is: see
// PlusWeight. Only the loops of named combiners do.
func (e EdgeOp[M]) leaves(x M, c Monoid[M]) bool {
	if c.loops == nil || e.kind != opPlus && e.kind != opTimes || c.loops.differs(x, c.Identity) {
		return false
	}
	kind := reflect.TypeFor[M]().Kind()
	signed := kind != reflect.Uint32 && kind != reflect.Uint64
	return c.Name == "min" || c.Name == "max" && signed
}
