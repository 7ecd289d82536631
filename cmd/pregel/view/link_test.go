package view

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The library is what .ci/view-vendor makes of these versions.
func TestVendor(t *testing.T) {
	t.Parallel()
	library, err := source.ReadFile("page/vendor/d3-force.min.js")
	if err != nil {
		t.Fatal(err)
	}
	versions, err := source.ReadFile("page/vendor/VERSIONS")
	if err != nil {
		t.Fatal(err)
	}
	if sum := fmt.Sprintf("%x  d3-force.min.js", sha256.Sum256(library)); !strings.Contains(string(versions), sum) {
		t.Errorf("page/vendor/VERSIONS lacks %s: run .ci/view-vendor", sum)
	}
	for _, name := range []string{"d3-force", "d3-dispatch", "d3-quadtree", "d3-timer", "esbuild"} {
		if !strings.Contains(string(versions), name+"@") {
			t.Errorf("page/vendor/VERSIONS lacks %s", name)
		}
	}
	if licence, err := source.ReadFile("page/vendor/LICENSE"); err != nil || !strings.Contains(string(licence), "Mike Bostock") {
		t.Errorf("the library's licence: %v", err)
	}
}

// Every module is linked.
func TestModulesAreListed(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("page/*.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".js"); !slices.Contains(modules, name) {
			t.Errorf("%s is not in modules", f)
		}
	}
	if len(files) != len(modules) {
		t.Errorf("%d files, %d modules", len(files), len(modules))
	}
	if _, err := os.Stat("page/vendor"); err != nil {
		t.Error(err)
	}
}

func TestLinkerErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"import {a} from './none.js';\n", `imports "a" from none`},
		{"import {b as a} from './first.js';\n", `imports "b as a"`},
		{"import * as a from './first.js';\n", "line 1: an import that is not"},
		{"function b() {}\n", "declares b, as first does"},
		{"const [c, b] = f();\n", "declares b, as first does"},
		{"const c = '</script>';\n", "has </script in it"},
	} {
		l := &linker{owner: map[string]string{}}
		if err := l.add("first", "export const b = 1;\n"); err != nil {
			t.Fatal(err)
		}
		if err := l.add("second", c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	l := &linker{owner: map[string]string{}}
	if err := l.add("first", "export const b = 1;\n"); err != nil {
		t.Fatal(err)
	}
	if err := l.add("second", "import {b} from './first.js';\nexport async function c() { return b; }\n"); err != nil {
		t.Error(err)
	}
	if got, want := l.script.String(), "\n// first.js\nconst b = 1;\n\n// second.js\nasync function c() { return b; }\n"; got != want {
		t.Errorf("linked: %q, want %q", got, want)
	}
}
