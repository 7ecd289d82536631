package job

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopregel/pregel"
	"gopregel/programs"
)

// The tags of a struct's fields that Describe reads:
//
//	param:"name"        the key; "-" hides an exported field
//	doc:"…"             what it means; must be there
//	min:"0" max:"1"     inclusive bounds of a number
//	above:"0" below:"1" exclusive ones
//	enum:"a,b"          what a string may be
//	form:"size"         what a string stands for (forms)
//	required:"true"     the job must set it

// Describe returns the parameters of an algorithm, bound to its fields.
// algorithm is a pointer to a struct, or says where its parameters are
// (pregel.Parametrized); the fields of embedded structs count as its own.
func Describe(algorithm any) ([]Field, error) {
	if p, ok := algorithm.(pregel.Parametrized); ok {
		algorithm = p.Parameters()
	}
	v := reflect.ValueOf(algorithm)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil, fmt.Errorf("%T: want a pointer to a struct, whose fields are the parameters", algorithm)
	}
	fields, err := describe(v.Elem())
	if err != nil {
		return nil, fmt.Errorf("%T: %w", algorithm, err)
	}
	for i, f := range fields {
		if find(fields[:i], f.Name) != nil {
			return nil, fmt.Errorf("%T: two fields have the tag param:%q", algorithm, f.Name)
		}
	}
	return fields, nil
}

func describe(v reflect.Value) ([]Field, error) {
	var fields []Field
	for i := range v.NumField() {
		s := v.Type().Field(i)
		name, tagged := s.Tag.Lookup("param")
		switch {
		case s.Anonymous && s.Type.Kind() == reflect.Struct && !tagged:
			inner, err := describe(v.Field(i))
			if err != nil {
				return nil, err
			}
			fields = append(fields, inner...)
			continue
		case !s.IsExported() && tagged:
			return nil, fmt.Errorf("field %s has the tag param:%q but is not exported", s.Name, name)
		case !s.IsExported() || name == "-":
			continue
		case name == "":
			return nil, fmt.Errorf(`field %s: no tag param:"…"; param:"-" hides it`, s.Name)
		}
		f, err := describeOne(name, s, v.Field(i))
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", s.Name, err)
		}
		fields = append(fields, f)
	}
	return fields, nil
}

var kindTypes = map[reflect.Kind]Type{
	reflect.String: Text, reflect.Int: Integer, reflect.Uint64: Integer, reflect.Float64: Number, reflect.Bool: Boolean,
}

func describeOne(name string, s reflect.StructField, v reflect.Value) (Field, error) {
	f := Field{Name: name, Doc: s.Tag.Get("doc"), target: v, preset: valueOf(v)}
	kind := s.Type.Kind()
	if kind == reflect.Pointer {
		kind = s.Type.Elem().Kind()
	}
	var ok bool
	if f.Type, ok = kindTypes[kind]; !ok {
		return f, fmt.Errorf("type %v: a parameter is a bool, int, float64, string or pregel.ID", s.Type)
	}
	if s.Type == reflect.TypeFor[pregel.ID]() {
		f.Type = Vertex
	}
	if s.Type == reflect.TypeFor[Every]() {
		f.Type = Interval
	}
	if f.preset == "" {
		f.preset = nil
	}
	return f, f.readTags(s.Tag)
}

func (f *Field) readTags(tag reflect.StructTag) error {
	if f.Doc == "" {
		return fmt.Errorf(`no tag doc:"…"`)
	}
	for _, b := range []struct {
		name string
		to   **Bound
		open bool
	}{{"min", &f.Min, false}, {"max", &f.Max, false}, {"above", &f.Min, true}, {"below", &f.Max, true}} {
		text, ok := tag.Lookup(b.name)
		if !ok {
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		switch {
		case err != nil:
			return fmt.Errorf("tag %s:%q is not a number", b.name, text)
		case f.Type != Integer && f.Type != Number:
			return fmt.Errorf("tag %s on a field that is no number", b.name)
		case *b.to != nil:
			return fmt.Errorf("tag %s, and a bound on the same side before it", b.name)
		}
		*b.to = &Bound{x, b.open}
	}
	if enum, ok := tag.Lookup("enum"); ok {
		if f.Type != Text {
			return fmt.Errorf("tag enum on a field that is no string")
		}
		f.Enum = choices(enum)
	}
	if name, ok := tag.Lookup("form"); ok {
		known, ok := forms[name]
		if !ok || f.Type != Text {
			return fmt.Errorf("tag form:%q on a %s: want a string, and one of the forms", name, f.Type)
		}
		f.Form = &known
	}
	switch required := tag.Get("required"); required {
	case "", "false":
	case "true":
		f.Required, f.preset = true, nil
	default:
		return fmt.Errorf(`tag required:%q, want "true"`, required)
	}
	return f.checkDefault()
}

// checkDefault finds a default that the field itself would not allow.
func (f *Field) checkDefault() error {
	bad := false
	switch v := f.preset.(type) {
	case int64:
		bad = !f.admits(float64(v))
	case float64:
		bad = !f.admits(v)
	case string:
		bad = len(f.Enum) > 0 && !slices.Contains(f.Enum, v)
	}
	if bad {
		return fmt.Errorf("the default is %s, allowed: %s", textOf(f.preset), f.Allowed())
	}
	return nil
}

func choices(enum string) []string {
	switch enum {
	case "@formats":
		return formatNames()
	case "@outputs":
		return outputNames()
	}
	return strings.Split(enum, ",")
}

// bind makes the algorithm of the job and returns its parameters, bound to it.
func (j *Job) bind(e programs.Entry) ([]Field, error) {
	j.entry, j.Program, j.Algorithm = e, e.Name, e.New()
	fields, err := Describe(j.Algorithm)
	if err != nil {
		return nil, fmt.Errorf("program %s: %w", e.Name, err)
	}
	if find(fields, LimitName) != nil {
		return nil, fmt.Errorf("program %s: every program has the parameter %s, none may make its own", e.Name, LimitName)
	}
	if l, ok := j.Algorithm.(pregel.Limiter); ok {
		j.MaxSupersteps = l.DefaultMaxSupersteps()
	}
	j.params = append(fields, j.limit())
	return j.params, nil
}

// LimitName is the parameter that every program has.
const LimitName = "max_supersteps"

func (j *Job) limit() Field {
	return Field{
		Name: LimitName, Doc: "supersteps after which the run is stopped, whatever it has reached; 0: no limit", Type: Integer,
		Min: &Bound{}, Max: &Bound{Value: 1e9}, preset: int64(j.MaxSupersteps), target: reflect.ValueOf(&j.MaxSupersteps).Elem(),
	}
}

// settled is the target of a field that is not found by Describe.
func settled(p *string) reflect.Value { return reflect.ValueOf(p).Elem() }

// Parameters returns the parameters of a program, with their defaults.
func Parameters(e programs.Entry) ([]Field, error) { return newJob().bind(e) }
