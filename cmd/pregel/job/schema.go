package job

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/invopop/jsonschema"

	"gopregel/pregel/graphgen"
	"gopregel/programs"
)

const schemaComment = "Made by `pregel schema` of the tables that the parser uses. Beyond it the parser wants numbers written plainly (10, not 1e1 or 010), checks that the names of files tell their format, that the program has checkpoints if there are to be any, and what concerns several parameters of a generator."

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
	if len(list) != 1 {
		addKernels(s)
	} else {
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
	case Interval:
		s.AnyOf = []*jsonschema.Schema{{Type: "integer", Minimum: "1"}, {Type: "string", Pattern: durationForm}}
		return s
	case Text:
		s.Type, s.MinLength = "string", one()
		for _, e := range f.Enum {
			s.Enum, s.MinLength = append(s.Enum, e), nil
		}
		if f.Form != nil {
			s.Pattern = f.Form.pattern.String()
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

// addKernels allows a kernel in place of a program's name; one does not run on
// the CPU. Its parameters are those that it declares, which a schema cannot say.
func addKernels(s *jsonschema.Schema) {
	name, _ := s.Properties.Get("program")
	kernel := newKernel()
	o := object("a kernel of one's own, in CUDA C", kernel.fields())
	o.Properties.Set("value", &jsonschema.Schema{
		Description: "the type of a vertex's value, or a mapping of the names of its fields to their types",
		AnyOf:       []*jsonschema.Schema{{Type: "string", Enum: words(valueTypes)}, nameTypes(valueTypes, "id", 1)},
	})
	params := nameTypes(paramTypes, LimitName, 0)
	params.Description = "the names of the parameters with their types"
	o.Properties.Set("params", params)
	s.Definitions["kernel"] = o
	s.Properties.Set("program", &jsonschema.Schema{
		Description: name.Description,
		AnyOf:       []*jsonschema.Schema{{Type: "string", Enum: name.Enum}, refTo("kernel")},
	})
	onCPU := &jsonschema.Schema{Properties: jsonschema.NewProperties()}
	onCPU.Properties.Set("device", &jsonschema.Schema{Enum: []any{"auto", "cuda"}})
	then := &jsonschema.Schema{Properties: jsonschema.NewProperties()}
	then.Properties.Set("engine", onCPU)
	s.AllOf = append(s.AllOf, &jsonschema.Schema{If: with("program", &jsonschema.Schema{Type: "object"}), Then: then})
}

// nameTypes is the schema of a mapping of names to types, in which one name is
// taken.
func nameTypes(types []string, taken string, least uint64) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type: "object", Properties: jsonschema.NewProperties(),
		PropertyNames:        &jsonschema.Schema{Pattern: identifier.String()},
		AdditionalProperties: &jsonschema.Schema{Type: "string", Enum: words(types)},
	}
	if least > 0 {
		s.MinProperties = &least
	}
	s.Properties.Set(taken, jsonschema.FalseSchema)
	return s
}

func words(list []string) []any {
	all := make([]any, len(list))
	for i, w := range list {
		all[i] = w
	}
	return all
}
