package graphio

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gopregel/pregel/mem"
)

// A batch is what a block of text says: arcs between ids of the file, in
// columns. Ids that are strings are numbers of a nameTable.
type batch struct {
	u, v   []uint64
	alone  []uint64 // vertices that are named without an arc
	ints   []int32  // the weights, until one is no int32
	floats []float32
	float  bool // the weights are in floats
	point  bool // there is a weight that is no integer

	wide *fault // the first integer weight beyond int32
	lists

	names  arena
	fields [][]byte // of one line
}

func (b *batch) reset() {
	b.u, b.v, b.alone = b.u[:0], b.v[:0], b.alone[:0]
	b.ints, b.floats = b.ints[:0], b.floats[:0]
	b.float, b.point, b.wide = false, false, nil
	b.lists = lists{}
}

// weightMode says what a parser does with weights.
type weightMode uint8

const (
	skipWeights  weightMode = iota // there are none, or they are not wanted
	findWeights                    // the type is to be found: int32, or float32 once a value calls for it
	intWeights                     // they must be int32
	floatWeights                   // read as float32
)

// addWeight parses a weight and appends it; at is its place in the text.
func (b *batch) addWeight(field []byte, mode weightMode, at int) (problem string) {
	w, problem := parseWeight(field)
	if problem != "" {
		return problem
	}
	if w.kind == wholeWeight && mode != floatWeights && !b.float {
		b.ints = append(b.ints, int32(w.whole))
		return ""
	}
	switch {
	case mode == intWeights && w.kind == pointWeight:
		return fmt.Sprintf("weight %s is not an integer, and the weights are to be int32", field)
	case mode == intWeights:
		return wideProblem(field)
	case mode == findWeights && w.kind == wideWeight && b.wide == nil:
		b.wide = &fault{at, wideProblem(field)}
	case w.kind == pointWeight:
		b.point = true
	}
	b.toFloats()
	b.floats = append(b.floats, w.value)
	return ""
}

func wideProblem(field []byte) string {
	return fmt.Sprintf("weight %s is beyond int32 (%d to %d); the weight type float32 would round it", field, math.MinInt32, math.MaxInt32)
}

// toFloats turns the weights read so far to float32.
func (b *batch) toFloats() {
	if !b.float {
		b.float = true
		b.floats = appendFloats(b.floats[:0], b.ints)
		b.ints = b.ints[:0]
	}
}

func appendFloats(to []float32, from []int32) []float32 {
	for _, w := range from {
		to = append(to, float32(w))
	}
	return to
}

type weightKind uint8

const (
	wholeWeight weightKind = iota // an int32
	wideWeight                    // an integer beyond int32
	pointWeight                   // any other number
)

type weight struct {
	kind  weightKind
	whole int64
	value float32 // of the kinds that are no int32, and of int32 rounded
}

// parseWeight parses a decimal number, whole or with point or exponent.
func parseWeight(field []byte) (w weight, problem string) {
	whole, ok := parseWhole(field)
	if ok && whole == int64(int32(whole)) {
		return weight{wholeWeight, whole, float32(whole)}, ""
	}
	kind := wideWeight
	for _, c := range field {
		switch {
		case c-'0' <= 9 || c == '-' || c == '+':
		case c == '.' || c|0x20 == 'e':
			kind = pointWeight
		default:
			return w, weightWord(field)
		}
	}
	f, err := strconv.ParseFloat(mem.String(field), 32)
	switch {
	case err == nil:
		return weight{kind, 0, float32(f)}, ""
	case math.IsInf(f, 0):
		return w, fmt.Sprintf("weight %s is beyond float32 (largest %.3g)", excerpt(field), math.MaxFloat32)
	}
	return w, fmt.Sprintf("weight %s is not a number", excerpt(field))
}

func weightWord(field []byte) string {
	switch strings.TrimLeft(strings.ToLower(string(field)), "+-") {
	case "nan", "inf", "infinity":
		return fmt.Sprintf("weight %s is not a finite number", excerpt(field))
	}
	return fmt.Sprintf("weight %s is not a number", excerpt(field))
}

// parseWhole parses an integer of up to 18 digits with an optional sign.
func parseWhole(field []byte) (value int64, ok bool) {
	digits := field
	if len(digits) > 0 && (digits[0] == '-' || digits[0] == '+') {
		digits = digits[1:]
	}
	if len(digits) == 0 || len(digits) > 18 {
		return 0, false
	}
	for _, c := range digits {
		if c-'0' > 9 {
			return 0, false
		}
		value = value*10 + int64(c-'0')
	}
	if field[0] == '-' {
		value = -value
	}
	return value, true
}

// An arena keeps copies of many short strings in few allocations.
type arena struct{ free []byte }

const arenaBytes = 64 << 10

func (a *arena) keep(s []byte) string {
	if cap(a.free)-len(a.free) < len(s) {
		a.free = make([]byte, 0, max(arenaBytes, len(s)))
	}
	start := len(a.free)
	a.free = append(a.free, s...)
	return mem.String(a.free[start:])
}
