package pregel

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"unicode"
	"unicode/utf8"

	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// A field is a number of a value, and the column that it becomes.
type field struct {
	name     string
	kind     reflect.Kind
	at, size int  // bytes in the value
	vertex   bool // it names one
}

// fieldsOf takes the type of values apart, with the names that the program gives.
func fieldsOf(t reflect.Type, p Presentation) (list []field, err error) {
	if t.Kind() != reflect.Struct {
		list = []field{{"value", t.Kind(), 0, int(t.Size()), false}}
	}
	for i := 0; t.Kind() == reflect.Struct && i < t.NumField(); i++ {
		f := t.Field(i)
		first, size := utf8.DecodeRuneInString(f.Name)
		list = append(list, field{string(unicode.ToLower(first)) + f.Name[size:], f.Type.Kind(), int(f.Offset), int(f.Type.Size()), false})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("values of type %v have no fields: want a number, or a struct of numbers", t)
	}
	if len(p.Columns) > 0 && len(p.Columns) != len(list) {
		return nil, fmt.Errorf("its Present names %d columns %q, want %d, for values of type %v", len(p.Columns), p.Columns, len(list), t)
	}
	for i := range list {
		f := &list[i]
		if len(p.Columns) > 0 {
			f.name = p.Columns[i]
		}
		switch f.vertex = slices.Contains(p.Vertices, f.name); {
		case f.kind < reflect.Bool || f.kind > reflect.Float64 || f.kind == reflect.Uintptr:
			return nil, fmt.Errorf("values of type %v, whose %s is of kind %v, are no columns: want a number, or a struct of numbers", t, f.name, f.kind)
		case f.vertex && f.kind != reflect.Uint32:
			return nil, fmt.Errorf("its Present says that %s names vertices, want uint32, found %v", f.name, f.kind)
		}
	}
	return list, nil
}

// columnsOf makes columns of the fields of values.
func columnsOf[V any](values []V, fields []field) ([]Column, error) {
	columns := make([]Column, len(fields))
	raw, size := mem.Raw(values), mem.Size[V]()
	for i, f := range fields {
		c := Column{Name: f.name}
		switch {
		case f.vertex:
			c.Vertices = taken(len(values), f, raw, size, func(x uint64) uint32 { return uint32(x) })
			if err := c.CheckVertices(); err != nil {
				return nil, err
			}
		case f.kind == reflect.Float32:
			c.Floats = taken(len(values), f, raw, size, func(x uint64) float64 { return float64(math.Float32frombits(uint32(x))) })
		case f.kind == reflect.Float64:
			c.Floats = taken(len(values), f, raw, size, math.Float64frombits)
		case f.kind == reflect.Bool || f.unsigned() && f.size <= 4:
			c.Counts = taken(len(values), f, raw, size, func(x uint64) uint32 { return uint32(x) })
		default:
			c.Ints = taken(len(values), f, raw, size, f.int)
			if i := slices.Index(c.Ints, tooLarge); i >= 0 && f.unsigned() {
				return nil, fmt.Errorf("a value of column %s is %d or greater: an answer holds whole numbers below that", f.name, uint64(NoInt))
			}
		}
		columns[i] = c
	}
	return columns, nil
}

// taken reads a field of all values, by its bits.
func taken[T any](n int, f field, raw []byte, size int, number func(bits uint64) T) []T {
	list := mem.Make[T](n)
	parallel.Range(0, n, rows, func(_, lo, hi int) {
		for v := lo; v < hi; v++ {
			list[v] = number(bitsOf(raw[v*size+f.at:][:f.size]))
		}
	})
	return list
}

func bitsOf(b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.NativeEndian.Uint16(b))
	case 4:
		return uint64(binary.NativeEndian.Uint32(b))
	}
	return binary.NativeEndian.Uint64(b)
}

func (f field) unsigned() bool { return f.kind >= reflect.Uint && f.kind <= reflect.Uint64 }

// tooLarge stands for an unsigned number that no column holds.
const tooLarge = math.MinInt64

// int is a whole number, or NoInt for the greatest of its type, the identity of
// min: nothing has come.
func (f field) int(bits uint64) int64 {
	switch {
	case f.unsigned() && bits == math.MaxUint64:
		return NoInt
	case f.unsigned() && bits >= uint64(NoInt):
		return tooLarge
	case f.kind == reflect.Int32 && int32(bits) == math.MaxInt32:
		return NoInt
	}
	shift := 64 - 8*f.size
	return int64(bits<<shift) >> shift
}
