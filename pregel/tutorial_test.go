package pregel_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every Go block of the tutorial is code of example_tutorial_test.go, which is
// compiled and run.
func TestTutorialIsCode(t *testing.T) {
	text, err := os.ReadFile("TUTORIAL.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("example_tutorial_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 7 {
		t.Fatalf("%d Go blocks in the tutorial, want 7", len(blocks))
	}
	for _, b := range blocks {
		if !strings.Contains(string(code), b[1]) {
			t.Errorf("not in example_tutorial_test.go:\n%s", b[1])
		}
	}
}

// ownModule is a program outside this repository.
const ownModule = `package main

import (
	"context"
	"fmt"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
)

type hops struct{}

func (hops) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.PlusWeight[uint32]()}
}
func (hops) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	if v.ID == 0 {
		return 0, true
	}
	return graph.None, false
}
func (hops) Emit(v pregel.Vertex[uint32]) uint32 { return v.Value }
func (hops) Apply(v pregel.Vertex[uint32], d uint32, _ bool) (uint32, bool) {
	return min(v.Value, d), d < v.Value
}

func main() {
	g, err := graph.FromArcs(3, graph.ArcList{List: []graph.Arc{{U: 0, V: 1}, {U: 1, V: 2}}}, graph.Options{Directed: true})
	if err != nil {
		panic(err)
	}
	r, err := pregel.RunEdge(context.Background(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})}, hops{})
	fmt.Println(r.Values, err)
}
`

// A module of one's own can import everything that the built-in programs do.
func TestOwnModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds another module: left out with -short")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mod := "module example.com/own\n\ngo 1.26\n\nrequire gopregel v0.0.0\n\nreplace gopregel => " + root + "\n"
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": mod, "go.sum": string(sum), "main.go": ownModule} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", "-mod=mod", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "[0 1 2] <nil>\n" {
		t.Fatalf("%v\n%s", err, out)
	}
}
