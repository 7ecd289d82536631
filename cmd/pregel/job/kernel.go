package job

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"

	"gopregel/pregel"
	"gopregel/programs"
	"gopregel/runtime/cuda"
)

// A Kernel is a program that the job brings with it: the functions init, emit
// and apply in a file of CUDA C, and what an edge program declares of itself.
type Kernel struct {
	Path    string `param:"kernel" doc:"the file of CUDA C with the functions init, emit and apply; relative to the job file" required:"true"`
	Message string `param:"message" doc:"the type of a message; a vertex is an id in the user's graph" enum:"int32,uint32,int64,uint64,float32,float64,vertex" required:"true"`
	Combine string `param:"combine" doc:"how messages to one vertex become one" enum:"min,max,sum,or,any" required:"true"`
	Edge    string `param:"edge" doc:"what becomes of a message on its way along an edge" enum:"copy,plus_weight,times_weight,min_weight,source_id"`
	Along   string `param:"along" doc:"along which edges messages travel" enum:"out,in,both"`
	Silent  bool   `param:"silent" doc:"whether apply also runs for awake vertices without a message"`
	Relaxes bool   `param:"relaxes" doc:"whether messages may be delivered at once, with engine.schedule relaxed: combine is min, max or or, and apply and emit are monotone and look at no superstep (pregel.Relaxer)"`

	Value  []NameType `param:"-"` // the fields of a vertex's value, the columns of the answer; one without a name is the value itself
	Params []NameType `param:"-"` // what the job's params set

	source string
}

// A NameType is a field of a kernel's value or one of its parameters.
type NameType struct{ Name, Type string }

var (
	valueTypes = []string{"int32", "uint32", "int64", "uint64", "float32", "float64", "vertex"}
	paramTypes = []string{"vertex", "int", "float", "bool"}
)

var (
	settledFunction  = regexp.MustCompile(`__device__[^;{}]*\bsettled\s*\(`)
	priorityFunction = regexp.MustCompile(`__device__[^;{}]*\bpriority\s*\(`)
)

var identifier = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

func newKernel() *Kernel { return &Kernel{Edge: "copy", Along: "out"} }

// Settles tells whether vertices settle, and wait for nobody before that.
func (k *Kernel) Settles() bool {
	return settledFunction.MatchString(k.source) && !priorityFunction.MatchString(k.source)
}

// fields returns the keys of the mapping `program`. Those without a Type of
// their own are looked at by readKernel.
func (k *Kernel) fields() []Field {
	fields := own(k)
	value := Field{Name: "value", Doc: "the type of a vertex's value (" + oneOf(valueTypes) + "), or a mapping of the names of its fields to their types", Required: true}
	params := Field{Name: "params", Doc: "the names of the parameters with their types (" + oneOf(paramTypes) + ")"}
	return append([]Field{fields[0], value}, append(fields[1:], params)...)
}

// Name is what the program is called: its file, without the extension.
func (k *Kernel) Name() string {
	name := filepath.Base(k.Path)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// readKernel reads a program that is a mapping. It returns false when the
// program is none.
func (j *Job) readKernel(d *document) bool {
	n := d.mappingAt("program")
	if n == nil {
		return false
	}
	before := len(d.errs)
	k := newKernel()
	fields := k.fields()
	known := d.section("program", n, fields)
	d.missing("program", n, known, fields)
	if e, ok := known["value"]; ok {
		k.Value = d.value(e)
	}
	if e, ok := known["params"]; ok {
		k.Params = d.namesAndTypes("program.params", e.value, paramTypes, LimitName, "every program has it")
	}
	j.Kernel, j.Program, j.params = k, k.Name(), nil
	j.Algorithm = k.program(nil)
	if len(d.errs) == before {
		j.bindKernel()
	}
	return true
}

// value reads the type of a vertex's value.
func (d *document) value(e entry) []NameType {
	const path = "program.value"
	if e.value.Kind == yaml.MappingNode {
		list := d.namesAndTypes(path, e.value, valueTypes, "id", "the column of ids has that name")
		if len(e.value.Content) == 0 {
			d.fail(e.where, path, "found no fields, allowed: at least one")
		}
		return list
	}
	f := Field{Type: Text, Enum: valueTypes}
	if problem := f.refuses(e.value); problem != "" {
		d.fail(e.where, path, problem+", or a mapping of names to these")
	}
	return []NameType{{Type: e.value.Value}}
}

// namesAndTypes reads a mapping of names to types, in its order. One name is
// taken.
func (d *document) namesAndTypes(path string, n *yaml.Node, types []string, taken, why string) (list []NameType) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, fmt.Sprintf("found %s, allowed: a mapping of names to types (%s)", describeNode(n), strings.Join(types, ", ")))
		return nil
	}
	for _, e := range d.entries(path, n) {
		field := join(path, e.name)
		switch {
		case !identifier.MatchString(e.name):
			d.fail(e.key, path, fmt.Sprintf("found the name %s, allowed: lower-case letters, digits and _, no digit first", describeNode(e.key)))
			continue
		case e.name == taken:
			d.fail(e.key, field, "the name is taken: "+why)
			continue
		}
		d.at[field] = d.place(e.where)
		f := Field{Type: Text, Enum: types}
		if problem := f.refuses(e.value); problem != "" {
			d.fail(e.where, field, problem)
			continue
		}
		list = append(list, NameType{e.name, e.value.Value})
	}
	return list
}

