package job

import (
	"fmt"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"
)

// section checks a mapping against its fields, sets those that are values, and
// returns the entries of known keys.
func (d *document) section(path string, n *yaml.Node, fields []Field) map[string]entry {
	known := map[string]entry{}
	if n == nil {
		n = &yaml.Node{Kind: yaml.MappingNode}
	}
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, fmt.Sprintf("found %s, allowed: a mapping with the keys %s", describeNode(n), strings.Join(names(fields), ", ")))
		return nil
	}
	for _, e := range d.entries(path, n) {
		f := find(fields, e.name)
		if f == nil {
			d.unknown(path, e, fields)
			continue
		}
		known[e.name] = e
		field := join(path, e.name)
		d.at[field] = d.place(e.where)
		if problem := f.refuses(e.value); problem != "" {
			d.fail(e.where, field, problem)
		}
	}
	return known
}

// missing reports the required fields of a section that are not there.
func (d *document) missing(path string, n *yaml.Node, known map[string]entry, fields []Field) {
	for _, f := range fields {
		if _, ok := known[f.Name]; ok || !f.Required {
			continue
		}
		problem := "missing: " + f.Doc
		if f.Type != Section {
			problem += " (" + f.Allowed() + ")"
		}
		d.fail(n, join(path, f.Name), problem)
	}
}

func (d *document) unknown(path string, e entry, fields []Field) {
	problem := "unknown field; "
	if path == "limits" && strings.Contains(e.name, "superstep") {
		problem += "did you mean params." + LimitName + "? "
	}
	if near := nearest(e.name, names(fields)); near != "" {
		problem += "did you mean " + near + "? "
	} else if section := d.home(e.name); section != "" && section != path {
		problem += "did you mean " + join(section, e.name) + "? "
	}
	d.fail(e.key, join(path, e.name), problem+"allowed: "+strings.Join(names(fields), ", "))
}

// home returns the section that has a field of that name.
func (d *document) home(name string) string {
	for _, s := range d.fields {
		if find(s.Fields, name) != nil {
			return s.Name
		}
	}
	return ""
}

// refuses says why a value is not what the field allows, or sets the field.
func (f *Field) refuses(n *yaml.Node) string {
	if f.Type == Section {
		return "" // looked at by its own walk
	}
	value, ok := f.parse(n)
	if !ok {
		return fmt.Sprintf("found %s, allowed: %s%s", describeNode(n), f.Allowed(), f.hint(n))
	}
	f.set(value)
	return ""
}

func (f *Field) set(value any) {
	if !f.target.IsValid() {
		return
	}
	v := reflect.ValueOf(value)
	if f.target.Kind() == reflect.Pointer {
		p := reflect.New(f.target.Type().Elem())
		p.Elem().Set(v.Convert(p.Type().Elem()))
		f.target.Set(p)
		return
	}
	f.target.Set(v.Convert(f.target.Type()))
}

// hint helps with the usual mistakes.
func (f *Field) hint(n *yaml.Node) string {
	switch {
	case n.Kind != yaml.ScalarNode:
		return ""
	case isNull(n):
		return "; leave the key out for the default"
	case n.Style&yaml.TaggedStyle != 0:
		return ", without a tag"
	case f.Form != nil:
		return ""
	case (f.Type == Text && f.Enum == nil || f.Type == Vertex) && n.Value != "":
		return fmt.Sprintf("; for a string write it in quotes, %q", n.Value)
	case f.Name == "program" && strings.HasSuffix(n.Value, ".cu"):
		return fmt.Sprintf("; for a kernel write {kernel: %s, value: …, message: …, combine: …}", n.Value)
	case f.Type == Text && f.Enum != nil:
		if near := nearest(n.Value, f.Enum); near != "" {
			return "; did you mean " + near + "?"
		}
	case f.Type != Integer && f.Type != Number:
		return ""
	case quoted(n) && plainNumber(n.Value):
		return ", without quotes"
	case f.Type == Integer && !wholeForm.MatchString(n.Value), !plainNumber(n.Value):
		return formHint(n.Value)
	}
	return ""
}
