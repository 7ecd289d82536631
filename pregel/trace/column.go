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

// encodeColumn writes a slice of any type.
func encodeColumn(list any) column {
	v := reflect.ValueOf(list)
	if v.Kind() != reflect.Slice {
		return column{}
	}
	c := column{ends: make([]int, v.Len())}
	for i := range c.ends {
		c.text = appendValue(c.text, v.Index(i))
		c.ends[i] = len(c.text)
	}
	return c
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
		return appendStruct(to, v)
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

func appendStruct(to []byte, v reflect.Value) []byte {
	to = append(to, '{')
	for i := range v.NumField() {
		if i > 0 {
			to = append(to, ',')
		}
		to = appendString(to, FieldName(v.Type().Field(i)))
		to = appendValue(append(to, ':'), v.Field(i))
	}
	return append(to, '}')
}

func appendList(to []byte, v reflect.Value) []byte {
	to = append(to, '[')
	for i := range v.Len() {
		if i > 0 {
			to = append(to, ',')
		}
		to = appendValue(to, v.Index(i))
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
