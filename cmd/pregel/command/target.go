package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel/atomicfile"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphio"
)

// A target is where a graph is written to.
type target struct {
	path, format string // path "" or "-": standard output
	loss         bool   // what the format cannot hold may be lost
	workers      int
}

func addTarget(c *cobra.Command, t *target) {
	c.Flags().BoolVar(&t.loss, "allow-loss", false, "write what the format can hold and say what is lost")
	c.Flags().IntVarP(&t.workers, "workers", "j", 0, "threads; 0: one for each processor")
}

func (t *target) standard() bool { return t.path == "" || t.path == job.Standard }

// check finds what would fail after a long computation.
func (t *target) check() error {
	switch {
	case t.standard() && t.format == "":
		t.format = "edgelist"
		return nil
	case t.standard():
		return nil
	}
	if _, _, err := graphio.FormatOf(t.path); err != nil && t.format == "" {
		return input(err)
	}
	return input(writable(t.path))
}

// writable tries whether a file can be made.
func writable(path string) error {
	if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil // a pipe or device takes no trial
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	f.Discard()
	return nil
}

func (t *target) write(ctx context.Context, a *app, g *graph.Graph, bars *progress) error {
	name := t.path
	if t.standard() {
		name = "standard output"
	}
	tell, done := bars.writing(name)
	defer done()
	o := graphio.WriteOptions{Format: t.format, AllowLoss: t.loss, Workers: t.workers, Progress: tell}
	losses, err := graphio.Losses(t.path, g, o)
	switch {
	case err != nil:
		return input(fmt.Errorf("%s: %w", name, err))
	case len(losses) > 0 && !t.loss:
		return input(fmt.Errorf("%s would lose something: %s; --allow-loss writes the rest", name, strings.Join(losses, "; ")))
	case t.standard():
		err = throughPipe(a.out, func(path string) error { return graphio.Write(ctx, path, g, o) })
	default:
		err = graphio.Write(ctx, t.path, g, o)
	}
	if err != nil {
		return err
	}
	for _, what := range losses {
		a.tell("lost: %s", what)
	}
	return nil
}

// throughPipe copies to w what f writes to the path it is given.
func throughPipe(w io.Writer, f func(path string) error) error {
	from, to, err := os.Pipe()
	if err != nil {
		return err
	}
	copied := make(chan error, 1)
	go func() {
		_, err := io.Copy(w, from)
		_ = from.Close() // a writer that goes on gets an error
		copied <- err
	}()
	err = f(fmt.Sprintf("/dev/fd/%d", to.Fd()))
	_ = to.Close()
	if copyErr := <-copied; copyErr != nil {
		return copyErr
	}
	return err
}

func pickFields(fields []job.Field, names ...string) []job.Field {
	var list []job.Field
	for _, f := range fields {
		for _, name := range names {
			if f.Name == name {
				list = append(list, f)
			}
		}
	}
	return list
}
