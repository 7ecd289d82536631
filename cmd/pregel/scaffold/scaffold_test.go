package scaffold_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopregel/cmd/pregel/scaffold"
	"gopregel/pregel/pregeltest/race"
)

func clone(t *testing.T) string {
	t.Helper()
	dir, err := scaffold.FindClone("../../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// A call of the module's command, or of Go, and what it is to say.
type call struct {
	args string // a $ before a verb: of the command
	in   string
	code int
	says string // a regular expression
}

// verbs are those of the command, on the module's own program.
var verbs = []call{
	{args: "$ run job.yaml --verify", says: `program +quiet\n(?s:.*)halted after 4 supersteps\n(?s:.*)certificate +holds\n`},
	{args: "$ version", says: `^quiet \(devel\) with pregel \(devel\) of /.* go1\.`},
	{args: "$ programs", says: `wcc +weakly connected components\nquiet +the least vertex`},
	{args: "$ programs quiet", says: `^quiet: the least vertex that can reach each\n\nparams:\n +max_supersteps`},
	{args: "$ check quiet --graphs 8 --seed 1", says: `^quiet on 8 random graphs, seed 1\n(?s:.*)relaxed +ok(?s:.*)certified +ok`},
	{args: "$ verify job.yaml", says: `^labels.csv: the certificate of quiet holds for 34 rows\n$`},
	{args: "$ why quiet.jsonl --vertex 27", says: `^27 has label 1 since superstep 2\n  superstep 2: 34 sent 1, the least of 2 messages\n`},
	{args: "$ view quiet.jsonl", says: `^quiet.html: open it in a browser`},
	{args: "$ step job.yaml", in: "n\nq\n", says: `^quiet on karate(?s:.*)  34 +label 34|superstep 0 of 4, quiet, p`},
	{args: "$ plan job.yaml", says: `program +quiet(?s:.*) 136 +136 B +values`},
	{args: "$ diff job.yaml --engines cpu:workers=1,cpu:workers=2", says: `agree after each superstep: halted after 4 supersteps, 34 rows\n$`},
	{args: "$ soak --programs quiet --trials 20 --seed 5", says: `\n20 trials in .*, all right\n$`},
	{args: "$ bench karate --programs quiet --runs 2 --verify", says: `quiet +run .* 4 +2\n$`},
	{args: "$ schema --program quiet", says: `"const": "quiet"|"quiet"\n`},
	{args: "$ run job.yaml --set checkpoint.dir=state --set params.max_supersteps=2", code: 3, says: `quiet: stopped at max_supersteps, 2`},
	{args: "$ run job.yaml --set checkpoint.dir=state --resume --verify", says: `resumed after 2 supersteps(?s:.*)certificate +holds`},
	{args: "$ run job.yaml --set engine.schedule=relaxed --set trace= --verify", says: `certificate +holds`},
	{args: "$ run job.yaml --set program=quite", code: 2, says: `^quiet: .*allowed: bfs, .*, wcc or quiet; did you mean quiet\?\n$`},
	{args: "$ run job.yaml --set prepare.order=degree", code: 2, says: `the answer of quiet depends on the order of the ids`},
	{args: "$ run --help", says: `  quiet run pagerank.yaml\n`},
	{args: "$ completion bash", says: `bash completion V2 for quiet`},
}

// TestModule has Go itself judge what is written, and every verb know the program.
func TestModule(t *testing.T) {
	t.Parallel()
	if testing.Short() || race.On {
		t.Skip("it builds modules, which have no races")
	}
	for _, c := range []struct {
		module scaffold.Module
		calls  []call
	}{
		{scaffold.Module{Name: "quiet", Module: "quiet"}, append([]call{{args: "go build -o command ./cmd/quiet"}}, verbs...)},
		{scaffold.Module{Name: "loudest", Module: "example.org/me/loudest", Kernel: true},
			[]call{{args: "go vet ./..."}, {args: "go test -short ./...", says: `^ok  \texample.org/me/loudest`},
				{args: "gofmt -l ."}}},
	} {
		t.Run(c.module.Name, func(t *testing.T) {
			t.Parallel()
			c.module.Clone = clone(t)
			dir := filepath.Join(t.TempDir(), c.module.Name)
			paths, err := c.module.Write(dir)
			if err != nil {
				t.Fatal(err)
			}
			if found := list(t, dir); !slices.Equal(found, paths) {
				t.Errorf("it says that it wrote %v, and wrote %v", paths, found)
			}
			for _, call := range c.calls {
				call.run(t, dir)
			}
		})
	}
}

func (c call) run(t *testing.T, dir string) {
	t.Helper()
	words := strings.Fields(strings.Replace(c.args, "$", filepath.Join(dir, "command"), 1))
	cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(c.in)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed) && failed.ExitCode() == c.code && c.code > 0:
	case err != nil || c.code > 0:
		t.Errorf("%s: %v, want exit code %d\n%s", c.args, err, c.code, out)
	}
	if !regexp.MustCompile(c.says).Match(out) {
		t.Errorf("%s said\n%s\nwant %s", c.args, out, c.says)
	}
	if c.says == "" && len(out) > 0 {
		t.Errorf("%s said\n%s\nwant nothing", c.args, out)
	}
}

