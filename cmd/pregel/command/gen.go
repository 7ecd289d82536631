package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel/graphgen"
)

func (a *app) genCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "gen KIND",
		Short: "Generates a graph",
		Long: `Generates a graph and writes it to a file, as an edge list to standard output
without one. The parameters fix the graph for ever, whatever the number of
workers. "pregel gen KIND --help" lists the parameters of a kind.`,
		Example: `  pregel gen kronecker --scale 16 --seed 1 -o kron16.pgr
  pregel gen karate`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			hint := ""
			if near := c.SuggestionsFor(args[0]); len(near) > 0 {
				hint = "; did you mean " + near[0] + "?"
			}
			return fmt.Errorf("no generator is called %q%s (see pregel gen --help)", args[0], hint)
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },

		SuggestionsMinimumDistance: 2,
	}
	for _, k := range graphgen.Kinds() {
		c.AddCommand(a.genKind(k))
	}
	return c
}

// A generation is one call of gen.
type generation struct {
	app    *app
	kind   graphgen.Kind
	params map[string]string // those given
	graph  job.Graph
	target target
	quiet  bool
}

func (a *app) genKind(k graphgen.Kind) *cobra.Command {
	d := &generation{app: a, kind: k, graph: job.DefaultGraph()}
	fields := job.GeneratorParams(k)
	c := &cobra.Command{
		Use:   k.Name,
		Short: k.Doc,
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			d.params = given(c, fields)
			return d.run(c.Context())
		},
	}
	addFields(c, fields)
	addFields(c, pickFields(d.graph.Fields(), "directed", "weights", "self_loops", "duplicates"))
	c.Flags().StringVarP(&d.target.path, "output", "o", "", "the `file` for the graph; without it an edge list on standard output")
	c.Flags().StringVar(&d.target.format, "format", "", "the `format` of the file, if its name does not tell")
	c.Flags().BoolVarP(&d.quiet, "quiet", "q", false, "show nothing")
	addTarget(c, &d.target)
	return c
}

// given returns the parameters that were set on the command line.
func given(c *cobra.Command, fields []job.Field) map[string]string {
	params := map[string]string{}
	for _, f := range fields {
		if flag := c.Flags().Lookup(strings.ReplaceAll(f.Name, "_", "-")); flag.Changed {
			params[f.Name] = flag.Value.String()
		}
	}
	return params
}

func (d *generation) run(ctx context.Context) error {
	spec, err := graphgen.Parse(d.kind.Name, d.params)
	if err != nil {
		return input(flagError(err))
	}
	if d.graph.Weights == "file" && !d.kind.Weighted {
		return input(fmt.Errorf("--weights: found file, allowed: none or splitmix64, as %s has no weights of its own", d.kind.Name))
	}
	if err := d.target.check(); err != nil {
		return err
	}
	bars := newProgress(d.app.err, d.app.terminal && !d.quiet)
	defer bars.close()
	tell, done := bars.loading(d.kind.Name)
	o := generateOptions(&d.graph, d.target.workers)
	o.Progress = func(done, total uint64) { tell(int64(done), int64(total)) }
	g, err := graphgen.Generate(ctx, spec, o)
	done()
	if err != nil {
		return input(flagError(err))
	}
	if err := d.target.write(ctx, d.app, g, bars); err != nil {
		return err
	}
	bars.close()
	if d.target.standard() || d.quiet {
		return nil
	}
	_, err = fmt.Fprintln(d.app.out, describeGraph(d.target.path, g))
	return err
}

// flagError names the flag instead of the key of a job file.
func flagError(err error) error {
	var at *graphgen.FieldError
	if !errors.As(err, &at) {
		return err
	}
	flag := "--" + strings.ReplaceAll(at.Field, "_", "-")
	if at.Found == "" {
		return fmt.Errorf("%s is missing: %s", flag, at.Allowed)
	}
	return fmt.Errorf("%s: found %s, allowed: %s", flag, at.Found, at.Allowed)
}
