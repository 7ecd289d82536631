package cuda

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"gopregel/kernels"
	"gopregel/pregel"
	"gopregel/runtime/cuda/driver"
)

// combiners and operations are the names that the templates know.
var (
	combiners  = map[string]string{"min": "COMBINE_MIN", "max": "COMBINE_MAX", "sum": "COMBINE_SUM", "or": "COMBINE_OR", "any": "COMBINE_ANY"}
	operations = map[string]string{"": "EDGE_COPY", "copy": "EDGE_COPY", "plus_weight": "EDGE_PLUS", "times_weight": "EDGE_TIMES",
		"min_weight": "EDGE_LEAST", "source_id": "EDGE_SOURCE"}
)

// Threads of a block of a phase.
const stepThreads = 256

// A program is its functions placed into templates of package kernels, whose text is not put in
// yet: that takes longer than most runs, and is done once, when the kernels are compiled.
type program struct{ name, text string }

// parse puts the templates in.
func (p program) parse() (kernels.Source, error) { return kernels.Parse(p.name, p.text) }

// programKernel compiles a program once.
func (e *Engine) programKernel(p program, entry string, defines []string) (*driver.Kernel, error) {
	key := p.name + "\n" + p.text + "\n" + strings.Join(defines, "\n")
	if k := e.kernels[key+"\n"+entry]; k != nil {
		return k, nil
	}
	src, err := p.parse()
	if err != nil {
		return nil, err
	}
	return e.compile(key, src, entry, defines)
}

// assemble places a program's functions into the templates. Only CUDA C that
// depends on the program is written here.
func assemble(f pregel.Form) (program, error) {
	headers := []string{"step_loop.cuh", "step_phases.cuh"}
	if columnable(f) {
		headers = append(headers, "step_columns.cuh")
	}
	if f.Bring != nil {
		headers = append(headers, "step_bring.cuh")
	}
	return assembleWith(f, headers...)
}

