package command

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/job"
	"gopregel/programs"
)

func (a *app) programsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "programs [NAME]",
		Short: "Lists the programs, or the parameters of one",
		Args:  arguments(0, 1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return a.programNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listPrograms()
			}
			e, err := a.program(args[0])
			if err != nil {
				return err
			}
			return a.describeProgram(e)
		},
	}
}

func (a *app) programNames() []string {
	list := make([]string, len(a.programs))
	for i, e := range a.programs {
		list[i] = e.Name
	}
	return list
}

func (a *app) program(name string) (programs.Entry, error) {
	for _, e := range a.programs {
		if e.Name == name {
			return e, nil
		}
	}
	return programs.Entry{}, input(fmt.Errorf("no program is called %q (known: %s)", name, strings.Join(a.programNames(), ", ")))
}

// checkEntries finds what would make a program out of reach.
func checkEntries(list []programs.Entry) error {
	seen := map[string]bool{}
	for _, e := range list {
		switch {
		case e.Name == "" || e.New == nil:
			return fmt.Errorf("a program of the command, called %q, has no name or no New", e.Name)
		case seen[e.Name]:
			return fmt.Errorf("two programs of the command are called %q", e.Name)
		}
		seen[e.Name] = true
	}
	return nil
}

func (a *app) listPrograms() error {
	out := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, e := range a.programs {
		fmt.Fprintf(out, "%s\t%s\n", e.Name, e.Doc)
	}
	return out.Flush()
}

func (a *app) describeProgram(e programs.Entry) error {
	fields, err := job.Parameters(e)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "%s: %s\n\nparams:\n", e.Name, e.Doc)
	return listFields(a.out, fields)
}

// listFields writes a table of keys: what is allowed, the default, what it
// means.
func listFields(w io.Writer, fields []job.Field) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range fields {
		preset := "-"
		switch {
		case f.Required:
			preset = "required"
		case f.Default() != nil:
			preset = fmt.Sprint(f.Default())
		}
		fmt.Fprintf(out, "  %s\t%s\t%s\t%s\n", f.Name, preset, f.Allowed(), f.Doc)
	}
	return out.Flush()
}
