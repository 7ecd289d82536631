package pregel

import (
	"math"

	"gopregel/pregel/mem"
)

// Number is what messages of named combiners are made of.
type Number = mem.Word

// Integer is a Number without a fraction.
type Integer interface {
	~int32 | ~uint32 | ~int64 | ~uint64
}

// A Monoid says how messages to one vertex combine, and by which laws engines
// may rearrange them. The named ones (Min, Max, Sum, Or, Any) run as tight
// loops and as atomics; one made by Combine costs a call per message, or with Many
// one for many, and is pushed by no more than one worker while few vertices are awake,
// else pulled. Idempotent spares these calls where edges are copied and vertices settle
// (Settler), in supersteps in which all that is offered is the same.
type Monoid[M any] struct {
	Name       string
	Identity   M              // Func(Identity, x) = x
	Func       func(a, b M) M // commutative and associative; nil for Any
	Idempotent bool           // Func(x, x) = x
	Exact      bool           // the result does not depend on the order, to the last bit
	// Many is Func for many at a time: it stores Func(as[i], bs[i]) in as[i], for all i, and
	// changes nothing else. The two have the same length and no element in common. Nil: there is none.
	// Engines call it where they have many messages, and put these into other portions then than
	// Func is called with; package check compares it with Func. Named combiners need none.
	Many  func(as, bs []M)
	loops loops[M]  // nil: a call per message
	first firstKind // when one message, known beforehand, is the result
}

type firstKind uint8

const (
	notFirst    firstKind = iota
	leastSource           // of messages that are the id of their source, that of the least
	anySource             // whichever comes first
)

// Min keeps the least message. NaN is never less.
func Min[T Number]() Monoid[T] {
	return Monoid[T]{Name: "min", Identity: Largest[T](), Func: lesser[T], Idempotent: true, Exact: true,
		loops: minLoops[T]{}, first: leastSource}
}

// Max keeps the greatest message. NaN is never greater.
func Max[T Number]() Monoid[T] {
	return Monoid[T]{Name: "max", Identity: Smallest[T](), Func: greater[T], Idempotent: true, Exact: true,
		loops: maxLoops[T]{}}
}

// Sum adds messages. Integers wrap around; sums of floats depend on their
// order in the last bits, which is fixed when they are pulled.
func Sum[T Number]() Monoid[T] {
	return Monoid[T]{Name: "sum", Func: func(a, b T) T { return a + b }, Exact: isInteger[T](), loops: sumLoops[T]{}}
}

// Or unites messages that are sets of bits.
func Or[T Integer]() Monoid[T] {
	return Monoid[T]{Name: "or", Func: func(a, b T) T { return a | b }, Idempotent: true, Exact: true, loops: orLoops[T]{}}
}

// Any keeps one of the messages; which one may differ from run to run, but where an engine is
// strict. A vertex that pulls looks no further than for its first: where all messages of a
// superstep are as good as each other, as in a search, Any spares most of the calls of an EdgeFunc; and where
// vertices settle (Settler) who is sent to first, by any worker, is applied at once, without a box.
func Any[M any]() Monoid[M] {
	return Monoid[M]{Name: "any", Idempotent: true, first: anySource}
}

// Combine makes a combiner of a function. It must be commutative and
// associative with the given identity; pregeltest.Laws looks for
// counter-examples. Where arcs are many, calls of f are most of a run's time: let the program be a
// Gatherer, or set Many beside f.
//
//	plus := pregel.Combine("plus", 0, func(a, b float64) float64 { return a + b })
//	plus.Many = func(as, bs []float64) {
//		as = as[:len(bs)]
//		for i, b := range bs {
//			as[i] += b
//		}
//	}
func Combine[M any](name string, identity M, f func(a, b M) M) Monoid[M] {
	return Monoid[M]{Name: name, Identity: identity, Func: f}
}

// Largest is the greatest number of a type: +Inf for floats.
func Largest[T Number]() T {
	var zero T
	top, inf := int64(math.MaxInt64), math.Inf(1)
	if mem.Size[T]() == 4 {
		top = math.MaxInt32
	}
	switch {
	case !isInteger[T]():
		return T(inf)
	case zero-1 > 0:
		return zero - 1
	}
	return T(top)
}

// Smallest is the least number of a type: -Inf for floats.
func Smallest[T Number]() T {
	var zero T
	switch {
	case !isInteger[T]():
		return -Largest[T]()
	case zero-1 > 0:
		return 0
	}
	return -Largest[T]() - 1
}

func isInteger[T Number]() bool {
	var one T = 1
	return one/2 == 0
}

func lesser[T Number](a, b T) T {
	if b < a {
		return b
	}
	return a
}

func greater[T Number](a, b T) T {
	if b > a {
		return b
	}
	return a
}
