package scaffold_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopregel/cmd/pregel/scaffold"
)

func clone(t *testing.T) string {
	t.Helper()
	dir, err := scaffold.FindClone("../../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestModule has Go itself judge what is written.
func TestModule(t *testing.T) {
	t.Parallel()
	if testing.Short() || race {
		t.Skip("it builds modules, which have no races")
	}
	for _, c := range []struct {
		module scaffold.Module
		runs   [][]string
	}{
		{scaffold.Module{Name: "quiet", Module: "quiet"}, [][]string{{"run", "./cmd/quiet", "-top", "2"}}},
		{scaffold.Module{Name: "loudest", Module: "example.org/me/loudest", Kernel: true},
			[][]string{{"vet", "./..."}, {"test", "-short", "./..."}}},
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
			for _, args := range c.runs {
				cmd := exec.CommandContext(t.Context(), "go", args...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "GOWORK=off")
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("go %v: %v\n%s", args, err, out)
				}
				if args[0] == "run" && string(out) != "34 vertices, 156 arcs, 4 supersteps\n1\t1\n2\t1\n" {
					t.Errorf("it printed %q", out)
				}
			}
			// What is written is as gofmt would have it, and go.mod as Go would.
			if out, err := exec.CommandContext(t.Context(), "gofmt", "-l", dir).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("gofmt -l: %v %s", err, out)
			}
		})
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
	if found := list(t, parent); len(found) != 6 || !slices.Contains(found, "own/notes.txt") {
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
