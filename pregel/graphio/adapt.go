package graphio

import (
	"context"
	"fmt"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphio/binary"
	"gopregel/pregel/mem"
)

func readPGR(ctx context.Context, r *request) (*graph.Graph, error) {
	if err := r.refuseForBinary(); err != nil {
		return nil, err
	}
	g, err := binary.Read(ctx, r.path, binary.ReadOptions{Workers: r.Workers})
	return r.adapted(ctx, g, err)
}

func readGAPBS(ctx context.Context, r *request) (*graph.Graph, error) {
	if err := r.refuseForBinary(); err != nil {
		return nil, err
	}
	g, err := binary.ReadGAPBS(ctx, r.path, r.Workers)
	return r.adapted(ctx, g, err)
}

// refuseForBinary refuses what does not go with files that are used in place.
func (r *request) refuseForBinary() error {
	if _, compression, err := FormatOf(r.path); err == nil && compression != "" {
		return &FileError{Path: r.path, Problem: "binary graphs are mapped into memory and cannot be compressed; decompress the file first"}
	}
	if r.Vertices != VerticesByFormat {
		return &FileError{Path: r.path, Problem: "vertices: a binary graph has its own set of vertices"}
	}
	return nil
}

// adapted makes the graph of a binary file, already read, what the options
// ask for. A graph that is so already is not copied.
func (r *request) adapted(ctx context.Context, g *graph.Graph, err error) (*graph.Graph, error) {
	if err != nil {
		return nil, err
	}
	h, err := r.adapt(ctx, g)
	if err != nil {
		g.Close()
		return nil, err
	}
	return h, nil
}

func (r *request) adapt(ctx context.Context, g *graph.Graph) (*graph.Graph, error) {
	switch names := g.IDs().Names() != nil; {
	case r.Directed == Directed && !g.Directed():
		return nil, &FileError{Path: r.path, Problem: "the graph is undirected; it cannot be read as directed"}
	case names && r.Weights == WeightsHash:
		return nil, &FileError{Path: r.path, Problem: "splitmix64 weights are made of numeric ids, this graph's are strings"}
	case !names && g.N() > 0 && r.IDs == IDsString:
		return nil, &FileError{Path: r.path, Problem: "ids: the graph's are integers, not strings"}
	case r.Weights == WeightsFromFile && g.Weighted() == graph.Unweighted:
		return nil, &FileError{Path: r.path, Problem: "the file has no weights"}
	}
	if !r.parsesWeights() {
		g = g.WithoutWeights()
	}
	g, err := r.convertWeights(g)
	if err != nil || !r.mustRebuild(g) {
		return g, err
	}
	o := graph.Options{Directed: r.directed(g.Directed()), Loops: r.Loops, Duplicates: r.Duplicates, Workers: r.Workers}
	h, err := graph.Build(ctx, g.IDs(), g.Edgewise(), o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.path, err)
	}
	// The table of ids still lies in the file behind g.
	return graph.New(graph.Parts{Directed: o.Directed, IDs: h.IDs(), Out: h.Out(), Closer: g})
}

// mustRebuild tells whether the arcs are not as the options ask.
func (r *request) mustRebuild(g *graph.Graph) bool {
	return r.Directed == Undirected && g.Directed() ||
		r.Loops == graph.DropLoops && g.Loops() > 0 ||
		r.Duplicates != graph.KeepDuplicates && hasDuplicates(g.Out())
}

func hasDuplicates(c graph.CSR) bool {
	for u := range uint32(c.N()) {
		list := c.Neighbors(u)
		for i := 1; i < len(list); i++ {
			if list[i] == list[i-1] {
				return true
			}
		}
	}
	return false
}

// convertWeights gives the weights the type that is asked for.
func (r *request) convertWeights(g *graph.Graph) (*graph.Graph, error) {
	kind := g.Weighted()
	if r.WeightType == "" || kind == graph.Unweighted || kind.String() == r.WeightType {
		return g, nil
	}
	out := g.Out()
	if kind == graph.Int32 {
		out.Weights = graph.Weights{Float: appendFloats(mem.Make[float32](len(out.Targets))[:0], out.Weights.Int)}
	} else {
		ints := mem.Make[int32](len(out.Targets))
		for i, w := range out.Weights.Float {
			if ints[i] = int32(w); float64(ints[i]) != float64(w) {
				return nil, &FileError{Path: r.path, Problem: fmt.Sprintf("weight %v is no int32", w)}
			}
		}
		out.Weights = graph.Weights{Int: ints}
	}
	return graph.New(graph.Parts{Directed: g.Directed(), IDs: g.IDs(), Out: out, Closer: g})
}
