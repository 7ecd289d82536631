package command

import (
	"fmt"
	"path"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// standardName is what the command of this repository is called.
const standardName = "pregel"

// commandName is what a command is called in help and messages: the last part of
// its main package's path, for a binary may have any name.
func commandName(info *debug.BuildInfo) string {
	if info == nil || info.Path == "" || info.Path == "command-line-arguments" || strings.HasSuffix(info.Path, ".test") {
		return standardName
	}
	if name := path.Base(info.Path); !majorVersion.MatchString(name) {
		return name
	}
	return path.Base(path.Dir(info.Path))
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// A voice says what pregel says as a command of another name.
type voice struct {
	name  string
	calls *regexp.Regexp // of pregel with one of its verbs
}

func newVoice(name string, root *cobra.Command) *voice {
	verbs := []string{"completion"}
	for _, c := range root.Commands() {
		verbs = append(verbs, regexp.QuoteMeta(c.Name()))
	}
	return &voice{name, regexp.MustCompile(`\b` + standardName + ` (` + strings.Join(verbs, "|") + `)\b`)}
}

func (v *voice) say(text string) string {
	if v.name == standardName {
		return text
	}
	text = v.calls.ReplaceAllString(text, v.name+" $1")
	text = strings.ReplaceAll(text, "this pregel", "this "+v.name)
	return strings.ReplaceAll(text, "build it with `make gpu`", "build it with -tags cuda, after eval \"$(.ci/cuda)\" in the clone of gopregel")
}

// teach has a command and those below it speak so.
func (v *voice) teach(c *cobra.Command) {
	if v.name == standardName {
		return
	}
	c.Short, c.Long, c.Example = v.say(c.Short), v.say(c.Long), v.say(c.Example)
	c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = v.say(f.Usage) })
	for _, below := range c.Commands() {
		v.teach(below)
	}
}

// tell writes a message to the user, each line of it behind the command's name.
func (a *app) tell(format string, args ...any) {
	name := a.name
	if name == "" {
		name = standardName
	}
	text := fmt.Sprintf(format, args...)
	fmt.Fprintln(a.err, name+": "+strings.ReplaceAll(a.say(text), "\n", "\n"+name+": "))
}

// say has a text speak of the command by its name.
func (a *app) say(text string) string {
	if a.voice == nil {
		return text
	}
	return a.voice.say(text)
}

// warn writes a line for the user at once.
func (a *app) warn(format string, args ...any) { a.tell("warning: "+format, args...) }
