package command

import (
	"strings"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/job"
)

// A fieldFlag is a field of a job file as a flag, with the same checks.
type fieldFlag struct{ *job.Field }

func (f fieldFlag) String() string {
	if f.Field == nil {
		return ""
	}
	return f.Text()
}

// Type is what help calls the value.
func (f fieldFlag) Type() string {
	if len(f.Enum) > 0 {
		return strings.Join(f.Enum, "|")
	}
	return f.Field.Type.String()
}

// addFields adds a flag for each field that is a value; max_supersteps becomes
// --max-supersteps.
func addFields(c *cobra.Command, fields []job.Field) {
	for i := range fields {
		f := &fields[i]
		if f.Type == job.Section {
			continue
		}
		name := strings.ReplaceAll(f.Name, "_", "-")
		flag := c.Flags().VarPF(fieldFlag{f}, name, "", f.Doc)
		if f.Type == job.Boolean {
			flag.NoOptDefVal = "true"
		}
		if len(f.Enum) > 0 {
			_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(f.Enum, cobra.ShellCompDirectiveNoFileComp))
		}
	}
}