// mappingAt returns the value of a key at the top if it is a mapping.
func (d *document) mappingAt(name string) *yaml.Node {
	if d.root == nil || d.root.Kind != yaml.MappingNode {
		return nil
	}
	i := index(d.root, name)
	if i < 0 || follow(d.root.Content[i+1]).Kind != yaml.MappingNode {
		return nil
	}
	return follow(d.root.Content[i+1])
}

// bindKernel makes the parameters of the job's kernel, each with a value of its
// own; all must be set.
func (j *Job) bindKernel() {
	types := map[string]struct {
		of  Type
		key reflect.Type
	}{
		"vertex": {Vertex, reflect.TypeFor[pregel.ID]()}, "int": {Integer, reflect.TypeFor[int64]()},
		"float": {Number, reflect.TypeFor[float64]()}, "bool": {Boolean, reflect.TypeFor[bool]()},
	}
	j.entry = programs.Entry{Name: j.Program}
	j.params = nil
	for _, p := range j.Kernel.Params {
		t := types[p.Type]
		j.params = append(j.params, Field{
			Name: p.Name, Doc: "of the kernel, declared in program.params", Type: t.of, Required: true, target: reflect.New(t.key).Elem(),
		})
	}
	j.params = append(j.params, j.limit())
}

// program makes the algorithm, with the values that the parameters have.
func (k *Kernel) program(params []Field) *cuda.KernelProgram {
	p := &cuda.KernelProgram{
		Name: filepath.Base(k.Path), Source: k.source, Value: k.valueText(), Message: k.Message,
		Combine: k.Combine, Edge: k.Edge, Along: k.Along, Silent: k.Silent, Relaxed: k.Relaxes,
	}
	for i, declared := range k.Params {
		given := cuda.Param{Name: declared.Name, Type: declared.Type}
		if i < len(params) {
			given.Value = params[i].Value()
			if params[i].Type == Vertex {
				given.Value = pregel.ID(params[i].Text())
			}
		}
		p.Params = append(p.Params, given)
	}
	return p
}

// valueText writes the value's type, or its fields as "name:type,name:type".
func (k *Kernel) valueText() string {
	words := make([]string, len(k.Value))
	for i, f := range k.Value {
		words[i] = strings.TrimPrefix(f.Name+":"+f.Type, ":")
	}
	return strings.Join(words, ",")
}

// loadKernel reads the kernel's file and checks what can be checked without a
// device.
func (j *Job) loadKernel() error {
	k := j.Kernel
	text, err := readSource(j.KernelPath())
	if err != nil {
		return j.Errorf("program.kernel", "%w", err)
	}
	k.source = text
	p := k.program(j.params)
	if err := p.Check(); err != nil {
		return j.Errorf("program", "%w", err)
	}
	j.Algorithm = p
	return nil
}

func readSource(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return "", err
	}
	if len(text) > maxSize {
		return "", fmt.Errorf("%s: more than %d bytes: this is no source", path, maxSize)
	}
	return string(text), nil
}

// KernelPath returns the path of the kernel's file, "" when the program is a
// built-in one.
func (j *Job) KernelPath() string {
	if j.Kernel == nil {
		return ""
	}
	return j.resolve("program.kernel", j.Kernel.Path)
}

// encode writes the mapping `program`.
func (k *Kernel) encode() *yaml.Node {
	n := mappingNode(own(k))
	value := encodeTypes(k.Value)
	if len(k.Value) == 1 && k.Value[0].Name == "" {
		value = textNode(k.Value[0].Type)
	}
	put(n, "value", value)
	put(n, "params", encodeTypes(k.Params))
	return n
}

func encodeTypes(list []NameType) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, p := range list {
		put(n, p.Name, textNode(p.Type))
	}
	return n
}
