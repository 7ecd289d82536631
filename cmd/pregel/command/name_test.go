package command

import (
	"errors"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"gopregel/pregel"
	"gopregel/programs"
	"gopregel/runtime/cuda/driver"
)

func TestCommandName(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"": "pregel", "command-line-arguments": "pregel", "gopregel/cmd/pregel": "pregel", "gopregel/cmd/pregel/command.test": "pregel",
		"loudest/cmd/loudest": "loudest", "example.org/me/loudest": "loudest", "example.org/me/loudest/v2": "loudest",
	} {
		if got := commandName(&debug.BuildInfo{Path: path}); got != want {
			t.Errorf("%q is called %s, want %s", path, got, want)
		}
	}
	if got := commandName(nil); got != "pregel" {
		t.Errorf("no information: %s", got)
	}
}

// What another command says, it says of itself; pregel says what it always did.
func TestVoice(t *testing.T) {
	t.Parallel()
	const text = "this pregel, see pregel run and \"pregel verify\"; a pregel runs, pregeltest.Check, gopregel new, pregel.Algorithm"
	for name, want := range map[string]string{
		"pregel": text,
		"mine":   "this mine, see mine run and \"mine verify\"; a pregel runs, pregeltest.Check, gopregel new, pregel.Algorithm",
	} {
		a := &app{name: name}
		root := a.root()
		if got := a.voice.say(text); got != want {
			t.Errorf("%s says %q, want %q", name, got, want)
		}
		var all strings.Builder
		var walk func(c *cobra.Command)
		walk = func(c *cobra.Command) {
			all.WriteString(c.Short + c.Long + c.Example + c.UseLine() + c.Flags().FlagUsages())
			for _, below := range c.Commands() {
				walk(below)
			}
		}
		walk(root)
		if strings.Contains(all.String(), "pregel run ") != (name == "pregel") || !strings.Contains(all.String(), name+" run job.yaml") {
			t.Errorf("the help of %s does not speak of itself", name)
		}
	}
}

// A report says why the CPU was taken, in the words of the command that took it.
func TestVoiceOfReports(t *testing.T) {
	t.Parallel()
	const text = "program: bfs\nparams: {source: 1}\ngraph: {generate: {kind: star, n: 4}}\n"
	_, err := driver.Devices()
	for _, verb := range []string{"run", "plan"} {
		var out, errs strings.Builder
		a := &app{in: strings.NewReader(text), out: &out, err: &errs, programs: programs.All(), name: "mine"}
		if code := a.execute(t.Context(), []string{verb, "-", "--json"}); code != 0 {
			t.Fatalf("%s: exit code %d: %s", verb, code, &errs)
		}
		if got := strings.Contains(out.String(), "this mine is built without CUDA"); got != errors.Is(err, driver.ErrNotBuilt) || strings.Contains(out.String(), "this pregel") {
			t.Errorf("mine %s says\n%s", verb, &out)
		}
	}
}

// A module that stands for a folder, or a tree with changes, has no version; then
// the binary itself is what a checkpoint is of.
func TestSourceText(t *testing.T) {
	t.Parallel()
	own := func(version string, of *debug.Module) *debug.BuildInfo {
		return &debug.BuildInfo{Path: "mine/cmd/mine", Main: debug.Module{Path: "mine", Version: version}, Deps: []*debug.Module{{Path: "other"}, of}}
	}
	for _, c := range []struct {
		info      *debug.BuildInfo
		text      string
		committed bool
	}{
		{&debug.BuildInfo{Main: debug.Module{Path: "gopregel", Version: "v1.2.3"}}, "v1.2.3", true},
		{&debug.BuildInfo{Main: debug.Module{Path: "gopregel", Version: "v0.0.0-20260101-abc+dirty"}}, "v0.0.0-20260101-abc+dirty", false},
		{&debug.BuildInfo{Main: debug.Module{Path: "gopregel", Version: "(devel)"}}, "(devel)", false},
		{nil, "(devel)", false},
		{own("v1.0.0", &debug.Module{Path: "gopregel", Version: "v0.2.0"}), "v1.0.0 with pregel v0.2.0", true},
		{own("v1.0.0", &debug.Module{Path: "gopregel", Version: "v0.0.0", Replace: &debug.Module{Path: "/src", Version: "(devel)"}}), "v1.0.0 with pregel (devel) of /src", false},
		{own("v1.0.0", &debug.Module{Path: "gopregel", Version: "v0.0.0", Replace: &debug.Module{Path: "fork", Version: "v0.3.0"}}), "v1.0.0 with pregel v0.3.0", true},
		{own("(devel)", &debug.Module{Path: "gopregel", Version: "v0.2.0"}), "(devel) with pregel v0.2.0", false},
	} {
		if text, is := sourceText(c.info), committed(c.info); text != c.text || is != c.committed {
			t.Errorf("%+v: %q, of a commit %v; want %q, %v", c.info, text, is, c.text, c.committed)
		}
	}
	if sum := binarySum(); len(sum) != 32 || sum != binarySum() {
		t.Errorf("the sum of the binary is %s, and %s", sum, binarySum())
	}
}

func TestCheckEntries(t *testing.T) {
	t.Parallel()
	one := programs.Entry{Name: "one", New: func() pregel.Algorithm { return nil }}
	for _, c := range []struct {
		list []programs.Entry
		says string
	}{
		{[]programs.Entry{one}, ""},
		{append(programs.All(), one), ""},
		{append(programs.All(), one, programs.All()[3]), `two programs of the command are called "mst"`},
		{[]programs.Entry{{Name: "two"}}, `"two", has no name or no New`},
		{[]programs.Entry{{New: one.New}}, `"", has no name`},
	} {
		err := checkEntries(c.list)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %q", err, c.says)
		}
	}
}
