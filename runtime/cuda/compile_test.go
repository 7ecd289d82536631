//go:build cuda

package cuda

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cuda/driver"
)

// A layoutKind is a kind of graph, as far as code differs for it.
type layoutKind struct {
	weights graph.WeightKind
	wide    bool // 64-bit offsets
}

// layoutKinds are all of them.
func layoutKinds() (all []layoutKind) {
	for _, weights := range []graph.WeightKind{graph.Unweighted, graph.Int32, graph.Float32} {
		all = append(all, layoutKind{weights, false}, layoutKind{weights, true})
	}
	return all
}

// CompileForm compiles the twin of a program for graphs of every kind, with
// -short for one of them. It needs no device.
var CompileForm = func(t *testing.T, f pregel.Form) {
	t.Helper()
	all := layoutKinds()
	if testing.Short() {
		at := fresh(t).IntN(len(all))
		all = all[at : at+1]
	}
	for _, k := range all {
		compileForm(t, f, k)
	}
	src, err := assemble(f)
	if err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	brought := f
	brought.Bring = &pregel.Bringing{}
	with, err := assemble(brought)
	if err != nil {
		t.Fatalf("%s, brought: %v", f.Name, err)
	}
	compileSource(t, f, all[0], with, (&Graph{out: &CSR{Kind: all[0].weights}, wide: all[0].wide}).defines())
	traced := append((&Graph{out: &CSR{Kind: all[0].weights}, wide: all[0].wide}).defines(), "TRACED")
	compileSource(t, f, all[0], src, traced)
	if foreseen(f) {
		compileSource(t, f, all[0], src, append(traced, "AHEAD=1"))
	}
	if columnable(f) {
		compileSource(t, f, all[0], src, append(traced, "COLUMNED=1"))
	}
	if f.Anew {
		compileSource(t, f, all[0], src, append((&Graph{out: &CSR{Kind: all[0].weights}, wide: all[0].wide}).defines(), "AHEAD=1", "COLUMNED=1", "ANEW=1"))
	}
	if seeks(f) {
		compileSource(t, f, all[0], src, append(traced, "NEARED=1"))
	}
}

func compileForm(t *testing.T, f pregel.Form, k layoutKind) {
	t.Helper()
	src, err := assemble(f)
	if err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	d := &Graph{out: &CSR{Kind: k.weights}, wide: k.wide, engine: &Engine{tile: tileSize}}
	compileSource(t, f, k, src, d.defines())
	if len(f.Tallies) == 0 {
		if src, err = assembleWith(f, "step_sends.cuh"); err != nil {
			t.Fatalf("%s, its messages: %v", f.Name, err)
		}
		compileSource(t, f, k, src, d.defines())
	}
	if unrelaxable(f) == "" && len(f.Tallies) == 0 {
		if src, err = assembleRelaxed(f); err != nil {
			t.Fatalf("%s, relaxed: %v", f.Name, err)
		}
		compileSource(t, f, k, src, d.tileDefines())
		if k.wide {
			compileSource(t, f, k, src, append(d.tileDefines(), "RACECHECK"))
		}
		compileSweeps(t, f, k, d)
	}
}

// compileSweeps compiles a program's form by sweeps, where there is one, for the lists that it may have.
func compileSweeps(t *testing.T, f pregel.Form, k layoutKind, d *Graph) {
	t.Helper()
	if !sweepable(f, graph.WeightRange{NotFinite: 1}, 1) {
		return
	}
	src, err := assembleSweeps(f)
	if err != nil {
		t.Fatalf("%s, by sweeps: %v", f.Name, err)
	}
	lists := []*sweepLists{{}}
	if weighs(f) && k.weights != graph.Unweighted {
		lists = []*sweepLists{{first: &Lightest{}}, {first: &Lightest{Packed: k.weights == graph.Int32}}}
	}
	for _, l := range lists {
		compileSource(t, f, k, src, append(d.defines(), l.defines()...))
	}
}

func compileSource(t *testing.T, f pregel.Form, k layoutKind, p program, defines []string) {
	t.Helper()
	src, err := p.parse()
	if err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	compiled, err := driver.Compile(src.Name, src.Text, driver.CompileOptions{Arch: "sm_90", Defines: defines})
	if err != nil {
		t.Fatalf("%s, weights %v, wide %v: %v", f.Name, k.weights, k.wide, err)
	}
	if compiled.Log != "" {
		t.Errorf("%s, weights %v, wide %v: warnings:\n%s", f.Name, k.weights, k.wide, compiled.Log)
	}
}

// A variant is a program for the templates, and a kind of graph.
type variant struct {
	combine, edge, message, along string
	silent, settles               bool
	layout                        layoutKind
}

