package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/job"
	"gopregel/cmd/pregel/view"
	"gopregel/pregel/atomicfile"
)

func (a *app) viewCommand() *cobra.Command {
	var out, address string
	c := &cobra.Command{
		Use:   "view TRACE [TRACE]",
		Short: "Makes a page that shows the trace of a run",
		Long: `Makes a page that shows the trace of a run, or two side by side: one HTML file
that opens in any browser and loads nothing. Traces come from runs of jobs with
trace: {path, values}; what they lack, the page leaves out.

It shows, by superstep: active set, messages, time, direction and frontier; their
cost by the BSP model; the metric that the run brings down; and, of graphs of at
most 10000 vertices, the graph with its values and messages, forwards and
backwards, breakpoints on values, and why a vertex has its value. The key ? lists
the keys.

Traces of more than 64 MiB do not fit a page: --serve shows any, at an address of
this machine, until interrupted.`,
		Example: `  pregel view trace.jsonl                        # writes trace.html beside it
  pregel view cpu.jsonl cuda.jsonl -o both.html  # two runs side by side
  pregel view trace.jsonl.zst --serve localhost:8080`,
		Args: arguments(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			if address != "" && out != "" {
				return input(errors.New("--serve and -o: one of the two"))
			}
			files, err := a.openTraces(args)
			if err != nil {
				return err
			}
			defer closeTraces(files)
			if address != "" {
				return a.serveTraces(c.Context(), address, files)
			}
			return a.writePage(out, files)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the page's `file`; -: standard output (default: beside the first trace, .html)")
	c.Flags().StringVar(&address, "serve", "", "show the page at this `address`, such as localhost:8080 (port 0: any)")
	return c
}

// openTraces reads the traces; one that is cut off is shown up to there.
func (a *app) openTraces(paths []string) (files []*view.File, err error) {
	for _, path := range paths {
		f, err := view.Open(path)
		if err != nil {
			closeTraces(files)
			return nil, input(err)
		}
		if files = append(files, f); f.Cut != nil {
			a.tell("%v; shown is what was before", f.Cut)
		}
	}
	return files, nil
}

func closeTraces(files []*view.File) {
	for _, f := range files {
		f.Close()
	}
}

func (a *app) serveTraces(ctx context.Context, address string, files []*view.File) error {
	return view.Serve(ctx, address, func(url string) {
		fmt.Fprintf(a.out, "open %s in a browser; Ctrl-C ends it\n", url)
	}, files...)
}

func (a *app) writePage(out string, files []*view.File) error {
	if out == job.Standard {
		return pageError(view.Write(a.out, files...))
	}
	if out == "" {
		out = pageName(files[0].Name)
	}
	if err := atomicfile.Write(out, func(w io.Writer) error { return view.Write(w, files...) }); err != nil {
		return pageError(err)
	}
	_, err := fmt.Fprintf(a.out, "%s: open it in a browser; ? lists the keys\n", out)
	return err
}

// pageError is the user's where a trace is too large.
func pageError(err error) error {
	var large *view.TooLarge
	if errors.As(err, &large) {
		return input(large)
	}
	return err
}

// pageName is the trace's name with .html in place of its last extensions.
func pageName(path string) string {
	for _, extension := range []string{".gz", ".zst", ".jsonl", ".json"} {
		path = strings.TrimSuffix(path, extension)
	}
	return path + ".html"
}
