package trace

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// A column is a list of values as JSON texts, one behind the other.
type column struct {
	text []byte
	ends []int
}

// encodeColumn writes the values in a slice of any type; nothing of what is none.
func encodeColumn(list reflect.Value) column {
	if list.Kind() != reflect.Slice {
		return column{}
	}
	return encodeSample(list, nil)
}

// encodeSample writes those of a sample, all if it is nil.
func encodeSample(list reflect.Value, sample []uint32) (c column) {
	text := texter(list.Type().Elem())
	each(list.Len(), sample, func(v uint32) {
		c.text = text(c.text, list.Index(int(v)))
		c.ends = append(c.ends, len(c.text))
	})
	return c
}

// add appends a text.
func (c *column) add(text []byte) {
	c.text = append(c.text, text...)
	c.ends = append(c.ends, len(c.text))
}

func (c column) len() int { return len(c.ends) }

// at returns value i.
func (c column) at(i uint32) Value {
	from := 0
	if i > 0 {
		from = c.ends[i-1]
	}
	return Value(c.text[from:c.ends[i]:c.ends[i]])
}

// values returns all.
func (c column) values() []Value {
	list := make([]Value, c.len())
	for i := range list {
		list[i] = c.at(uint32(i))
	}
	return list
}

// encodeValues writes values of any types.
func encodeValues(list []any) []Value {
	var texts []Value
	for _, x := range list {
		texts = append(texts, Value(appendAny(nil, x)))
	}
	return texts
}

// appendAny writes a value, or what is the text of one.
func appendAny(to []byte, x any) []byte {
	if text, ok := x.(Value); ok {
		return append(to, text...)
	}
	return appendValue(to, reflect.ValueOf(x))
}

// texter returns what writes values of a type: the names of fields are found once.
func texter(t reflect.Type) func(to []byte, v reflect.Value) []byte {
	if t.Kind() != reflect.Struct {
		return appendValue
	}
	n := t.NumField()
	names, fields := make([][]byte, n), make([]func([]byte, reflect.Value) []byte, n)
	for i := range n {
		if i > 0 {
			names[i] = append(names[i], ',')
		}
		names[i] = append(appendString(names[i], FieldName(t.Field(i))), ':')
		fields[i] = texter(t.Field(i).Type)
	}
	return func(to []byte, v reflect.Value) []byte {
		to = append(to, '{')
		for i, field := range fields {
			to = field(append(to, names[i]...), v.Field(i))
		}
		return append(to, '}')
	}
}

// appendValue writes a value by its kind, unexported fields of structs, too.
func appendValue(to []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Invalid:
		return append(to, "null"...)
	case reflect.Bool:
		return strconv.AppendBool(to, v.Bool())
	case reflect.Float32:
		return appendFloat(to, v.Float(), 32)
	case reflect.Float64:
		return appendFloat(to, v.Float(), 64)
	case reflect.Struct:
		return texter(v.Type())(to, v)
	case reflect.Slice, reflect.Array:
		return appendList(to, v)
	case reflect.Pointer, reflect.Interface:
		return appendValue(to, v.Elem())
	}
	switch {
	case v.CanUint():
		return appendUint(to, v.Uint(), v.Kind())
	case v.CanInt():
		return appendInt(to, v.Int(), v.Kind())
	}
	text, err := json.Marshal(fmt.Sprint(v))
	if err != nil {
		return append(to, "null"...)
	}
	return append(to, text...)
}

func appendUint(to []byte, x uint64, kind reflect.Kind) []byte {
	if kind == reflect.Uint32 && x == math.MaxUint32 || x == math.MaxUint64 {
		return append(to, "null"...)
	}
	return strconv.AppendUint(to, x, 10)
}

func appendInt(to []byte, x int64, kind reflect.Kind) []byte {
	if kind == reflect.Int32 && x == math.MaxInt32 || x == math.MaxInt64 {
		return append(to, "null"...)
	}
	return strconv.AppendInt(to, x, 10)
}

func appendList(to []byte, v reflect.Value) []byte {
	to = append(to, '[')
	text := texter(v.Type().Elem())
	for i := range v.Len() {
		if i > 0 {
			to = append(to, ',')
		}
		to = text(to, v.Index(i))
	}
	return append(to, ']')
}

// FieldName is a field's name with a small first letter.
func FieldName(f reflect.StructField) string {
	first, size := utf8.DecodeRuneInString(f.Name)
	return string(unicode.ToLower(first)) + f.Name[size:]
}

// columnsOf names the fields of the values in a slice, nil if they are no structs.
func columnsOf(list any) []string {
	t := reflect.TypeOf(list)
	if t == nil || t.Kind() != reflect.Slice || t.Elem().Kind() != reflect.Struct {
		return nil
	}
	var names []string
	for i := range t.Elem().NumField() {
		names = append(names, FieldName(t.Elem().Field(i)))
	}
	return names
}