func (v variant) String() string {
	return fmt.Sprintf("%s %s %s %s silent=%v settles=%v weights=%v wide=%v", v.combine, v.edge, v.message, v.along, v.silent, v.settles, v.layout.weights, v.layout.wide)
}

// traits are what a variant tries: one by one or, with pairs, two at a time.
func (v variant) traits(pairs bool) []string {
	list := []string{"combine " + v.combine, "edge " + v.edge, "message " + v.message, "along " + v.along,
		fmt.Sprint("silent ", v.silent), fmt.Sprint("settles ", v.settles), fmt.Sprint("layout ", v.layout)}
	if !pairs {
		return list
	}
	var two []string
	for i, a := range list {
		for _, b := range list[:i] {
			two = append(two, a+", "+b)
		}
	}
	return two
}

const anySource = `
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = true; return 0; }
__device__ Message emit(Vertex v, Value x, const Params &p) { return (Message)x; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) { awake = got; return (Value)m; }
`

func (v variant) program() *KernelProgram {
	p := &KernelProgram{Name: "k.cu", Source: anySource, Value: "float32", Message: v.message, Combine: v.combine, Edge: v.edge, Along: v.along, Silent: v.silent}
	if v.settles {
		p.Source += "__device__ u64 priority(Value x, const Params &p) { return 0; }\n__device__ bool settled(Value x) { return false; }\n"
	}
	return p
}

// form makes the form of a kernel of a user's own.
func form(t *testing.T, p *KernelProgram) pregel.Form {
	t.Helper()
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	fields, size, err := p.fields()
	if err != nil {
		t.Fatal(err)
	}
	f, reason := (&sourceTask{program: p, fields: fields, size: size}).Form()
	if reason != "" {
		t.Fatal(reason)
	}
	return f
}

// variants are all that are allowed of combiner, edge operation and message, in
// any order; the rest is drawn for each.
func variants(r *rand.Rand) (all []variant) {
	layouts := layoutKinds()
	for _, combine := range slices.Sorted(maps.Keys(combiners)) {
		for _, edge := range slices.Sorted(maps.Keys(operations)) {
			for _, message := range []string{"int32", "uint32", "int64", "uint64", "float32", "float64"} {
				v := variant{combine: combine, edge: edge, message: message, along: []string{"out", "in", "both"}[r.IntN(3)],
					silent: r.IntN(2) == 0, settles: r.IntN(2) == 0, layout: layouts[r.IntN(len(layouts))]}
				if edge != "" && v.program().Check() == nil {
					all = append(all, v)
				}
			}
		}
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// covering chooses variants that try together all that the list tries: always
// the one that adds most.
func covering(list []variant, pairs bool) (some []variant) {
	tried := map[string]bool{}
	untried := func(v variant) (n int) {
		for _, trait := range v.traits(pairs) {
			if !tried[trait] {
				n++
			}
		}
		return n
	}
	for {
		best := slices.MaxFunc(list, func(a, b variant) int { return untried(a) - untried(b) })
		if untried(best) == 0 {
			return some
		}
		for _, trait := range best.traits(pairs) {
			tried[trait] = true
		}
		some = append(some, best)
	}
}

// The templates compile for every two of combiner, edge operation, type of
// message, kind of graph and so on together, and with -short for each of them;
// which others they meet is drawn anew every time.
func TestTemplatesCompile(t *testing.T) {
	all := variants(fresh(t))
	some := covering(all, !testing.Short())
	for _, combine := range slices.Collect(maps.Keys(combiners)) {
		if !slices.ContainsFunc(some, func(v variant) bool { return v.combine == combine }) {
			t.Errorf("no variant tries %s", combine)
		}
	}
	t.Logf("%d variants of %d", len(some), len(all))
	for _, v := range some {
		t.Run(v.String(), func(t *testing.T) {
			t.Parallel()
			compileForm(t, form(t, v.program()), v.layout)
		})
	}
}

// What is wrong in a user's kernel is reported with the user's file and line,
// though the templates stand around it.
func TestErrorsShowTheUsersLine(t *testing.T) {
	t.Parallel()
	p := &KernelProgram{Name: "mine.cu", Source: strings.Replace(anySource, "return (Message)x;", "return nowhere;", 1), Value: "float32", Message: "float32", Combine: "min", Edge: "copy"}
	program, err := assemble(form(t, p))
	if err != nil {
		t.Fatal(err)
	}
	src, err := program.parse()
	if err != nil {
		t.Fatal(err)
	}
	_, err = driver.Compile(src.Name, src.Text, driver.CompileOptions{Arch: "sm_90", Defines: (&Graph{out: &CSR{}}).defines()})
	var compile *driver.CompileError
	if !errors.As(err, &compile) || !strings.Contains(err.Error(), `mine.cu(3): error: identifier "nowhere" is undefined`) {
		t.Error(err)
	}
}
