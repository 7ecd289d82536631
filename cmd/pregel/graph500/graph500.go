// Package graph500 runs the Graph500 benchmark: its graph, its roots, its
// kernels 2 (breadth-first search) and 3 (shortest paths), its validation of
// every root, its count of edges and its lines of output.
//
// The list of edges is generated into memory (package graphgen, kronecker: A
// 0.57, B 0.19, C 0.19, permuted ids; edges are drawn independently, so that
// their order tells nothing). Kernel 1 makes the graph of that list: an
// undirected CSR without loops, with the lightest of parallel edges, on a GPU
// with the copy there; it is timed as construction_time. One untimed search of
// the first root warms up, as in the reference code; then each root is timed and
// validated against the list (certify.SearchTree, certify.PathTree), not the
// graph. Weights are float32, uniform in [0, 1), each edge's own, or, outside of
// the rules, integers 1 to 255.
//
// TEPS count the edges of the list within the root's component, loops and
// duplicates among them, as the specification has it. Since the graph no longer
// has these, they are counted on the list before: an edge lies in the component
// just when its first end does, so the sum, over the vertices reached, of the
// edges whose first end they are is the count.
//
// Graph 500 Benchmarks 1 and 2, specification 2.0; reference code 3 (graph500.org).
package graph500

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"gopregel/cmd/pregel/bench"
	"gopregel/cmd/pregel/energy"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
)

// Options say what is run.
type Options struct {
	Scale, EdgeFactor int
	Roots             int // at most; fewer where the graph has not so many
	Seed              uint64
	BFS, SSSP         bool // kernels 2 and 3
	Integers          bool // weights 1 to 255
	Order             string
	Workers           int // 0: all processors
	Clock             Clock
	Meter             energy.Meter // nil: energy is not measured
	MeterName         string
	EnergyFor         time.Duration                    // at least so long, for each kernel
	Tell              func(format string, args ...any) // progress
}

// A Clock is that of an engine's device; nil: the CPU.
type Clock interface {
	bench.Clock
	// Upload returns what copying the graph to the device took in the last task.
	Upload() time.Duration
}

// A Result is what the benchmark has found.
type Result struct {
	Scale        int           `json:"scale"`
	EdgeFactor   int           `json:"edgefactor"`
	Roots        int           `json:"nbfs"`
	Weights      string        `json:"weights"`
	Prepare      string        `json:"prepare"`
	Generation   float64       `json:"graph_generation"`  // seconds
	Construction float64       `json:"construction_time"` // seconds
	Edges        bench.Summary `json:"nedge"`
	BFS          *Kernel       `json:"bfs"`  // null: not run
	SSSP         *Kernel       `json:"sssp"` // null: not run
}

// A Kernel holds the statistics of one kernel over all roots.
type Kernel struct {
	Time     bench.Summary  `json:"time"`
	TEPS     bench.Rates    `json:"teps"`
	Validate bench.Summary  `json:"validate"`
	Device   *bench.Summary `json:"device"` // by a device's clock, else null
	Wall     *bench.Summary `json:"wall"`   // of the whole algorithm where there is such a clock, else null
	Energy   *energy.Used   `json:"energy"` // null: not measured
	Runs     []Search       `json:"runs"`
}

// A Search is one timed and validated run.
type Search struct {
	Root     uint32  `json:"root"`
	Edges    uint64  `json:"nedge"`
	Seconds  float64 `json:"seconds"`        // that count
	Device   float64 `json:"device_seconds"` // by a device's clock; without one as wall_seconds
	Wall     float64 `json:"wall_seconds"`
	Validate float64 `json:"validate_seconds"`
}

// Invalid says that an answer is not what it should be: there is no result.
type Invalid struct {
	Kernel string
	Root   uint32
	Err    error // a *certify.Violation
}

func (e *Invalid) Error() string { return fmt.Sprintf("%s from root %d: %v", e.Kernel, e.Root, e.Err) }

// Unwrap returns what is wrong.
func (e *Invalid) Unwrap() error { return e.Err }

// runner holds what the kernels share.
type runner struct {
	Options
	engine   pregel.Engine
	list     graph.Columns
	tuples   []uint32 // of each vertex: the edges of the list whose first end it is
	graph    *graph.Graph
	prepared *pregel.Prepared // nil: the graph as it is
	roots    []uint32
	result   *Result
}

// Run runs the benchmark. An answer that does not pass is an *Invalid.
func Run(ctx context.Context, e pregel.Engine, o Options) (*Result, error) {
	r := &runner{Options: o, engine: e, result: &Result{Scale: o.Scale, EdgeFactor: o.EdgeFactor, Prepare: "none"}}
	if r.Tell == nil {
		r.Tell = func(string, ...any) {}
	}
	if err := r.generate(ctx); err != nil {
		return nil, err
	}
	if err := r.construct(ctx); err != nil {
		return nil, err
	}
	r.roots = sample(r.graph.Out(), r.Roots, r.Seed)
	if r.result.Roots = len(r.roots); r.result.Roots == 0 {
		return nil, fmt.Errorf("graph500: every edge is a loop: there is no root to search from")
	}
	var err error
	if r.BFS {
		if r.result.BFS, err = r.kernel(ctx, search{}); err != nil {
			return nil, err
		}
	}
	if r.SSSP {
		if r.result.SSSP, err = r.kernel(ctx, paths{}); err != nil {
			return nil, err
		}
	}
	return r.result, nil
}

