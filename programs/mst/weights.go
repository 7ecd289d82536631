package mst

import (
	"math"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

const sign = 1 << 31

// weights gives the weights of arcs as numbers that sort as the weights do.
type weights struct {
	bits  []uint32 // the weights as they are; nil when there are none
	float uint32   // all ones for floats, else 0
}

func weightsOf(w graph.Weights) weights {
	if w.Kind() == graph.Float32 {
		return weights{mem.Bits32(w.Float), math.MaxUint32}
	}
	return weights{bits: mem.Bits32(w.Int)}
}

// at returns weight i.
func (w weights) at(i uint64) uint32 {
	if w.bits == nil {
		return sign | 1
	}
	return w.ordered(w.bits[i])
}

// ordered is the number of a weight's bits. Floats are kept as sign and magnitude: the
// bits of negative ones are turned round. -0 counts as 0.
func (w weights) ordered(x uint32) uint32 {
	if x == sign {
		x &^= sign & w.float
	}
	return x ^ (uint32(int32(x)>>31)&w.float | sign)
}

// room makes room for weights, with whatever was in memory.
func room(kind graph.WeightKind, n int) (w graph.Weights) {
	switch kind {
	case graph.Int32:
		w.Int = mem.Take[int32](n)
	case graph.Float32:
		w.Float = mem.Take[float32](n)
	}
	return w
}

// restore turns numbers made by at back into weights, from a place on.
func restore(w graph.Weights, at int, of []edge) {
	switch w.Kind() {
	case graph.Int32:
		for i, e := range of {
			w.Int[at+i] = intOf(e.weight)
		}
	case graph.Float32:
		for i, e := range of {
			w.Float[at+i] = floatOf(e.weight)
		}
	}
}

// restoreAll is restore for numbers alone.
func restoreAll(w graph.Weights, at int, of []uint32) {
	switch w.Kind() {
	case graph.Int32:
		for i, x := range of {
			w.Int[at+i] = intOf(x)
		}
	case graph.Float32:
		for i, x := range of {
			w.Float[at+i] = floatOf(x)
		}
	}
}

func intOf(x uint32) int32 { return int32(x ^ sign) }

func floatOf(x uint32) float32 { return math.Float32frombits(x ^ (uint32(int32(^x)>>31) | sign)) }
