//go:build cuda

package cuda

import (
	"fmt"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cuda/driver"
)

// CompileForm compiles the twin of a program for graphs of every kind. It needs
// no device.
var CompileForm = compileForm

var compiled int

func compileForm(t *testing.T, f pregel.Form) {
	t.Helper()
	src, err := assemble(f)
	if err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	kinds := []graph.WeightKind{graph.Int32, graph.Float32, graph.Unweighted}
	compiled++
	for _, weights := range kinds[compiled%3 : compiled%3+1] {
		d := &Graph{out: &CSR{Kind: weights}, wide: weights == graph.Float32}
		if _, err := driver.Compile(src.Name, src.Text, driver.CompileOptions{Arch: "sm_90", Defines: d.defines()}); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
	}
}

// TestTemplatesCompile compiles combiners, edge operations and types of messages,
// each with some of the others.
func TestTemplatesCompile(t *testing.T) {
	const source = `
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = true; return 0; }
__device__ Message emit(Vertex v, Value x, const Params &p) { return (Message)x; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) { awake = got; return (Value)m; }
`
	turn := 0
	for combine := range combiners {
		for edge := range operations {
			if turn++; turn%3 != 0 && edge != "source_id" { // the rest another time: maps come in any order
				continue
			}
			messages := []string{"int32", "uint32", "int64", "uint64", "float32", "float64"}
			p := &KernelProgram{Name: "k.cu", Source: source, Value: "float32", Message: messages[turn%len(messages)], Combine: combine, Edge: edge,
				Along: []string{"out", "both", "in"}[turn%3], Silent: turn%2 == 0}
			if p.Check() != nil {
				p.Message = "uint64"
			}
			if turn%4 == 1 {
				p.Source += "__device__ u64 priority(Value x, const Params &p) { return 0; }\n__device__ bool settled(Value x) { return false; }\n"
			}
			fields, size, err := p.fields()
			if err != nil {
				t.Fatal(err)
			}
			f, _ := (&sourceTask{program: p, fields: fields, size: size}).Form()
			t.Run(fmt.Sprintf("%s %s %s", combine, edge, p.Message), func(t *testing.T) { compileForm(t, f) })
		}
	}
}
