package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Prints the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			info, _ := debug.ReadBuildInfo()
			_, err := fmt.Fprintln(a.out, versionText(info))
			return err
		},
	}
}

// versionText writes what the build says of itself: the version, the commit,
// the compiler.
func versionText(info *debug.BuildInfo) string {
	version, revision, modified := "(devel)", "", ""
	if info != nil {
		if info.Main.Version != "" {
			version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = " " + s.Value[:min(len(s.Value), 12)]
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = " (with changes)"
			}
		}
	}
	return fmt.Sprintf("pregel %s%s%s %s %s/%s, devices: cpu", version, revision, modified, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
