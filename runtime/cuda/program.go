package cuda

import (
	"context"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// A KernelProgram is an edge program that exists in CUDA C alone: what a job
// file names with `program: {kernel: …}`. Its source holds the functions of a
// pregel.Twin.
type KernelProgram struct {
	Name, Source         string
	Value, Message       string // a type, or for Value a list "depth:uint32, parent:vertex"
	Combine, Edge, Along string // names; "": copy, out
	Silent               bool
	Relaxed              bool // it keeps the law of pregel.Relaxer
	MaxSupersteps        int
	Params               []Param
}

// A Param is a parameter that the program's functions read from p. Type is
// vertex, int, float or bool, and Value a pregel.ID or string, int64 (or int),
// float64 or bool accordingly.
type Param struct {
	Name, Type string
	Value      any
}

// A field is one number of a value.
type field struct {
	name, kind string
	at, size   int
}

var kinds = map[string]struct {
	c    string
	size int
	goes reflect.Type // its type in Go
}{
	"int32": {"i32", 4, reflect.TypeFor[int32]()}, "uint32": {"u32", 4, reflect.TypeFor[uint32]()}, "vertex": {"u32", 4, reflect.TypeFor[uint32]()},
	"int64": {"i64", 8, reflect.TypeFor[int64]()}, "uint64": {"u64", 8, reflect.TypeFor[uint64]()},
	"float32": {"float", 4, reflect.TypeFor[float32]()}, "float64": {"double", 8, reflect.TypeFor[float64]()},
}

var kindNames = strings.Join(slices.Sorted(maps.Keys(kinds)), ", ")

var alongNames = map[string]pregel.Along{"": pregel.OutEdges, "out": pregel.OutEdges, "in": pregel.InEdges, "both": pregel.BothEdges}

var identifier = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

// OnDevice tells that it runs on a CUDA device.
func (p *KernelProgram) OnDevice() bool { return true }

// Relaxes tells that its messages may be delivered at once, on a device, if it says
// so.
func (p *KernelProgram) Relaxes(device bool) bool { return p.Relaxed && device }

// DefaultMaxSupersteps is the limit the program states.
func (p *KernelProgram) DefaultMaxSupersteps() int { return p.MaxSupersteps }

// fields takes the type of values apart, laid out as C does.
func (p *KernelProgram) fields() ([]field, int, error) {
	if _, ok := kinds[p.Value]; ok {
		return []field{{"value", p.Value, 0, kinds[p.Value].size}}, kinds[p.Value].size, nil
	}
	var list []field
	at, align := 0, 4
	for _, text := range strings.Split(p.Value, ",") {
		name, kind, ok := strings.Cut(strings.TrimSpace(text), ":")
		name, kind = strings.TrimSpace(name), strings.TrimSpace(kind)
		k, known := kinds[kind]
		switch {
		case !ok || !known:
			return nil, 0, fmt.Errorf("value: found %q, want one of %s, or fields of these", text, kindNames)
		case !identifier.MatchString(name):
			return nil, 0, fmt.Errorf("value: field %q, want a name in lower case", name)
		case slices.ContainsFunc(list, func(f field) bool { return f.name == name }):
			return nil, 0, fmt.Errorf("value: field %q twice", name)
		}
		at = (at + k.size - 1) / k.size * k.size
		align = max(align, k.size)
		list = append(list, field{name, kind, at, k.size})
		at += k.size
	}
	return list, (at + align - 1) / align * align, nil
}

// Check finds what can be wrong without a device: names, types, and whether the
// source has the functions.
func (p *KernelProgram) Check() error {
	_, _, err := p.fields()
	_, message := kinds[p.Message]
	_, along := alongNames[p.Along]
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", p.Name, err)
	case !message || p.Message == "vertex" && !slices.Contains([]string{"", "copy", "source_id"}, p.Edge):
		return fmt.Errorf("%s: message: found %q, want one of %s (vertex with edge copy or source_id)", p.Name, p.Message, kindNames)
	case combiners[p.Combine] == "":
		return fmt.Errorf("%s: combine: found %q, want one of %s", p.Name, p.Combine, names(combiners))
	case operations[p.Edge] == "":
		return fmt.Errorf("%s: edge: found %q, want one of %s", p.Name, p.Edge, names(operations))
	case !along:
		return fmt.Errorf("%s: along: found %q, want one of %s", p.Name, p.Along, names(alongNames))
	case p.Relaxed && (p.Silent || unrelaxable(pregel.Form{Combine: p.Combine}) != ""):
		return fmt.Errorf("%s: relaxes: want combine min, max or or, and not silent; found combine %s, silent %v", p.Name, p.Combine, p.Silent)
	case p.Combine == "or" && strings.HasPrefix(p.Message, "float"), p.Edge == "source_id" && strings.HasPrefix(p.Message, "float"):
		return fmt.Errorf("%s: messages of %s cannot be combined by %s along %s: want a type of whole numbers", p.Name, p.Message, p.Combine, p.Edge)
	}
	for _, function := range []string{"init", "emit", "apply"} {
		if !regexp.MustCompile(`__device__[^;{}]*\b` + function + `\s*\(`).MatchString(p.Source) {
			return fmt.Errorf("%s: there is no function %s: want `__device__ … %s(…)`", p.Name, function, function)
		}
	}
	return nil
}

