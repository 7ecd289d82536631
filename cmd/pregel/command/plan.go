package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/job"
	"gopregel/cmd/pregel/plan"
	"gopregel/pregel/graphio"
)

func (a *app) planCommand() *cobra.Command {
	var set []string
	var asJSON bool
	c := &cobra.Command{
		Use:   "plan JOB",
		Short: "Says how much memory a job needs, before anything is loaded",
		Long: `Says how much memory a job needs on the host and, if it would run there, on the
GPU, array by array, and how much there is. On a GPU forms of the graph that are
there for speed alone, made where there is room and where they pay, stand beside
what is needed: they decide nothing. The graph is not loaded: its size is
known by the parameters of most generators and the headers of .pgr, Matrix
Market, DIMACS, METIS, Ligra and GAPBS files. Other texts are read through once: edges
are counted, vertices estimated to about 2 %.

Too little memory is an error; pregel run checks the same before it begins.`,
		Example: `  pregel plan pagerank.yaml
  pregel plan bfs.yaml --set engine.device=cuda --json`,
		Args:              arguments(1, 1),
		ValidArgsFunction: jobFiles,
		RunE: func(c *cobra.Command, args []string) error {
			j, err := job.Read(args[0], a.in, job.Options{Programs: a.programs, Set: set})
			if err != nil {
				return input(err)
			}
			return a.plan(c.Context(), j, asJSON)
		},
	}
	c.Flags().StringArrayVar(&set, "set", nil, "set a `key=value` of the job")
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return c
}

// A planReport is what plan prints.
type planReport struct {
	Graph   planGraph   `json:"graph"`
	Program string      `json:"program"`
	Engine  planEngine  `json:"engine"`
	Host    planMemory  `json:"host"`
	GPU     *planMemory `json:"gpu"` // null: the job runs on the CPU
}

type planGraph struct {
	Name     string         `json:"name"`
	Vertices uint64         `json:"vertices"`
	Arcs     uint64         `json:"arcs"`
	Directed bool           `json:"directed"`
	Weights  string         `json:"weights"`
	Sizes    plan.Certainty `json:"sizes"`
	How      string         `json:"how"`
	Mapped   bool           `json:"mapped"` // the arrays are those of the file, which takes no memory that is not free
}

type planEngine struct {
	Device string  `json:"device"`
	Why    *string `json:"why"`
}

func (a *app) plan(ctx context.Context, j *job.Job, asJSON bool) error {
	engine, err := a.newEngine(j)
	if err != nil {
		return err
	}
	defer engine.close()
	s, err := plan.Measure(ctx, j)
	if err != nil {
		return planError(ctx, j, err)
	}
	s.Prepared = j.Prepare.Order != "none"
	p := planReport{Program: j.Program, Graph: planGraph{j.Name(), s.Vertices, s.Arcs, s.Directed, s.Weights.String(), s.Certainty, s.How, s.Loading.Mapped}}
	if engine.device != nil {
		if p.GPU, err = planDevice(j, engine, s); err != nil {
			return err
		}
	}
	short := p.GPU != nil && !p.GPU.Fits
	if short && j.Engine.Device == "auto" && j.Kernel == nil {
		engine.close()
		*engine = choice{Engine: newCPU(j), why: "too little memory on the GPU"}
		short = false
	}
	p.Engine = planEngine{engine.Name(), engine.report(j).Why}
	p.Host = planHost(j, engine, s)
	if asJSON {
		err = writeJSON(a.out, p)
	} else {
		err = p.write(a.out)
	}
	switch {
	case err != nil:
		return err
	case short:
		return input(j.Errorf("graph", "%w", p.GPU.shortage("the GPU")))
	case !p.Host.Fits:
		return input(j.Errorf("graph", "%w", p.Host.shortage("the host")))
	}
	return nil
}

func planError(ctx context.Context, j *job.Job, err error) error {
	var at *graphio.FileError
	switch key := "graph.path"; {
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &at):
		return input(err)
	case j.Graph.Generate != nil:
		return input(j.Errorf("graph.generate", "%w", err))
	default:
		return input(j.Errorf(key, "%w", err))
	}
}

func (p *planReport) write(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	g := p.Graph
	direction, weights := "undirected", "unweighted"
	if g.Directed {
		direction = "directed"
	}
	if g.Weights != "none" {
		weights = "weighted"
	}
	line("graph", "%s: %s, %s, %s, %s", g.Name, plural(g.Vertices, "vertex"), plural(g.Arcs, "arc"), direction, weights)
	line("sizes", "%s: %s", g.Sizes, g.How)
	line("program", "%s", p.Program)
	why := ""
	if p.Engine.Why != nil {
		why = " (auto: " + *p.Engine.Why + ")"
	}
	line("engine", "%s%s", p.Engine.Device, why)
	if g.Mapped {
		line("", "the graph's own arrays are the file's, mapped: they take no memory that others need")
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if err := p.Host.write(w, "host"); err != nil || p.GPU == nil {
		return err
	}
	return p.GPU.write(w, "GPU, "+p.GPU.Name)
}