// generate makes the list of edges.
func (r *runner) generate(ctx context.Context) (err error) {
	weights := graphgen.ListUnweighted
	r.result.Weights = "none"
	switch {
	case r.SSSP && r.Integers:
		weights, r.result.Weights = graphgen.ListIntegers, "integers 1 to 255 (the rules ask for uniform)"
	case r.SSSP:
		weights, r.result.Weights = graphgen.ListUniform, "uniform in [0, 1), float32"
	}
	begin := time.Now()
	spec := graphgen.Spec{Kind: "kronecker", Scale: r.Scale, EdgeFactor: r.EdgeFactor, Seed: r.Seed}
	if r.list, err = graphgen.EdgeList(ctx, spec, weights, r.Workers); err != nil {
		return err
	}
	r.result.Generation = time.Since(begin).Seconds()
	r.Tell("graph_generation: %.3f s", r.result.Generation)
	r.tuples, err = firstEnds(1<<r.Scale, r.list.U, r.Workers)
	return err
}

// construct makes the graph: kernel 1.
func (r *runner) construct(ctx context.Context) (err error) {
	begin := time.Now()
	r.graph, err = graph.Build(ctx, graph.RangeIDs(0, 1<<r.Scale), r.list, graph.Options{Loops: graph.DropLoops, Duplicates: graph.DropDuplicates, Workers: r.Workers})
	if err != nil {
		return err
	}
	if r.Order != "" {
		if r.prepared, err = pregel.Prepare(ctx, r.graph, r.Order, r.Workers); err != nil {
			return err
		}
		r.result.Prepare = r.Order
	}
	r.result.Construction = time.Since(begin).Seconds()
	r.Tell("construction_time: %.3f s", r.result.Construction)
	return nil
}

// kernel times and validates the searches from all roots.
func (r *runner) kernel(ctx context.Context, k algorithm) (*Kernel, error) {
	if err := r.again(ctx, k, r.roots[0]); err != nil { // warms up
		return nil, err
	}
	if r.Clock != nil {
		upload := r.Clock.Upload().Seconds()
		r.result.Construction += upload
		r.Tell("copied to the device: %.3f s", upload)
	}
	result := new(Kernel)
	for i, root := range r.roots {
		answer, taken, err := r.once(ctx, k, root)
		if err != nil {
			return nil, err
		}
		s := Search{Root: root, Edges: r.edges(k.parents(answer), root), Seconds: r.counted(answer, taken), Device: taken.Seconds, Wall: taken.Wall}
		begin := time.Now()
		if err := k.validate(ctx, r.list, root, answer); err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			return nil, &Invalid{k.name(), root, err}
		}
		s.Validate = time.Since(begin).Seconds()
		answer.Table.Release()
		r.Tell("%s %d of %d from %d: %.6f s, %.4g TEPS; validated in %.3f s", k.name(), i+1, len(r.roots), root, s.Seconds, float64(s.Edges)/s.Seconds, s.Validate)
		result.Runs = append(result.Runs, s)
	}
	r.result.Edges = result.summarise(r.Clock != nil)
	return result, r.measureEnergy(ctx, k, result)
}

// once searches from a root.
func (r *runner) once(ctx context.Context, k algorithm, root uint32) (*pregel.Answer, bench.Taken, error) {
	runtime.GC() // what the run before has used can be used again
	var clock bench.Clock
	if r.Clock != nil {
		clock = r.Clock
	}
	return bench.Timed(ctx, &pregel.Job{Graph: r.graph, Engine: r.engine}, k.from(pregel.ID(fmt.Sprint(root))), r.prepared, clock)
}

// again searches from a root, and lets the next search have the answer's memory.
func (r *runner) again(ctx context.Context, k algorithm, root uint32) error {
	answer, _, err := r.once(ctx, k, root)
	if err == nil {
		answer.Table.Release()
	}
	return err
}

// counted is the time of a search from the root alone to parents in the ids of the list. An answer
// of a prepared graph that the device has not brought back into these is by the host, behind the
// device's clock.
func (r *runner) counted(a *pregel.Answer, t bench.Taken) float64 {
	if r.prepared != nil && !a.Ordered {
		return t.Wall
	}
	return t.Seconds
}

// summarise fills in the statistics, and returns those of the edges.
func (k *Kernel) summarise(device bool) bench.Summary {
	var times, devices, walls, validate, edges, perEdge []float64
	for _, s := range k.Runs {
		times, validate = append(times, s.Seconds), append(validate, s.Validate)
		devices, walls = append(devices, s.Device), append(walls, s.Wall)
		edges, perEdge = append(edges, float64(s.Edges)), append(perEdge, s.Seconds/float64(s.Edges))
	}
	k.Time, k.Validate, k.TEPS = bench.Summarise(times), bench.Summarise(validate), bench.SummariseRates(perEdge)
	if device {
		device, wall := bench.Summarise(devices), bench.Summarise(walls)
		k.Device, k.Wall = &device, &wall
	}
	return bench.Summarise(edges)
}

// measureEnergy repeats the searches, unvalidated, if there is a meter.
func (r *runner) measureEnergy(ctx context.Context, k algorithm, result *Kernel) (err error) {
	if r.Meter == nil {
		return nil
	}
	result.Energy, err = energy.Measure(ctx, r.MeterName, r.Meter, r.EnergyFor, len(result.Runs), func(i int) (uint64, error) {
		return result.Runs[i].Edges, r.again(ctx, k, result.Runs[i].Root)
	})
	return err
}
