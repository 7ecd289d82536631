package command

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/scaffold"
)

func (a *app) newCommand() *cobra.Command {
	var m scaffold.Module
	var clone string
	c := &cobra.Command{
		Use:   "new NAME|MODULE",
		Short: "Writes a module with a program of your own",
		Long: `Writes the folder NAME: a Go module with an edge program of twenty lines; its
certificate, which checks answers without it; tests that look for broken laws and
compare with a slow reference; a job file; and a command, which is this one with the
program among its own: go run ./cmd/NAME run job.yaml. It builds and passes as it
is; put your own program in its place.

NAME is that of the package, the last part of the module's path, and may be a path to
the folder. A path that begins with the name of a host, such as example.org/me/loudest,
is that of the module, as for go mod init, unless there is a folder example.org/me. The
module uses the source of gopregel that this pregel was built from. With --kernel the
program has a twin in CUDA C, and a job file for that alone, kernel.yaml.

A file that is there is never written over.`,
		Example: `  pregel new loudest && cd loudest && go test ./... && go run ./cmd/loudest run job.yaml --verify
  pregel new example.org/me/loudest --kernel
  pregel new code/loudest --module example.org/me/loudest`,
		Args: arguments(1, 1),
		RunE: func(_ *cobra.Command, args []string) (err error) {
			dir, err := m.Place(args[0])
			if err != nil {
				return input(err)
			}
			if m.Clone, err = scaffold.FindClone(clone); err != nil {
				return input(err)
			}
			paths, err := m.Write(dir)
			if err != nil {
				return input(err)
			}
			for _, path := range paths {
				fmt.Fprintln(a.out, filepath.Join(dir, path))
			}
			_, err = fmt.Fprintf(a.out, "\nnext: cd %s && go test ./... && go run ./cmd/%s run job.yaml --verify\n", dir, m.Name)
			return err
		},
	}
	f := c.Flags()
	f.BoolVar(&m.Kernel, "kernel", false, "with a twin of the program in CUDA C")
	f.StringVar(&m.Module, "module", "", "the `path` of the module; left out: NAME")
	f.StringVar(&clone, "gopregel", "", "the `folder` of a clone of gopregel; left out: where this pregel was built")
	return c
}