// list are the files below a folder.
func list(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			path, err = filepath.Rel(dir, path)
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func TestWritesOverNothing(t *testing.T) {
	t.Parallel()
	m := scaffold.Module{Name: "own", Module: "own", Clone: clone(t)}
	parent := t.TempDir()
	dir := filepath.Join(parent, "own")
	put := func(name string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755), os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	put("own.go")
	put("go.mod")
	_, err := m.Write(dir)
	if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "go.mod")+", "+filepath.Join(dir, "own.go")) {
		t.Errorf("it does not name what is there: %v", err)
	}
	if found := list(t, parent); !slices.Equal(found, []string{"own/go.mod", "own/own.go"}) {
		t.Errorf("it has left %v", found)
	}

	// What is in the way of a later file takes the earlier ones back.
	if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "cmd"), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Write(dir); err == nil {
		t.Error("a file where a folder should be is no error")
	}
	if found := list(t, parent); !slices.Equal(found, []string{"own/cmd"}) {
		t.Errorf("it has left %v", found)
	}

	// A folder with other things in it gets the files too.
	if err := os.Remove(filepath.Join(dir, "cmd")); err != nil {
		t.Fatal(err)
	}
	put("notes.txt")
	if _, err := m.Write(dir); err != nil {
		t.Error(err)
	}
	if found := list(t, parent); len(found) != 9 || !slices.Contains(found, "own/notes.txt") {
		t.Errorf("it has left %v", found)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, module, says string // says "": allowed
	}{
		{"loudest", "loudest", ""},
		{"k2", "example.org/me/k2", ""},
		{"Loudest", "Loudest", `NAME: found "Loudest", allowed: the name of a Go package`},
		{"k-core", "k-core", "allowed: the name of a Go package"},
		{"2core", "2core", "allowed: the name of a Go package"},
		{"", "", "allowed: the name of a Go package"},
		{"range", "range", "has a meaning"},
		{"main", "main", "has a meaning"},
		{"pregel", "pregel", "has a meaning"},
		{"sort", "example.org/sort", "has a meaning"},
		{"bfs", "bfs", "is a program of pregel's own"},
		{"mine", "net/mine", "as a package of Go's own"},
		{"mine", "example.org/yours", "allowed: a path that ends in /mine"},
		{"mine", "gopregel/mine", "--module"},
		{"mine", "a b/mine", "--module"},
		{"mine", "../mine", "--module"},
		{"mine", "/mine", "--module"},
	} {
		err := scaffold.Module{Name: c.name, Module: c.module}.Check()
		if c.says == "" && err != nil || c.says != "" && !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s, %s: %v, want %q", c.name, c.module, err, c.says)
		}
	}
}

func TestFindClone(t *testing.T) {
	t.Parallel()
	if _, err := scaffold.FindClone(t.TempDir()); err == nil || !strings.Contains(err.Error(), "--gopregel") {
		t.Errorf("an empty folder passes for a clone: %v", err)
	}
	found, err := scaffold.FindClone("")
	if want := clone(t); err != nil || found != want {
		t.Errorf("found %s (%v), built from %s", found, err, want)
	}
}
