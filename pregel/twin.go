package pregel

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"gopregel/pregel/mem"
)

// A Twin is the CUDA form of an edge program: device functions that do what its
// Go methods do. They are pure; every engine gives the same answer with either.
//
//	__device__ Value   init(Vertex v, Value given, const Params &p, bool &awake);
//	__device__ Message emit(Vertex v, Value x, const Params &p);
//	__device__ Value   apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake);
//	__device__ bool    settled(Value x);                    // of a Settler
//	__device__ u64     priority(Value x, const Params &p);  // of a Prioritizer
//
// Vertex has id, out_degree, superstep, n, and add_NAME(x) for each tally. Value
// and Message have the layout of the Go types: a number is itself, the fields of
// a struct have their Go names in lower case. Params has the fields of Params,
// likewise, and last_NAME for each tally but of change.
type Twin struct {
	Name    string // of the source, for messages: "bfs.cu"
	Source  string // CUDA C
	Params  any    // a struct of numbers, or nil
	Steps   int    // supersteps after which Barrier halts; 0: that is not known
	Tallies []NamedTally
	// Local says that emit looks at no tally, so that an engine may call it as
	// soon as a vertex has its value.
	Local bool
	// Anew says that what apply returns, and whether it is awake, does not hang on x, which it looks at
	// for tallies of change alone (NamedTally.Change); package check holds Apply to it. Where Steps tells
	// which superstep is the last, and nobody looks at values before, nor at the metric of each superstep
	// (Job.Unmeasured), an engine may call apply with any x then, and keep no values; but in the last two. It
	// does so for programs that are Local and Silent, tally, and neither settle nor wait.
	Anew bool
	// Signals says that apply minds only that a message came, not which: an engine may
	// give it any number.
	Signals bool
}

// A NamedTally is an aggregator as device functions know it.
type NamedTally struct {
	Name string
	Tally
	// Change says that it is a sum of floats about how values change, folded anew in every superstep, which no
	// device function reads. After a superstep in which nobody knows the values, or those before, its Last is NaN
	// (Twin.Anew): a Barrier that decides by it tells no Steps.
	Change bool
}

// A Tally is an aggregator as an engine without workers sees it. Bits are those
// of the number, in the low end.
type Tally interface {
	Combiner() string // the name of its monoid
	CType() string    // of its numbers
	LastBits() uint64
	Deposit(bits uint64) // adds to the superstep under way
}

// A Translated program has a twin. Twin is called after Setup. A program that
// embeds another and changes what that does returns a Twin without a source, or
// its own.
type Translated interface {
	Twin() Twin
}

// A CType is a type in CUDA C.
type CType struct {
	Definition string // "typedef u32 Value;" or "struct Value { … };"
	Size       int    // bytes
}

// A Constant is a field of Params of 8 bytes.
type Constant struct {
	Name, CType string
	Bits        uint64
}

// A Form is a program as an engine sees it that runs its twin.
type Form struct {
	Twin
	Constants      []Constant // further fields of Params
	Value, Message CType
	Values         []byte // the column to fill, N values
	Given          bool   // it holds values for init
	Combine, Edge  string // names
	Identity       string // of the combiner, as a C expression
	Along          Along
	Silent         bool
	Settles, Waits bool
	First          bool      // pulling stops at the first awake neighbour
	Exact          bool      // messages combine to the same bits in any order
	Asks           bool      // the program is to be asked at every barrier
	Bring          *Bringing // nil: values stay as they are
}

// A Former is a task that may have a twin. Without one the reason says why.
type Former interface {
	Task
	Form() (f Form, reason string)
}

