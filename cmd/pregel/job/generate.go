package job

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"gopkg.in/yaml.v3"

	"gopregel/pregel/graphgen"
)

func kindField() Field {
	f := Field{Name: "kind", Doc: "which generator", Type: Text, Required: true}
	for _, k := range graphgen.Kinds() {
		f.Enum = append(f.Enum, k.Name)
	}
	return f
}

// GeneratorParams returns the parameters of a kind of generator, bound to values
// of their own.
func GeneratorParams(k graphgen.Kind) []Field {
	types := map[string]Type{"integer": Integer, "number": Number, "boolean": Boolean, "string": Text}
	fields := make([]Field, len(k.Params))
	for i, p := range k.Params {
		f := Field{Name: p.Name, Doc: p.Doc, Type: types[p.Type], Enum: p.Enum, Required: p.Required()}
		if f.Type == Integer || f.Type == Number {
			f.Min, f.Max = &Bound{Value: p.Min}, &Bound{Value: p.Max}
		}
		f.preset = presetOf(f.Type, p.Default)
		f.target = f.storage()
		if f.preset != nil {
			f.set(f.preset)
		}
		fields[i] = f
	}
	return fields
}

// storage makes a value of the field's type.
func (f *Field) storage() reflect.Value {
	t := reflect.TypeFor[bool]()
	switch {
	case f.Type == Number:
		t = reflect.TypeFor[float64]()
	case f.Type == Text:
		t = reflect.TypeFor[string]()
	case f.Type == Integer && f.Max.Value > math.MaxInt64:
		t = reflect.TypeFor[uint64]()
	case f.Type == Integer:
		t = reflect.TypeFor[int64]()
	}
	return reflect.New(t).Elem()
}

func presetOf(t Type, text string) any {
	if text == "" {
		return nil
	}
	switch t {
	case Boolean:
		return text == "true"
	case Integer:
		if x, err := strconv.ParseInt(text, 10, 64); err == nil {
			return x
		}
	case Number:
		if x, err := strconv.ParseFloat(text, 64); err == nil {
			return x
		}
	}
	return text
}

// generatorFields are the keys of graph.generate for a kind.
func generatorFields(k graphgen.Kind) []Field {
	return append([]Field{kindField()}, GeneratorParams(k)...)
}

// kind finds the kind of generator and checks its parameters; nil when it is
// not known.
func (d *document) kind(path string, n *yaml.Node) (*graphgen.Kind, map[string]entry) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, fmt.Sprintf("found %s, allowed: a mapping with the key kind and the parameters of that kind", describeNode(n)))
		return nil, nil
	}
	kind := kindField()
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != kind.Name {
			continue
		}
		value := follow(n.Content[i+1])
		for _, k := range graphgen.Kinds() {
			if value.Kind == yaml.ScalarNode && value.Value == k.Name {
				return &k, d.section(path, n, generatorFields(k))
			}
		}
		d.fail(n.Content[i+1], join(path, kind.Name), kind.refuses(value))
		return nil, nil
	}
	d.missing(path, n, nil, []Field{kind})
	return nil, nil
}
