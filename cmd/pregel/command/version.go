package command

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gopregel/runtime/checkpoint"
	"gopregel/runtime/cuda/driver"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Prints the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.out, versionText(built()))
			return err
		},
	}
}

// built is what the build says of itself; nil: nothing.
func built() *debug.BuildInfo {
	info, _ := debug.ReadBuildInfo()
	return info
}

// versionText is the command's version and the compiler's.
func versionText(info *debug.BuildInfo) string {
	return fmt.Sprintf("%s %s %s %s/%s, devices: %s", commandName(info), sourceText(info), runtime.Version(), runtime.GOOS, runtime.GOARCH, deviceKinds())
}

// libraryPath is the module that this package is in.
const libraryPath = "gopregel"

// library is that module where it is not the one that the command is in; nil:
// it is.
func library(info *debug.BuildInfo) *debug.Module {
	if info == nil || info.Main.Path == libraryPath {
		return nil
	}
	i := slices.IndexFunc(info.Deps, func(m *debug.Module) bool { return m.Path == libraryPath })
	if i < 0 {
		return nil
	}
	return info.Deps[i]
}

// sourceText is what the command was built of: the version of its module and, if
// that is another one, of gopregel.
func sourceText(info *debug.BuildInfo) string {
	text := sourceVersion(info)
	if library(info) != nil {
		text += " with " + libraryText(info)
	}
	return text
}

// libraryText is the version of gopregel.
func libraryText(info *debug.BuildInfo) string {
	m := library(info)
	switch {
	case m == nil:
		return "pregel " + sourceVersion(info)
	case local(m):
		return "pregel (devel) of " + m.Replace.Path
	case m.Replace != nil:
		m = m.Replace
	}
	return "pregel " + m.Version
}

// local tells whether a module stands for a folder, whatever that holds.
func local(m *debug.Module) bool {
	return m.Replace != nil && (m.Replace.Version == "" || m.Replace.Version == "(devel)")
}

// sourceFacts say which programs a checkpoint can belong to. Where no commit
// tells, it is the binary itself.
func sourceFacts() []checkpoint.Fact {
	info := built()
	list := []checkpoint.Fact{{Name: "pregel", Value: sourceText(info)}}
	if !committed(info) {
		list = append(list, checkpoint.Fact{Name: "binary", Value: "sha256 " + binarySum()})
	}
	return list
}

// committed tells whether all that the command was built of has a version.
func committed(info *debug.BuildInfo) bool {
	if m := library(info); info == nil || m != nil && local(m) {
		return false
	}
	v := info.Main.Version
	return v != "" && v != "(devel)" && !strings.HasSuffix(v, "+dirty")
}

// binarySum is the sum of the binary that runs.
func binarySum() string {
	path, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	f, err := os.Open(path)
	if err != nil {
		return "unknown"
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "unknown"
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:16])
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
