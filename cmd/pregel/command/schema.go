package command

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/job"
	"gopregel/programs"
)

func (a *app) schemaCommand() *cobra.Command {
	var program string
	c := &cobra.Command{
		Use:   "schema",
		Short: "Prints the JSON Schema of job files",
		Long: `Prints the JSON Schema of job files, which editors use to check and complete
them. In VS Code and others with the YAML language server, begin a job with

  # yaml-language-server: $schema=pregel.schema.json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			list := a.programs
			if program != "" {
				e, err := a.program(program)
				if err != nil {
					return err
				}
				list = []programs.Entry{e}
			}
			schema, err := job.Schema(list)
			if err != nil {
				return err
			}
			text, err := json.MarshalIndent(schema, "", "  ")
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.out, "%s\n", text)
			return err
		},
	}
	c.Flags().StringVar(&program, "program", "", "only jobs of this `program`")
	_ = c.RegisterFlagCompletionFunc("program", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return a.programNames(), cobra.ShellCompDirectiveNoFileComp
	})
	return c
}