// Form describes the program, after Begin.
func (t *edgeTask[V, M]) Form() (Form, string) {
	translated, ok := any(t.program).(Translated)
	if !ok {
		return Form{}, "the program has no CUDA form"
	}
	if t.collect != nil || t.mode == byCalls || t.spec.Edge.kind == opFunc {
		return Form{}, "its combiner or edge operation is a Go function"
	}
	twin := translated.Twin()
	if twin.Source == "" {
		return Form{}, "the program has no CUDA form"
	}
	f := Form{
		Twin: twin, Values: mem.Raw(t.values), Given: t.given,
		Combine: t.spec.Combine.Name, Edge: t.spec.Edge.Name, Identity: identity(t.spec.Combine.Identity),
		Along: t.spec.Along, Silent: t.spec.Silent, Settles: t.settler != nil, Waits: t.orderer != nil,
		First: t.mode == byFirst, Exact: t.spec.Combine.Exact, Bring: t.bring,
	}
	_, asks := any(t.program).(Barrierer)
	f.Asks = asks || len(t.setup.aggregators) > 0
	for _, x := range f.Tallies {
		if a, ok := x.Tally.(interface{ lasts() bool }); ok && x.Change && a.lasts() {
			return Form{}, fmt.Sprintf("its tally %s of change is a persistent aggregator", x.Name)
		}
	}
	if len(t.setup.aggregators) != len(f.Tallies) {
		return Form{}, fmt.Sprintf("it has %d aggregators and its twin %d", len(t.setup.aggregators), len(f.Tallies))
	}
	var err error
	if f.Value, err = CTypeOf("Value", reflect.TypeFor[V]()); err != nil {
		return Form{}, err.Error()
	}
	if f.Message, err = CTypeOf("Message", reflect.TypeFor[M]()); err != nil {
		return Form{}, err.Error()
	}
	return f, ""
}

// identity writes a number as a C expression.
func identity(x any) string {
	v := reflect.ValueOf(x)
	switch {
	case v.CanInt() && v.Int() == math.MinInt64:
		return "(i64)0x8000000000000000ull"
	case v.CanInt():
		return fmt.Sprintf("(Message)%dll", v.Int())
	case v.CanUint():
		return fmt.Sprintf("(Message)%dull", v.Uint())
	case v.CanFloat() && math.IsInf(v.Float(), 1):
		return "(Message)__longlong_as_double(0x7ff0000000000000ll)"
	case v.CanFloat() && math.IsInf(v.Float(), -1):
		return "(Message)__longlong_as_double(0xfff0000000000000ll)"
	}
	return "(Message)0"
}

var cNames = map[reflect.Kind]string{
	reflect.Bool: "bool", reflect.Int8: "signed char", reflect.Uint8: "u8", reflect.Int16: "short", reflect.Uint16: "u16",
	reflect.Int32: "i32", reflect.Uint32: "u32", reflect.Int64: "i64", reflect.Uint64: "u64", reflect.Int: "i64",
	reflect.Float32: "float", reflect.Float64: "double",
}

// CTypeOf writes a Go type of numbers, arrays and structs as the C type of a
// name, with the same layout.
func CTypeOf(name string, t reflect.Type) (CType, error) {
	if c, ok := cNames[t.Kind()]; ok {
		return CType{fmt.Sprintf("typedef %s %s;", c, name), int(t.Size())}, nil
	}
	if t.Kind() == reflect.Array {
		if c, ok := cNames[t.Elem().Kind()]; ok {
			return CType{fmt.Sprintf("struct %s { %s at[%d]; };", name, c, t.Len()), int(t.Size())}, nil
		}
	}
	if t.Kind() != reflect.Struct || t.NumField() == 0 {
		return CType{}, fmt.Errorf("%s is of type %v, which CUDA C has no like of", strings.ToLower(name), t)
	}
	fields, err := cFields(t)
	return CType{fmt.Sprintf("struct %s { %s};", name, fields), int(t.Size())}, err
}

func cFields(t reflect.Type) (string, error) {
	var b strings.Builder
	for i := range t.NumField() {
		f := t.Field(i)
		c, ok := cNames[f.Type.Kind()]
		if !ok {
			return "", fmt.Errorf("field %s is of type %v, which CUDA C has no like of", f.Name, f.Type)
		}
		fmt.Fprintf(&b, "%s %s; ", c, strings.ToLower(f.Name))
	}
	return b.String(), nil
}

// Combiner returns the name of the aggregator's monoid.
func (a *Aggregator[T]) Combiner() string { return a.monoid.Name }

// CType returns the type of the aggregator's numbers in C, "" if it has none.
func (a *Aggregator[T]) CType() string { return cNames[reflect.TypeFor[T]().Kind()] }

// lasts tells whether the value is kept from superstep to superstep.
func (a *Aggregator[T]) lasts() bool { return a.persistent }

// LastBits returns Last as bits.
func (a *Aggregator[T]) LastBits() uint64 {
	var bits [8]byte
	copy(bits[:], mem.Raw([]T{a.last}))
	return mem.View[uint64](bits[:])[0]
}

// Deposit adds a number, given by its bits, to the superstep under way.
func (a *Aggregator[T]) Deposit(bits uint64) {
	x := make([]T, 1)
	copy(mem.Raw(x), mem.Bytes([]uint64{bits}))
	a.Add(Place{}, x[0])
}