// assembleWith places the functions into some of the templates.
func assembleWith(f pregel.Form, headers ...string) (program, error) {
	combine, operation := combiners[f.Combine], operations[f.Edge]
	switch {
	case combine == "":
		return program{}, fmt.Errorf("combiner %q has no CUDA form", f.Combine)
	case operation == "":
		return program{}, fmt.Errorf("edge operation %q has no CUDA form", f.Edge)
	}
	params, err := paramsText(f)
	if err != nil {
		return program{}, err
	}
	tallies, err := talliesText(f.Tallies)
	if err != nil {
		return program{}, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "#include \"base.cuh\"\n#define %s\n#define %s\n#define IDENTITY (%s)\n", combine, operation, f.Identity)
	for _, flag := range []struct {
		name string
		on   bool
	}{{"SILENT", f.Silent}, {"SETTLES", f.Settles}, {"WAITS", f.Waits && len(f.Tallies) == 0}, {"FIRST", first(f)}, {"BOTH", f.Along == pregel.BothEdges},
		{"SIGNALS", signals(f)}, {"LOCAL", f.Local && len(f.Tallies) > 0 && f.Edge != "source_id"}} {
		fmt.Fprintf(&b, "#define %s %d\n", flag.name, bit(flag.on))
	}
	if f.Combine == "min" || f.Combine == "max" && !strings.HasPrefix(f.Message.Definition, "typedef u") {
		b.WriteString("#define UNREACHED\n")
	}
	if len(f.Tallies) == 0 {
		b.WriteString("#define LOOP\n")
	}
	fmt.Fprintf(&b, "%s\n%s\n%s%s", f.Value.Definition, f.Message.Definition, tallies, params)
	fmt.Fprintf(&b, "#line 1 %q\n%s\n", f.Name, f.Source)
	for _, name := range headers {
		fmt.Fprintf(&b, "#include %q\n", name)
	}
	return program{f.Name, b.String()}, nil
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

var foldText = map[string]string{"sum": "%[1]s + %[2]s", "min": "%[2]s < %[1]s ? %[2]s : %[1]s", "max": "%[2]s > %[1]s ? %[2]s : %[1]s", "or": "%[1]s | %[2]s"}

// talliesText writes what a thread adds up for the program's aggregators, and
// Vertex, which program functions reach it by. A monoid's identity is asked of
// its first fold: a tally begins empty.
func talliesText(list []pregel.NamedTally) (string, error) {
	var fields, clears, forgets, folds, shuffles, adds strings.Builder
	for _, t := range list {
		fold, ok := foldText[t.Combiner()]
		if !ok || t.CType() == "" || t.CType() == "bool" {
			return "", fmt.Errorf("tally %s: combiner %q of %q has no CUDA form", t.Name, t.Combiner(), t.CType())
		}
		if t.Change {
			if unknown(t) == 0 {
				return "", fmt.Errorf("tally %s: it is of change, and the %s of %s; want a sum of floats", t.Name, t.Combiner(), t.CType())
			}
			fmt.Fprintf(&forgets, " %s = 0; has_%s = false;", t.Name, t.Name)
		}
		fmt.Fprintf(&fields, "  %s %s; bool has_%s;\n", t.CType(), t.Name, t.Name)
		fmt.Fprintf(&clears, " %s = 0; has_%s = false;", t.Name, t.Name)
		fmt.Fprintf(&folds, " if (o.has_%[1]s) { %[1]s = has_%[1]s ? %[2]s : o.%[1]s; has_%[1]s = true; }", t.Name, fmt.Sprintf(fold, t.Name, "o."+t.Name))
		fmt.Fprintf(&shuffles, " o.%[1]s = __shfl_down_sync(~0u, %[1]s, d); o.has_%[1]s = __shfl_down_sync(~0u, (int)has_%[1]s, d) && lane() + d < 32;", t.Name)
		fmt.Fprintf(&adds, "  __device__ __forceinline__ void add_%[1]s(%[2]s x) const { Tallies o; o.clear(); o.%[1]s = x; o.has_%[1]s = true; tallies->fold(o); }\n", t.Name, t.CType())
	}
	if len(list) == 0 {
		fields.WriteString("  u32 none;\n")
	}
	return fmt.Sprintf(`struct Tallies {
%s  __device__ __forceinline__ void clear() {%s }
  __device__ __forceinline__ void forget() {%s }
  __device__ __forceinline__ void fold(const Tallies &o) {%s }
  __device__ __forceinline__ Tallies shuffled(int d) const { Tallies o = *this;%s return o; }
};
struct Vertex {
  u32 id, out_degree;
  i32 superstep;
  u32 n;
  Tallies *tallies;
%s};
`, &fields, &clears, &forgets, &folds, &shuffles, &adds), nil
}

// tallyLayout gives where in struct Tallies each tally lies, and the size of it:
// number and flag, aligned as C does.
func tallyLayout(list []pregel.NamedTally) (offsets []int, size int) {
	align := 4
	for _, t := range list {
		width := cSizes[t.CType()]
		align = max(align, width)
		size = (size + width - 1) / width * width
		offsets = append(offsets, size)
		size += width + 1
	}
	if len(list) == 0 {
		return nil, 4
	}
	return offsets, (size + align - 1) / align * align
}

var cSizes = map[string]int{"i32": 4, "u32": 4, "i64": 8, "u64": 8, "float": 4, "double": 8, "u8": 1, "signed char": 1, "short": 2, "u16": 2}

// paramsText writes struct Params: the program's parameters and, behind them,
// the last value of each tally but of change, which follow takes from what a superstep has left.
func paramsText(f pregel.Form) (string, error) {
	var b strings.Builder
	if f.Params != nil {
		c, err := pregel.CTypeOf("Given", reflect.TypeOf(f.Params))
		if err != nil {
			return "", fmt.Errorf("parameters: %w", err)
		}
		fmt.Fprintf(&b, "%s\nstruct Params : Given {\n", c.Definition)
	} else {
		b.WriteString("struct Params {\n  u64 none;\n")
	}
	for _, c := range f.Constants {
		fmt.Fprintf(&b, "  %s %s;\n", c.CType, c.Name)
	}
	var follow strings.Builder
	for _, t := range heeded(f.Tallies) {
		fmt.Fprintf(&b, "  union { %s last_%s; u64 last_bits_%s; };\n", t.CType(), t.Name, t.Name)
		fmt.Fprintf(&follow, " if (t.has_%[1]s) last_%[1]s = t.%[1]s;", t.Name)
	}
	fmt.Fprintf(&b, "  __device__ __forceinline__ void follow(const Tallies &t) {%s }\n};\n", &follow)
	return b.String(), nil
}

// paramsBytes writes the content of struct Params.
func paramsBytes(f pregel.Form) []byte {
	var b []byte
	if f.Params == nil {
		b = make([]byte, 8)
	} else {
		v := reflect.ValueOf(f.Params)
		b = make([]byte, v.Type().Size())
		for i := range v.NumField() {
			putNumber(b[v.Type().Field(i).Offset:], v.Field(i))
		}
	}
	if len(f.Tallies)+len(f.Constants) > 0 {
		b = append(b, make([]byte, -len(b)&7)...)
	}
	for _, c := range f.Constants {
		b = binary.LittleEndian.AppendUint64(b, c.Bits)
	}
	for _, t := range heeded(f.Tallies) {
		b = binary.LittleEndian.AppendUint64(b, t.LastBits())
	}
	return b
}

// heeded are the tallies whose last values the functions of a program have: all but of change.
func heeded(list []pregel.NamedTally) []pregel.NamedTally {
	if !slices.ContainsFunc(list, ofChange) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), ofChange)
}

func ofChange(t pregel.NamedTally) bool { return t.Change }

func putNumber(b []byte, v reflect.Value) {
	bits := uint64(0)
	switch {
	case v.CanInt():
		bits = uint64(v.Int())
	case v.CanUint():
		bits = v.Uint()
	case v.Kind() == reflect.Float32:
		bits = uint64(math.Float32bits(float32(v.Float())))
	case v.CanFloat():
		bits = math.Float64bits(v.Float())
	case v.Kind() == reflect.Bool && v.Bool():
		bits = 1
	}
	var all [8]byte
	binary.LittleEndian.PutUint64(all[:], bits)
	copy(b, all[:v.Type().Size()])
}
