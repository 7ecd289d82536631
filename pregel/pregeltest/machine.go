package pregeltest

import (
	"fmt"
	"math"

	"gopregel/pregel"
)

// A machine is an edge program without a purpose: every number it computes
// hangs on all it is told, so that an engine that tells it anything wrong, or
// runs it once too often, gives another answer.
type machine[M pregel.Number] struct {
	spec     pregel.Spec[M]
	salt     uint64
	asleep   uint64 // of 16 vertices, so many start asleep
	quiet    uint64 // of 16 calls of Apply, so many put the vertex to sleep
	steps    int32  // no vertex is awake after so many
	constant bool   // offers are the same for all vertices
	special  bool   // offers may be the greatest and the least number
}

func (m machine[M]) String() string {
	return fmt.Sprintf("combine %s, edge %s, along %d, silent %v, asleep %d, quiet %d, steps %d, messages %T",
		m.spec.Combine.Name, m.spec.Edge.Name, m.spec.Along, m.spec.Silent, m.asleep, m.quiet, m.steps, *new(M))
}

func (m machine[M]) Name() string         { return "machine" }
func (m machine[M]) Spec() pregel.Spec[M] { return m.spec }

func (m machine[M]) Init(v pregel.Vertex[uint64]) (uint64, bool) {
	h := mix(m.salt, uint64(v.ID), uint64(v.OutDegree), uint64(v.Superstep+2), v.Value)
	return h, h%16 >= m.asleep
}

func (m machine[M]) Emit(v pregel.Vertex[uint64]) M {
	h := mix(v.Value, uint64(v.ID), uint64(v.OutDegree), uint64(v.Superstep))
	if m.constant {
		h = mix(m.salt, uint64(v.Superstep))
	}
	return offer[M](h, m.special)
}

// offer makes a small number of h, often 0, which is the identity of Sum and
// Or; when special also the identities of Min and Max.
func offer[M pregel.Number](h uint64, special bool) M {
	switch x := h % 13; {
	case special && x == 0:
		return pregel.Largest[M]()
	case special && x == 1:
		return pregel.Smallest[M]()
	case x < 4:
		return 0
	default:
		return M(x)
	}
}

func (m machine[M]) Apply(v pregel.Vertex[uint64], message M, got bool) (uint64, bool) {
	return m.next(v, bitsOf(message), uint64(truth(got)))
}

func (m machine[M]) next(v pregel.Vertex[uint64], heard ...uint64) (uint64, bool) {
	h := mix(append(heard, v.Value, uint64(v.ID), uint64(v.OutDegree), uint64(v.Superstep))...)
	return h, v.Superstep+1 < m.steps && h>>8%16 >= m.quiet
}

// settling is a machine some of whose vertices take no more messages.
type settling[M pregel.Number] struct{ machine[M] }

func (settling[M]) Settled(value uint64) bool { return value>>16%4 == 0 }

// waiting is a machine with priorities.
type waiting[M pregel.Number] struct{ machine[M] }

func (waiting[M]) Priority(value uint64) uint64 { return value >> 24 % 4 }

func (p settling[M]) String() string   { return "settling machine: " + p.machine.String() }
func (p waiting[M]) String() string    { return "waiting machine: " + p.machine.String() }
func (p collecting[M]) String() string { return "collecting machine: " + p.machine.String() }

// collecting is a machine that sees its messages one by one.
type collecting[M pregel.Number] struct{ machine[M] }

func (p collecting[M]) Spec() pregel.Spec[M] {
	s := p.spec
	s.Combine = pregel.Monoid[M]{}
	return s
}

func (p collecting[M]) ApplyAll(v pregel.Vertex[uint64], messages []M) (uint64, bool) {
	heard := make([]uint64, len(messages))
	for i, m := range messages {
		heard[i] = bitsOf(m)
	}
	return p.next(v, heard...)
}

// bitsOf makes any two different numbers of a type different whole numbers; 0
// and -0 are the same to it.
func bitsOf[M pregel.Number](x M) uint64 {
	if f := float64(x); f != math.Trunc(f) || math.IsInf(f, 0) {
		return math.Float64bits(f)
	}
	return uint64(int64(x))
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
