package command

import (
	"context"
	"errors"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/graphio"
)

// load reads or generates the graph of a job. Errors say where in the job the
// graph is named, unless they name a line of the graph's file.
func load(ctx context.Context, j *job.Job, p *progress) (*graph.Graph, error) {
	tell, done := p.loading(j.Name())
	defer done()
	if spec := j.Graph.Generate; spec != nil {
		o := generateOptions(&j.Graph, j.Engine.Workers)
		o.Progress = func(done, total uint64) { tell(int64(done), int64(total)) }
		g, err := graphgen.Generate(ctx, *spec, o)
		if err != nil {
			return nil, input(j.Errorf("graph.generate", "%w", err))
		}
		return g, nil
	}
	o := readOptions(&j.Graph, j.Engine.Workers)
	o.Progress = tell
	g, err := graphio.Read(ctx, j.GraphPath(), o)
	var at *graphio.FileError
	switch {
	case errors.As(err, &at):
		return nil, input(err)
	case err != nil:
		return nil, input(j.Errorf("graph.path", "%w", err))
	}
	return g, nil
}

// readOptions says how a file becomes a graph.
func readOptions(g *job.Graph, workers int) graphio.Options {
	o := graphio.Options{
		Format:     g.Format,
		IDs:        map[string]graphio.IDKind{"string": graphio.IDsString}[g.IDs],
		Vertices:   map[string]graphio.VertexSet{"endpoints": graphio.VerticesEndpoints, "range": graphio.VerticesRange}[g.Vertices],
		Weights:    map[string]graphio.WeightSource{"file": graphio.WeightsFromFile, "none": graphio.WeightsNone, "splitmix64": graphio.WeightsHash}[g.Weights],
		Loops:      loops(g),
		Duplicates: duplicates(g),
		Workers:    workers,
	}
	switch {
	case g.Directed == nil:
	case *g.Directed:
		o.Directed = graphio.Directed
	default:
		o.Directed = graphio.Undirected
	}
	return o
}

// generateOptions says how a generator's edges become a graph.
func generateOptions(g *job.Graph, workers int) graphgen.Options {
	return graphgen.Options{
		Directed:   g.Directed,
		Weights:    map[string]graphgen.Weights{"none": graphgen.NoWeights, "splitmix64": graphgen.HashWeights}[g.Weights],
		Loops:      loops(g),
		Duplicates: duplicates(g),
		Workers:    workers,
	}
}

func loops(g *job.Graph) graph.Loops {
	return map[string]graph.Loops{"drop": graph.DropLoops}[g.SelfLoops]
}

func duplicates(g *job.Graph) graph.Duplicates {
	return map[string]graph.Duplicates{"drop": graph.DropDuplicates, "min": graph.MinDuplicates, "sum": graph.SumDuplicates}[g.Duplicates]
}
