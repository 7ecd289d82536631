package cuda

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// sourceTask is a KernelProgram bound to a graph.
type sourceTask struct {
	program *KernelProgram
	graph   *graph.Graph
	fields  []field
	size    int
	params  []constant
	list    any      // the values: a slice of numbers, or of structs with the fields
	values  []byte   // the same as bytes
	run     *edgeRun // that it is under way in; nil: none
	bring   *pregel.Bringing
}

// makeValues makes room for the values, in the types that they have in Go: what
// shows a state, or reads one, knows no C.
func (t *sourceTask) makeValues() {
	rows := reflect.MakeSlice(reflect.SliceOf(t.valueType()), t.graph.N(), t.graph.N())
	t.list, t.values = rows.Interface(), mem.RawSlice(rows)
}

func (t *sourceTask) valueType() reflect.Type {
	if k, ok := kinds[t.program.Value]; ok {
		return k.goes
	}
	var list []reflect.StructField
	for _, f := range t.fields {
		list = append(list, reflect.StructField{Name: f.name, Type: kinds[f.kind].goes, PkgPath: "gopregel/runtime/cuda"})
	}
	return reflect.StructOf(list)
}

func (t *sourceTask) Name() string               { return t.program.Name }
func (t *sourceTask) Graph() *graph.Graph        { return t.graph }
func (t *sourceTask) Begin(int) error            { return nil }
func (t *sourceTask) Barrier(int) pregel.Verdict { return pregel.Verdict{} }

// Relaxable returns why it cannot be run in place.
func (t *sourceTask) Relaxable() error {
	if !t.program.Relaxed {
		return errors.New("schedule relaxed is for a kernel that says that it relaxes; allowed: auto or bsp")
	}
	return nil
}

// FirstNaN finds the least vertex with a field that is not a number.
func (t *sourceTask) FirstNaN() (at uint32, name string, found bool) {
	for v := range t.graph.N() {
		for _, f := range t.fields {
			b := t.values[v*t.size+f.at:]
			switch {
			case !strings.HasPrefix(f.kind, "float"):
			case f.size == 8 && math.IsNaN(math.Float64frombits(binary.LittleEndian.Uint64(b))),
				f.size == 4 && math.IsNaN(float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))):
				return uint32(v), f.name, true
			}
		}
	}
	return 0, "", false
}

// State shows the values; the rest is the engine's.
func (t *sourceTask) State() pregel.State {
	return pregel.State{Program: t.Name(), Values: t.list, Messages: []byte(nil), Exact: t.exact()}
}

// Restore takes the values; the rest is the engine's.
func (t *sourceTask) Restore(s pregel.State) error {
	if rows := reflect.ValueOf(s.Values); rows.Type() != reflect.TypeOf(t.list) || rows.Len() != t.graph.N() || len(s.Awake) != (t.graph.N()+63)/64 {
		return fmt.Errorf("program %s: a state with %T of %d words of awake vertices, want %T for %d vertices",
			t.Name(), s.Values, len(s.Awake), t.list, t.graph.N())
	}
	copy(t.values, mem.RawSlice(reflect.ValueOf(s.Values)))
	return nil
}

// brings asks for values in the user's order, where the job's graph is prepared and nobody looks
// at states.
func (t *sourceTask) brings(j *pregel.Job) {
	var vertices []int
	for _, f := range t.fields {
		if f.kind == "vertex" {
			vertices = append(vertices, f.at)
		}
	}
	t.bring = j.Bringing(vertices...)
}

func (t *sourceTask) exact() bool {
	return t.program.Combine != "sum" || !strings.HasPrefix(t.program.Message, "float")
}

// Form describes the program.
func (t *sourceTask) Form() (pregel.Form, string) {
	p := t.program
	has := func(name string) bool {
		return regexp.MustCompile(`__device__[^;{}]*\b` + name + `\s*\(`).MatchString(p.Source)
	}
	f := pregel.Form{
		Twin:    pregel.Twin{Name: p.Name, Source: p.Source},
		Value:   pregel.CType{Definition: t.definition(), Size: t.size},
		Message: pregel.CType{Definition: "typedef " + kinds[p.Message].c + " Message;", Size: kinds[p.Message].size},
		Values:  t.values, Combine: p.Combine, Edge: p.Edge, Along: alongNames[p.Along], Silent: p.Silent,
		Identity: identities[p.Combine](p.Message), Settles: has("settled"), Waits: has("priority"),
		First: p.Combine == "any" || p.Combine == "min" && p.Edge == "source_id",
		Exact: t.exact(), Bring: t.bring,
	}
	f.Constants = make([]pregel.Constant, len(t.params))
	for i, c := range t.params {
		f.Constants[i] = pregel.Constant{Name: c.name, CType: c.kind, Bits: c.bits}
	}
	return f, ""
}

func (t *sourceTask) definition() string {
	if _, ok := kinds[t.program.Value]; ok {
		return "typedef " + kinds[t.program.Value].c + " Value;"
	}
	var b strings.Builder
	for _, f := range t.fields {
		fmt.Fprintf(&b, "%s %s; ", kinds[f.kind].c, f.name)
	}
	return "struct Value { " + b.String() + "};"
}

// column takes a field out of the values.
func (t *sourceTask) column(f field) pregel.Column {
	c := pregel.Column{Name: f.name}
	n := t.graph.N()
	u32 := func(v int) uint32 { return binary.LittleEndian.Uint32(t.values[v*t.size+f.at:]) }
	u64 := func(v int) uint64 { return binary.LittleEndian.Uint64(t.values[v*t.size+f.at:]) }
	switch f.kind {
	case "vertex", "uint32":
		list := mem.Make[uint32](n)
		for v := range list {
			list[v] = u32(v)
		}
		if f.kind == "vertex" {
			c.Vertices = list
		} else {
			c.Counts = list
		}
	case "int32", "int64", "uint64":
		c.Ints = mem.Make[int64](n)
		for v := range c.Ints {
			c.Ints[v] = int64(int32(u32(v)))
			if f.size == 8 {
				c.Ints[v] = int64(u64(v))
			}
		}
	default:
		c.Floats = mem.Make[float64](n)
		for v := range c.Floats {
			if f.size == 8 {
				c.Floats[v] = math.Float64frombits(u64(v))
			} else {
				c.Floats[v] = float64(math.Float32frombits(u32(v)))
			}
		}
	}
	return c
}
