package job

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Type is what the value of a field is.
type Type uint8

// The types.
const (
	Section Type = iota // a mapping of fields
	Text
	Integer
	Number
	Boolean
	Vertex   // a vertex's id: a whole number or a string
	Interval // a whole number of supersteps or a duration
)

var typeNames = [...]string{"mapping", "string", "integer", "number", "boolean", "id", "interval"}

func (t Type) String() string { return typeNames[t] }

// A Field is a key of a job file.
type Field struct {
	Name, Doc string
	Type      Type
	Enum      []string // of a Text: what it may be; nil: anything
	Form      *form    // of a Text: an amount; nil: none
	Min, Max  *Bound   // of an Integer or a Number
	Required  bool
	Fields    []Field // of a Section

	target reflect.Value // where the value goes; its first content is the default
	preset any           // the default, nil when there is none
}

// A Bound limits a number.
type Bound struct {
	Value float64
	Open  bool // the number itself is not allowed
}

// Default returns what the field is when a job leaves it out, nil when that is
// nothing that could be written.
func (f *Field) Default() any { return f.preset }

// Value returns what the field is set to, nil when it is not.
func (f *Field) Value() any { return valueOf(f.target) }

// Set sets the field to a value written as in a job file, but for quotes, which
// strings do not need.
func (f *Field) Set(text string) error {
	n := plainScalar(text)
	if f.Type == Text || f.Type == Vertex {
		n = textNode(text)
	}
	if problem := f.refuses(n); problem != "" {
		return errors.New(problem)
	}
	return nil
}

func valueOf(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return valueOf(v.Elem())
	case reflect.String:
		return v.String()
	case reflect.Int, reflect.Int64:
		return v.Int()
	case reflect.Uint64:
		return v.Uint()
	case reflect.Float64:
		return v.Float()
	case reflect.Bool:
		return v.Bool()
	}
	return nil
}

// Text writes the field's value as a job file would.
func (f *Field) Text() string { return textOf(f.Value()) }

func textOf(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case float64:
		return formatNumber(v)
	default:
		return fmt.Sprint(v)
	}
}

// formatNumber writes the shortest text that reads back as x, in a form that
// YAML takes for a number.
func formatNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Allowed says in words what the field may be.
func (f *Field) Allowed() string {
	switch f.Type {
	case Section:
		return "a mapping with the keys " + strings.Join(names(f.Fields), ", ")
	case Boolean:
		return "true or false"
	case Vertex:
		return "an id: a whole number, or a string"
	case Interval:
		return "a whole number of supersteps, of at least 1, or a duration such as 30s or 5m"
	case Integer:
		return "a whole number" + f.rangeText()
	case Number:
		return "a number" + f.rangeText()
	}
	if len(f.Enum) > 0 {
		return oneOf(f.Enum)
	}
	if f.Form != nil {
		return f.Form.words
	}
	return "a string"
}

func oneOf(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

func (f *Field) rangeText() string {
	switch lo, hi := f.Min, f.Max; {
	case lo != nil && hi != nil && !lo.Open && !hi.Open:
		return fmt.Sprintf(" from %s to %s", lo, hi)
	case lo != nil && hi != nil:
		return fmt.Sprintf(" %s %s and %s %s", side(lo.Open, "above", "from"), lo, side(hi.Open, "below", "up to"), hi)
	case lo != nil:
		return fmt.Sprintf(" %s %s", side(lo.Open, "above", "of at least"), lo)
	case hi != nil:
		return fmt.Sprintf(" %s %s", side(hi.Open, "below", "of at most"), hi)
	}
	return ""
}

func side(open bool, strict, loose string) string {
	if open {
		return strict
	}
	return loose
}

func (b *Bound) String() string {
	switch {
	case b.Value == math.MaxUint64:
		return "2^64-1"
	case b.Value == math.Trunc(b.Value) && math.Abs(b.Value) < 1e15:
		return strconv.FormatFloat(b.Value, 'f', 0, 64)
	}
	return formatNumber(b.Value)
}

// admits tells whether x is in range. NaN never is.
func (f *Field) admits(x float64) bool {
	return !math.IsNaN(x) &&
		(f.Min == nil || x > f.Min.Value || x == f.Min.Value && !f.Min.Open) &&
		(f.Max == nil || x < f.Max.Value || x == f.Max.Value && !f.Max.Open)
}

func names(fields []Field) []string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = f.Name
	}
	return list
}

func find(fields []Field, name string) *Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}
