package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The import law. A package may import packages of lower layers, and of its own
// family (the folder that is listed here, with all below it). The most specific
// family counts. Code outside tests keeps it; tests may import anything but
// cmd, since a test of a program needs an engine.
var layers = [][]string{
	{"pregel/mem", "pregel/parallel", "pregel/atomicfile"},
	{"pregel/bitmap"},
	{"pregel/graph"},
	{"pregel/graphio", "pregel/graphgen", "pregel/certify"},
	{"pregel"},
	{"pregel/check"},
	{"pregel/pregeltest", "pregel/trace", "kernels"},
	{"runtime"},
	{"programs"},
	{"cmd"},
	{"docs"}, // the course: a command with programs of its own
}

// outside lists what else a family may import beside the standard library.
var outside = map[string][]string{
	"pregel/graphio":    {"github.com/klauspost/compress", "github.com/puzpuzpuz/xsync"},
	"pregel/pregeltest": {"pgregory.net/rapid"},
	"runtime":           {"github.com/puzpuzpuz/xsync", "gorgonia.org/cu"},
	"cmd":               {""}, // anything
}

// places lists the only folders that may import what is dangerous.
var places = map[string][]string{
	"unsafe":           {"pregel/mem", "runtime/cuda/driver"},
	"C":                {"runtime/cuda/driver"},
	"gorgonia.org/cu":  {"runtime/cuda/driver"},
	"syscall":          {"pregel/mem", "cmd"},
	"golang.org/x/sys": {"pregel/mem", "cmd"},
}

const module = "gopregel"

// within tells whether path is folder or lies below it.
func within(path, folder string) bool {
	return folder == "" || path == folder || strings.HasPrefix(path, folder+"/")
}

// family returns the layer and the family of a folder of the module.
func family(folder string) (layer int, name string) {
	layer = -1
	for i, list := range layers {
		for _, f := range list {
			if within(folder, f) && len(f) > len(name) {
				layer, name = i, f
			}
		}
	}
	return layer, name
}

// breach says how an import breaks the law, "" if it does not.
func breach(folder, imported string, test bool) string {
	layer, own := family(folder)
	if layer < 0 {
		return "is in no layer of the law"
	}
	for what, where := range places {
		if within(imported, what) && !slices.ContainsFunc(where, func(f string) bool { return within(folder, f) }) && (!test || what != "syscall" && what != "golang.org/x/sys") {
			return fmt.Sprintf("imports %s, which only %s may", imported, strings.Join(where, " and "))
		}
	}
	target, ours := strings.CutPrefix(imported, module+"/")
	switch {
	case ours && within(target, "cmd") && own != "cmd" && folder != "docs":
		return "imports " + target + ": nobody imports cmd"
	case test:
		return ""
	case ours:
		to, theirs := family(target)
		if theirs != own && to >= layer {
			return fmt.Sprintf("imports %s, which is not below it", target)
		}
	case strings.Contains(strings.Split(imported, "/")[0], ".") && !slices.ContainsFunc(outside[own], func(m string) bool { return strings.HasPrefix(imported, m) }):
		return fmt.Sprintf("imports %s; %s may import %s", imported, own, or(strings.Join(outside[own], ", "), "the standard library alone"))
	}
	return ""
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// TestImportLaw reads the imports of every Go file, whatever its build tags.
func TestImportLaw(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		hidden := strings.HasPrefix(d.Name(), ".") && path != root || d.Name() == "testdata"
		switch {
		case err != nil:
			return err
		case d.IsDir() && hidden:
			return filepath.SkipDir
		case filepath.Ext(path) == ".s" && !slices.Contains(places["unsafe"], filepath.ToSlash(filepath.Dir(path)[len(root)+1:])):
			t.Errorf("%s is assembly, which only %s may have", path, strings.Join(places["unsafe"], " and "))
		case d.IsDir() || hidden || filepath.Ext(path) != ".go":
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files++
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if problem := breach(filepath.ToSlash(folder), imported, strings.HasSuffix(path, "_test.go")); problem != "" {
				t.Errorf("%s %s", path, problem)
			}
		}
		return nil
	})
	if err != nil || files < 50 {
		t.Errorf("%d files read: %v", files, err)
	}
}

// The law itself is held to what it should allow and forbid.
func TestImportLawBites(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		folder, imported string
		test, allowed    bool
	}{
		{"cmd/pregel/job", "gopregel/programs", false, true},
		{"programs", "gopregel/programs/bfs", false, true},
		{"programs/bfs", "gopregel/pregel/certify", false, true},
		{"programs/bfs", "gopregel/cmd/pregel/job", false, false},
		{"programs/bfs", "gopregel/cmd/pregel/job", true, false},
		{"programs/bfs", "github.com/spf13/cobra", false, false},
		{"pregel", "gopregel/pregel/graph", false, true},
		{"pregel", "gopregel/runtime/cpu", false, false},
		{"pregel/pregeltest", "gopregel/pregel/check", false, true},
		{"pregel/check", "gopregel/pregel/pregeltest", false, false},
		{"pregel/check", "pgregory.net/rapid", false, false},
		{"pregel", "gopregel/runtime/cpu", true, true},
		{"pregel/graph", "gopregel/pregel", false, false},
		{"pregel/graph", "gopregel/pregel/graphio", false, false},
		{"pregel/graphio/binary", "gopregel/pregel/graph", false, true},
		{"pregel/graphio", "gopregel/pregel/graphio/binary", false, true},
		{"pregel/graphio", "gopregel/pregel/graphgen", false, false},
		{"pregel/certify", "gopregel/pregel", false, false},
		{"pregel/mem", "gopregel/pregel/graph", false, false},
		{"pregel/mem", "unsafe", false, true},
		{"pregel/graph", "unsafe", false, false},
		{"pregel/graph", "unsafe", true, false},
		{"pregel/graph", "syscall", false, false},
		{"pregel/graph", "golang.org/x/sys/unix", false, false},
		{"runtime/cuda", "C", false, false},
		{"runtime/cuda/driver", "C", false, true},
		{"runtime/cuda/driver/emulator", "C", false, true},
		{"kernels", "gopregel/runtime/cuda/driver/emulator", false, false},
		{"runtime/cuda", "gorgonia.org/cu", false, false},
		{"docs", "gopregel/cmd/pregel/command", false, true},
		{"docs/1-supersteps", "gopregel/cmd/pregel/command", false, false},
		{"docs/1-supersteps", "gopregel/programs", false, true},
		{"docs/1-supersteps", "gopregel/runtime/cpu", false, true},
		{"docs/1-supersteps", "gopregel/docs/2-combiners", false, true},
		{"docs", "github.com/spf13/cobra", false, false},
		{"cmd/pregel/grade", "gopregel/docs/1-supersteps", false, false},
		{"newfolder", "fmt", false, false},
	} {
		if problem := breach(c.folder, c.imported, c.test); (problem == "") != c.allowed {
			t.Errorf("%s imports %s (test %v): %q", c.folder, c.imported, c.test, problem)
		}
	}
}
