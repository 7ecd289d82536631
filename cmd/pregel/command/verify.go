package command

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/job"
	"gopregel/cmd/pregel/output"
	"gopregel/pregel"
	"gopregel/pregel/graph"
)

func (a *app) verifyCommand() *cobra.Command {
	var set []string
	var out string
	var quiet bool
	c := &cobra.Command{
		Use:   "verify JOB",
		Short: "Checks the answer in a file by its certificate, without computing it again",
		Long: `Checks the answer that a job has written (output.path, or --output) by the
certificate of its program: what it costs and what it proves stands in the
program's documentation. The program is not run. The file may come from
elsewhere: the columns may be in any order, and so may the rows.

Exit code 0: the certificate holds; 4: it does not.`,
		Args:              arguments(1, 1),
		ValidArgsFunction: jobFiles,
		RunE: func(c *cobra.Command, args []string) error {
			j, err := job.Read(args[0], a.in, job.Options{Programs: a.programs, Set: set, Output: out})
			if err != nil {
				return input(err)
			}
			bars := newProgress(a.err, a.terminal && !quiet)
			defer bars.close()
			rows, err := verifyFile(c.Context(), j, bars)
			if err != nil || quiet {
				return err
			}
			_, err = fmt.Fprintf(a.out, "%s: the certificate of %s holds for %s\n", j.OutputPath(), j.Program, plural(rows, "row"))
			return err
		},
	}
	setFlags(c, &set, &out)
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "say nothing when the certificate holds")
	return c
}

// verifyFile certifies the answer in the job's output file.
func verifyFile(ctx context.Context, j *job.Job, bars *progress) (rows int, err error) {
	path := j.OutputPath()
	check, ok := j.Algorithm.(pregel.Certifier)
	switch {
	case !ok:
		return 0, input(fmt.Errorf("the program %s has no certificate", j.Program))
	case path == "":
		return 0, input(errors.New("the job has no output.path: name the answer's file with --output"))
	}
	g, err := load(ctx, j, bars)
	if err != nil {
		return 0, err
	}
	if err := j.CheckVertices(g.IDs()); err != nil {
		return 0, input(err)
	}
	layout, err := layoutOf(ctx, j, g)
	if err != nil {
		return 0, err
	}
	table, err := output.Read(ctx, path, j.Output.Format, g.IDs(), layout)
	if err != nil {
		return 0, input(err)
	}
	err = check.Certify(ctx, g, table)
	switch {
	case err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled):
		return 0, err
	case err != nil:
		return 0, &exit{exitCertificate, fmt.Errorf("%s: certificate failed: %w", path, err)}
	}
	return tableRows(table, g), nil
}

// layoutOf finds the columns of a program's answers by running it on a graph of
// two vertices, joined by an edge, which is of the kind of g and has the
// vertices that the parameters name.
func layoutOf(ctx context.Context, j *job.Job, g *graph.Graph) (*pregel.Table, error) {
	tiny, err := tinyGraph(ctx, g, namedVertices(j, g))
	if err != nil {
		return nil, err
	}
	algorithm, err := j.Fresh()
	if err != nil {
		return nil, err
	}
	answer, err := algorithm.Run(ctx, &pregel.Job{Graph: tiny, Engine: newCPU(j), MaxSupersteps: 100})
	if err != nil {
		return nil, failure(fmt.Errorf("cannot find out the columns of %s: %w", j.Program, err))
	}
	return &answer.Table, nil
}

// namedVertices are those that parameters name, in order, and at least two if
// the graph has them.
func namedVertices(j *job.Job, g *graph.Graph) []uint32 {
	var list []uint32
	add := func(v uint32) {
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	for _, f := range j.Params() {
		if v, err := g.IDs().Parse(f.Text()); f.Type == job.Vertex && err == nil {
			add(v)
		}
	}
	for v := uint32(0); int(v) < g.N() && len(list) < 2; v++ {
		add(v)
	}
	slices.Sort(list)
	return list
}

// tinyGraph is a path over the given vertices of g.
func tinyGraph(ctx context.Context, g *graph.Graph, vertices []uint32) (*graph.Graph, error) {
	ids, err := g.IDs().Some(vertices)
	if err != nil {
		return nil, err
	}
	var edges graph.Columns
	for i := 1; i < len(vertices); i++ {
		edges.U, edges.V = append(edges.U, uint32(i-1)), append(edges.V, uint32(i))
	}
	switch g.Weighted() {
	case graph.Int32:
		edges.Weights.Int = slices.Repeat([]int32{1}, len(edges.U))
	case graph.Float32:
		edges.Weights.Float = slices.Repeat([]float32{1}, len(edges.U))
	}
	return graph.Build(ctx, ids, edges, graph.Options{Directed: g.Directed()})
}
