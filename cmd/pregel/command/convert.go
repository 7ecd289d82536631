package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphio"
)

func (a *app) convertCommand() *cobra.Command {
	from := job.DefaultGraph()
	var t target
	var quiet bool
	c := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Converts a graph file to another format",
		Long: `Converts a graph file to another format, which the name of OUT tells, or --to.
The flags say how IN is read, as the keys of graph in a job file do. What the
format of OUT cannot hold is an error, unless --allow-loss is given.

Formats:
` + formatList(),
		Example: `  pregel convert web-NotreDame.txt.gz web.pgr
  pregel convert roads.gr.gz roads.el --duplicates min --allow-loss`,
		Args: arguments(2, 2),
		RunE: func(c *cobra.Command, args []string) error {
			bars := newProgress(a.err, a.terminal && !quiet)
			defer bars.close()
			t.path = args[1]
			if err := t.check(); err != nil {
				return err
			}
			g, err := readFile(c.Context(), args[0], readOptions(&from, t.workers), bars)
			if err != nil {
				return err
			}
			if err := t.write(c.Context(), a, g, bars); err != nil {
				return err
			}
			bars.close()
			if quiet || t.standard() {
				return nil
			}
			_, err = fmt.Fprintln(a.out, describeGraph(t.path, g))
			return err
		},
	}
	addFields(c, from.Fields())
	c.Flags().StringVar(&t.format, "to", "", "the `format` of OUT, if its name does not tell")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "show nothing")
	addTarget(c, &t)
	return c
}

func formatList() string {
	var b strings.Builder
	for _, f := range graphio.Formats() {
		fmt.Fprintf(&b, "  %-13s %s", f.Name, f.Doc)
		if len(f.Extensions) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.Join(f.Extensions, " "))
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// readFile reads a graph that the command line names.
func readFile(ctx context.Context, path string, o graphio.Options, bars *progress) (*graph.Graph, error) {
	tell, done := bars.loading(path)
	defer done()
	o.Progress = tell
	g, err := graphio.Read(ctx, path, o)
	return g, input(err)
}
