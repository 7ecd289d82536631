package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// arguments wants from least to most of them, which the usage of the command names.
func arguments(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) >= least && len(args) <= most {
			return nil
		}
		_, names, _ := strings.Cut(c.Use, " ")
		return fmt.Errorf("%s: found %s, want %s (see %s --help)", c.Name(), plural(len(args), "argument"), names, c.CommandPath())
	}
}
