package diff

import (
	"fmt"
	"go/token"
	"reflect"
	"strings"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cuda"
)

// writtenGraph is a graph as Go source.
type writtenGraph struct {
	IDs, U, V, Weights string
	Directed           bool
}

func written(g *graph.Graph) *writtenGraph {
	var u, v []uint32
	var w graph.Weights
	c := g.Out()
	for x := range uint32(g.N()) {
		base := c.Offsets.At(x)
		for k, y := range c.Neighbors(x) {
			if !g.Directed() && y < x {
				continue
			}
			u, v = append(u, x), append(v, y)
			switch at := base + uint64(k); g.Weighted() {
			case graph.Int32:
				w.Int = append(w.Int, c.Weights.Int[at])
			case graph.Float32:
				w.Float = append(w.Float, c.Weights.Float[at])
			}
		}
	}
	t := &writtenGraph{IDs: fmt.Sprintf("graph.RangeIDs(%d, %d), error(nil)", g.IDs().Base(), g.N()), U: list(u), V: list(v), Directed: g.Directed()}
	switch {
	case g.IDs().Names() != nil:
		t.IDs = fmt.Sprintf("graph.NameIDs(%#v)", g.IDs().Names())
	case g.IDs().Numbers() != nil:
		t.IDs = "graph.NumberIDs([]uint64{" + numbers(g.IDs().Numbers()) + "})"
	}
	switch {
	case w.Int != nil:
		t.Weights = "graph.Weights{Int: []int32{" + numbers(w.Int) + "}}"
	case w.Float != nil:
		t.Weights = "graph.Weights{Float: []float32{" + numbers(w.Float) + "}}"
	}
	return t
}

func list(x []uint32) string { return "[]uint32{" + numbers(x) + "}" }

// numbers writes numbers, twenty on a line.
func numbers[T any](x []T) string {
	var b strings.Builder
	for i, n := range x {
		switch {
		case i > 0 && i%20 == 0:
			b.WriteString(",\n")
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%v", n)
	}
	return b.String()
}

// constructors make algorithms of programs, by a method that the program has.
var constructors = []struct{ method, name string }{
	{"ApplyAll", "pregel.CollectorAlgorithm"}, {"Apply", "pregel.EdgeAlgorithm"}, {"Compute", "pregel.VertexAlgorithm"},
}

// literal writes an algorithm with its parameters as Go source, and what that
// imports.
func literal(a pregel.Algorithm) (text string, imports []string, err error) {
	if k, ok := a.(*cuda.KernelProgram); ok {
		return kernelLiteral(k), []string{"gopregel/runtime/cuda"}, nil
	}
	of, format := any(a), "%s"
	if p, ok := a.(pregel.Parametrized); ok {
		of = p.Parameters()
		for _, c := range constructors {
			if _, ok := reflect.TypeOf(of).MethodByName(c.method); ok {
				format = c.name + "(%s)"
				break
			}
		}
	}
	t := reflect.TypeOf(of).Elem()
	if !importable(t) {
		return "", nil, fmt.Errorf("the program's type %v cannot be imported by a test", t)
	}
	return fmt.Sprintf(format, structLiteral(reflect.ValueOf(of).Elem())), []string{t.PkgPath()}, nil
}

// importable tells whether other packages can name a type.
func importable(t reflect.Type) bool {
	return token.IsExported(t.Name()) && t.PkgPath() != "main"
}

// structLiteral writes the fields that are exported and not zero: nobody else can
// have set others.
func structLiteral(v reflect.Value) string {
	var fields []string
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && !v.Field(i).IsZero() {
			fields = append(fields, f.Name+": "+valueLiteral(v.Field(i)))
		}
	}
	return fmt.Sprintf("&%v{%s}", v.Type(), strings.Join(fields, ", "))
}

func valueLiteral(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		return fmt.Sprintf("new(%v(%#v))", v.Type().Elem(), v.Elem())
	}
	return fmt.Sprintf("%#v", v)
}

func kernelLiteral(k *cuda.KernelProgram) string {
	var b strings.Builder
	fmt.Fprintf(&b, "&cuda.KernelProgram{Name: %q, Value: %q, Message: %q, Combine: %q, Edge: %q, Along: %q, Silent: %v,\n", k.Name, k.Value, k.Message, k.Combine, k.Edge, k.Along, k.Silent)
	b.WriteString("Params: []cuda.Param{\n")
	for _, p := range k.Params {
		value := fmt.Sprintf("%#v", p.Value)
		switch p.Value.(type) {
		case pregel.ID, int64, float64:
			value = fmt.Sprintf("%T(%s)", p.Value, value)
		}
		fmt.Fprintf(&b, "{Name: %q, Type: %q, Value: %s},\n", p.Name, p.Type, value)
	}
	source := "`" + k.Source + "`"
	if strings.Contains(k.Source, "`") {
		source = fmt.Sprintf("%q", k.Source)
	}
	fmt.Fprintf(&b, "},\nSource: %s,\n}", source)
	return b.String()
}
