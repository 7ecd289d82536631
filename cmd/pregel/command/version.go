package command

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"gopregel/runtime/cuda/driver"
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
	return fmt.Sprintf("pregel %s %s %s/%s, devices: %s", sourceVersion(info), runtime.Version(), runtime.GOOS, runtime.GOARCH, deviceKinds())
}

// sourceVersion is what the command was built of.
func sourceVersion(info *debug.BuildInfo) string {
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
	return version + revision + modified
}

// deviceKinds are what this binary can compute on, where it is there.
func deviceKinds() string {
	if _, err := driver.Devices(); errors.Is(err, driver.ErrNotBuilt) {
		return "cpu"
	}
	return "cpu, cuda"
}