func names[T any](m map[string]T) string {
	list := slices.DeleteFunc(slices.Sorted(maps.Keys(m)), func(s string) bool { return s == "" })
	return strings.Join(list, ", ")
}

// Run runs the program; its answer has a column for each field of its values.
func (p *KernelProgram) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if _, ok := j.Engine.(*Engine); !ok {
		return nil, fmt.Errorf("%s is CUDA C: it runs with engine.device cuda, not on the engine %q", p.Name, j.Engine.Name())
	}
	fields, size, err := p.fields()
	if err != nil {
		return nil, err
	}
	params, err := p.params(j.Graph)
	if err != nil {
		return nil, err
	}
	t := &sourceTask{program: p, graph: j.Graph, fields: fields, size: size, params: params}
	t.makeValues()
	t.brings(j)
	stop := j.RunTask(ctx, t)
	if stop.Err != nil {
		return nil, stop.Err
	}
	answer := &pregel.Answer{Stop: stop, Table: pregel.Table{PerVertex: true}, Ordered: t.bring.Brought()}
	for _, f := range fields {
		c := t.column(f)
		if err := c.CheckVertices(); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		answer.Table.Columns = append(answer.Table.Columns, c)
	}
	return answer, nil
}

// params resolves the parameters: the C declarations, and the bytes.
func (p *KernelProgram) params(g *graph.Graph) ([]constant, error) {
	var list []constant
	for _, x := range p.Params {
		if !identifier.MatchString(x.Name) {
			return nil, fmt.Errorf("%s: parameter %q, want a name in lower case", p.Name, x.Name)
		}
		c := constant{name: x.Name}
		switch v := x.Value.(type) {
		case int:
			c.kind, c.bits = "i64", uint64(v)
		case int64:
			c.kind, c.bits = "i64", uint64(v)
		case float64:
			c.kind, c.bits = "double", math.Float64bits(v)
		case bool:
			c.kind, c.bits = "u64", uint64(bit(v))
		case string:
			c.kind, c.id = "u64", pregel.ID(v)
		case pregel.ID:
			c.kind, c.id = "u64", v
		default:
			return nil, fmt.Errorf("%s: parameter %s has the value %v, want a %s", p.Name, x.Name, x.Value, x.Type)
		}
		if x.Type == "float" && c.kind == "i64" {
			c.kind, c.bits = "double", math.Float64bits(float64(int64(c.bits)))
		}
		if x.Type == "vertex" {
			id := c.id
			if c.kind == "i64" {
				id = pregel.ID(fmt.Sprint(int64(c.bits)))
			}
			v, err := g.IDs().Parse(string(id))
			if err != nil {
				return nil, fmt.Errorf("%s: parameter %s: %w", p.Name, x.Name, err)
			}
			c.kind, c.bits = "u64", uint64(v)
		}
		list = append(list, c)
	}
	return list, nil
}

// A constant is a parameter as 8 bytes.
type constant struct {
	name, kind string
	bits       uint64
	id         pregel.ID
}

// Resumes tells that it goes on from a checkpoint.
func (p *KernelProgram) Resumes(bool) bool { return true }

// identities of combiners as C expressions, by the type of messages.
var identities = map[string]func(kind string) string{
	"sum": func(string) string { return "(Message)0" },
	"or":  func(string) string { return "(Message)0" },
	"any": func(string) string { return "(Message)0" },
	"min": func(kind string) string {
		return map[string]string{"int32": "(Message)0x7fffffff", "uint32": "(Message)0xffffffffu", "vertex": "(Message)0xffffffffu", "int64": "(Message)0x7fffffffffffffffll",
			"uint64": "(Message)0xffffffffffffffffull"}[kind] + infinity(kind, "0x7ff0000000000000ll")
	},
	"max": func(kind string) string {
		return map[string]string{"int32": "(Message)0x80000000", "uint32": "(Message)0", "vertex": "(Message)0", "int64": "(Message)0x8000000000000000ull",
			"uint64": "(Message)0"}[kind] + infinity(kind, "0xfff0000000000000ll")
	},
}

func infinity(kind, bits string) string {
	if strings.HasPrefix(kind, "float") {
		return "(Message)__longlong_as_double(" + bits + ")"
	}
	return ""
}

// Renumbered leaves the values as they are: what they say of the order of the
// vertices, if anything, is of the order that the program has seen.
func (p *KernelProgram) Renumbered(context.Context, *pregel.Job, *pregel.Answer) error {
	return nil
}
