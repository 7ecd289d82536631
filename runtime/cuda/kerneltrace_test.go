//go:build cuda || emulate

package cuda_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/kernels"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/trace"
	"gopregel/programs/bfs"
	"gopregel/programs/pagerank"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// jobKernels are what a job file would say of the programs of relaxingPrograms.
var jobKernels = map[string]cuda.KernelProgram{
	"hops":     {Value: "uint32", Message: "uint32", Combine: "min"},
	"shortest": {Value: "int64", Message: "int64", Combine: "min", Edge: "plus_weight"},
	"either":   {Value: "int64", Message: "int64", Combine: "min", Edge: "plus_weight", Along: "both"},
	"reals":    {Value: "float64", Message: "float64", Combine: "min", Edge: "plus_weight"},
	"widest":   {Value: "float32", Message: "float32", Combine: "max", Edge: "min_weight"},
	"quiet":    {Value: "uint32", Message: "uint32", Combine: "min", Edge: "min_weight"},
	"senders":  {Value: "uint32", Message: "vertex", Combine: "max", Edge: "source_id"},
	"labels":   {Value: "uint32", Message: "uint32", Combine: "min", Along: "both"},
	"reach":    {Value: "uint64", Message: "uint64", Combine: "or", Along: "in"},
	"pairs":    {Value: "depth:uint32, by:uint64", Message: "uint64", Combine: "min"},
	"nearest":  {Value: "int64", Message: "int64", Combine: "min", Edge: "plus_weight"},
}

// The trace of a kernel that a job file names is that of the same program in Go on
// the CPU: why, bytes, atomics and contention, values and messages.
func TestTraceOfJobKernels(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 12))
	names := slices.Sorted(maps.Keys(jobKernels))
	if testing.Short() {
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		names = append(slices.DeleteFunc(names[:2], func(name string) bool { return name == "either" }), "either")
	}
	for _, direction := range []pregel.Direction{pregel.Push, pregel.Pull} {
		device := open(t, cuda.Options{Direction: direction, Schedule: pregel.BSP})
		host := cpu.New(cpu.Options{Workers: 2, Direction: direction, Schedule: pregel.BSP})
		for _, directed := range []bool{false, true} {
			g := relaxedGraph(t, r, 300+r.IntN(800), directed, layoutKindsRelaxed[r.IntN(len(layoutKindsRelaxed))])
			programs := relaxingPrograms(g.Weighted() != graph.Unweighted)
			for _, name := range names {
				k := jobKernels[name]
				k.Name, k.Source = name, programs[name].(interface{ Twin() pregel.Twin }).Twin().Source
				sameTraces(t, fmt.Sprintf("%s, %v, directed %v", name, direction, directed), g, device, host, &k, own{programs[name].run})
			}
			k, a := breadthFirst(g, r.Uint32N(uint32(g.N())))
			sameTraces(t, fmt.Sprintf("bfs, %v, directed %v", direction, directed), g, device, host, k, a)
		}
	}
}

// breadthFirst is a program that settles and whose values name vertices.
func breadthFirst(g *graph.Graph, source uint32) (*cuda.KernelProgram, pregel.Algorithm) {
	id := pregel.ID(g.IDs().Text(source))
	return &cuda.KernelProgram{Name: "bfs", Source: kernels.Functions("bfs"), Value: "depth:uint32, parent:vertex", Message: "vertex", Combine: "min", Edge: "source_id",
		Params: []cuda.Param{{Name: "source", Type: "vertex", Value: id}}}, &bfs.BFS{Source: id}
}

func sameTraces(t *testing.T, what string, g *graph.Graph, device, host pregel.Engine, k *cuda.KernelProgram, a pregel.Algorithm) {
	t.Helper()
	for _, values := range []string{trace.All, trace.None} {
		what := what + ", values " + values
		got, want := traceOf(t, what, g, device, 7, values, k), traceOf(t, what+", on the CPU", g, host, 1, values, a)
		if len(got.Notes) > 0 {
			t.Fatalf("%s: %v", what, got.Notes)
		}
		for i := range got.Programs {
			if p := &got.Programs[i]; len(p.Columns) == 1 { // a name that Go's numbers have none of
				p.Columns = nil
			}
		}
		sameSteps(t, what, got, want)
	}
}

// What a traced run of a kernel holds beside an untraced one is no more than was
// planned.
func TestPlanOfTraces(t *testing.T) {
	g := random(t, rand.New(rand.NewPCG(3, 4)), 2000, 9000, true)
	k := jobKernels["either"]
	k.Name, k.Source = "either", relaxingPrograms(false)["either"].(interface{ Twin() pregel.Twin }).Twin().Source
	shape := cuda.Shape{Vertices: 2000, Arcs: g.Arcs(), Directed: true, InArcs: true, Value: 8, Message: 8, Both: true}
	plain := cuda.Plan(shape).Total
	shape.Traced, shape.Messages = true, 2*g.Arcs()
	e := open(t, cuda.Options{Schedule: pregel.BSP})
	used := map[string]uint64{}
	for _, values := range []string{"", trace.None, trace.All} {
		if err := e.GiveUp(); err != nil {
			t.Fatal(err)
		}
		if values == "" {
			if _, err := k.Run(t.Context(), &pregel.Job{Graph: g, Engine: e}); err != nil {
				t.Fatal(err)
			}
		} else {
			traceOf(t, values, g, e, 7, values, &k)
		}
		used[values] = e.Used()
	}
	beside, planned := used[trace.None]-used[""], cuda.Plan(shape).Total-plain
	if beside == 0 || beside > planned || used[trace.All] != used[trace.None] {
		t.Errorf("a trace takes %d bytes, %d are planned; bytes used: %v", beside, planned, used)
	}
}

// So is what the times of the kernels take, of a program that tallies.
func TestPlanOfTimes(t *testing.T) {
	g := random(t, rand.New(rand.NewPCG(3, 5)), 2000, 9000, false)
	shape := cuda.Shape{Vertices: 2000, Arcs: g.Arcs(), Value: 8, Message: 8, Tallies: true, HearsAll: true}
	plain := cuda.Plan(shape).Total
	shape.Traced = true
	planned := cuda.Plan(shape).Total - plain
	e := open(t, cuda.Options{})
	a := pagerank.New()
	if _, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: e}); err != nil {
		t.Fatal(err)
	}
	before := e.Used()
	if err := e.GiveUp(); err != nil {
		t.Fatal(err)
	}
	traceOf(t, "pagerank", g, e, 7, trace.None, a)
	if beside := e.Used() - before; beside == 0 || beside > planned {
		t.Errorf("the times of kernels take %d bytes, %d are planned", beside, planned)
	}
}
