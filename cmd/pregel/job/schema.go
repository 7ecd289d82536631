package job

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/invopop/jsonschema"

	"gopregel/pregel/graphgen"
	"gopregel/programs"
)

const schemaComment = "Made by `pregel schema` of the tables that the parser uses. Beyond it the parser wants numbers written plainly (10, not 1e1 or 010), checks that the names of files tell their format, and what concerns several parameters of a generator."

// Schema returns the JSON Schema of job files for the given programs: what
// editors check and complete a job with.
func Schema(list []programs.Entry) (*jsonschema.Schema, error) {
	j := newJob()
	s := object("A job of pregel: which program runs on which graph.", j.fields(list))
	s.Version, s.Title, s.Comments = jsonschema.Version, "pregel job", schemaComment
	s.Definitions = jsonschema.Definitions{}
	graph, _ := s.Properties.Get("graph")
	graph.OneOf = []*jsonschema.Schema{{Required: []string{"path"}}, {Required: []string{"generate"}}}
	graph.Properties.Set("generate", generateSchema(s.Definitions))
	graph.AllOf = []*jsonschema.Schema{readOnly(), ownWeights()}
	for _, e := range list {
		params, err := Parameters(e)
		if err != nil {
			return nil, err
		}
		name := "params-" + e.Name
		s.Definitions[name] = object(e.Doc, params)
		s.AllOf = append(s.AllOf, paramsOf(e.Name, name, s.Definitions[name].Required))
	}
	if len(list) == 1 {
		s.AllOf = nil
		s.Properties.Set("params", refTo("params-"+list[0].Name))
		if only := s.Definitions["params-"+list[0].Name]; len(only.Required) > 0 {
			s.Required = append(s.Required, "params")
		}
	}
	return s, nil
}

// object is the schema of a mapping.
func object(doc string, fields []Field) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type: "object", Description: doc, Properties: jsonschema.NewProperties(),
		AdditionalProperties: jsonschema.FalseSchema,
	}
	for _, f := range fields {
		s.Properties.Set(f.Name, f.schema())
		if f.Required {
			s.Required = append(s.Required, f.Name)
		}
	}
	return s
}

func (f *Field) schema() *jsonschema.Schema {
	s := &jsonschema.Schema{Description: f.Doc, Default: f.preset}
	switch f.Type {
	case Section:
		if f.Fields == nil {
			s.Type = "object" // its keys depend on others
			return s
		}
		return object(f.Doc, f.Fields)
	case Vertex:
		id := jsonschema.Schema{Type: "integer"}
		s.AnyOf = []*jsonschema.Schema{&id, {Type: "string", MinLength: one()}}
		return s
	case Text:
		s.Type, s.MinLength = "string", one()
		for _, e := range f.Enum {
			s.Enum, s.MinLength = append(s.Enum, e), nil
		}
		return s
	}
	s.Type = f.Type.String()
	s.Minimum, s.ExclusiveMinimum = f.Min.numbers()
	s.Maximum, s.ExclusiveMaximum = f.Max.numbers()
	return s
}

func (b *Bound) numbers() (closed, open json.Number) {
	if b == nil {
		return "", ""
	}
	text := strconv.FormatFloat(b.Value, 'g', -1, 64)
	switch {
	case b.Value == math.MaxUint64:
		text = "18446744073709551615"
	case b.Value == math.Trunc(b.Value) && math.Abs(b.Value) < 1e15:
		text = strconv.FormatFloat(b.Value, 'f', 0, 64)
	}
	if b.Open {
		return "", json.Number(text)
	}
	return json.Number(text), ""
}

func one() *uint64 {
	n := uint64(1)
	return &n
}

func refTo(name string) *jsonschema.Schema { return &jsonschema.Schema{Ref: "#/$defs/" + name} }

// when is the schema of an object whose property key has one of the values.
func when(key string, values ...any) *jsonschema.Schema {
	return with(key, &jsonschema.Schema{Enum: values})
}

// with is the schema of an object that has the property key, as s says.
func with(key string, s *jsonschema.Schema) *jsonschema.Schema {
	o := &jsonschema.Schema{Properties: jsonschema.NewProperties(), Required: []string{key}}
	o.Properties.Set(key, s)
	return o
}

// paramsOf ties params to the program.
func paramsOf(program, definition string, required []string) *jsonschema.Schema {
	then := &jsonschema.Schema{Properties: jsonschema.NewProperties()}
	then.Properties.Set("params", refTo(definition))
	if len(required) > 0 {
		then.Required = []string{"params"}
	}
	return &jsonschema.Schema{If: when("program", program), Then: then}
}

// generateSchema ties the parameters of a generator to its kind.
func generateSchema(defs jsonschema.Definitions) *jsonschema.Schema {
	kind := kindField()
	s := with(kind.Name, kind.schema())
	s.Type, s.Description = "object", "makes the graph instead of reading one"
	for _, k := range graphgen.Kinds() {
		name := "generate-" + k.Name
		o := object(k.Doc, generatorFields(k))
		o.Properties.Set(kind.Name, &jsonschema.Schema{Const: k.Name})
		defs[name] = o
		s.AllOf = append(s.AllOf, &jsonschema.Schema{If: when(kind.Name, k.Name), Then: refTo(name)})
	}
	return s
}

// readOnly refuses the keys that say how a file is read when there is none.
func readOnly() *jsonschema.Schema {
	then := &jsonschema.Schema{Properties: jsonschema.NewProperties()}
	for _, name := range fileOnly {
		then.Properties.Set(name, jsonschema.FalseSchema)
	}
	return &jsonschema.Schema{If: &jsonschema.Schema{Required: []string{"generate"}}, Then: then}
}

// ownWeights refuses `weights: file` for generators without weights.
func ownWeights() *jsonschema.Schema {
	var unweighted []any
	for _, k := range graphgen.Kinds() {
		if !k.Weighted {
			unweighted = append(unweighted, k.Name)
		}
	}
	then := &jsonschema.Schema{Properties: jsonschema.NewProperties()}
	then.Properties.Set("weights", &jsonschema.Schema{Enum: []any{"none", "splitmix64"}})
	return &jsonschema.Schema{If: with("generate", when("kind", unweighted...)), Then: then}
}
