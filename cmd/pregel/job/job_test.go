package job_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/programs"
)

// walk is an algorithm with a parameter of every kind. It is never run.
type walk struct {
	common
	Source pregel.ID `param:"source" doc:"where to start" required:"true"`
	Chance float64   `param:"chance" doc:"probability to go on" above:"0" max:"1"`
	Steps  int       `param:"steps" doc:"how many" min:"1" max:"1000"`
	Method string    `param:"method" doc:"how" enum:"plain,lazy"`
	Label  string    `param:"label" doc:"a name for it"`
	Quick  bool      `param:"quick" doc:"skip the slow part"`
	Secret int       `param:"-"`
}

// Resumes tells that it goes on from checkpoints.
func (*walk) Resumes(bool) bool { return true }

type common struct {
	Target pregel.ID `param:"target" doc:"where to end"`
}

func (walk) Run(context.Context, *pregel.Job) (*pregel.Answer, error) { return nil, nil }
func (w walk) DefaultMaxSupersteps() int                              { return 10 * w.Steps }

// count has no parameters but the one of all.
type count struct{}

func (count) Run(context.Context, *pregel.Job) (*pregel.Answer, error) { return nil, nil }

func list() []programs.Entry {
	return []programs.Entry{
		{Name: "count", Doc: "counts", New: func() pregel.Algorithm { return &count{} }},
		{Name: "walk", Doc: "walks", New: func() pregel.Algorithm { return &walk{Chance: 0.5, Steps: 7, Method: "plain"} }},
	}
}

func parse(text string, set ...string) (*job.Job, error) {
	return job.Parse("job.yaml", []byte(text), job.Options{Programs: list(), Set: set})
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	j, err := parse("program: walk\ngraph: {path: web.txt.gz}\nparams: {source: 12}\n")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(job.Graph{Path: "web.txt.gz", IDs: "integer", SelfLoops: "keep", Duplicates: "keep"}, j.Graph); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(job.Engine{Device: "auto", Direction: "auto", Determinism: "default", Schedule: "auto"}, j.Engine); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(job.Output{Top: 10}, j.Output); diff != "" {
		t.Error(diff)
	}
	w := j.Algorithm.(*walk)
	if w.Source != "12" || w.Chance != 0.5 || w.Steps != 7 || w.Method != "plain" || j.MaxSupersteps != 70 || j.Program != "walk" {
		t.Errorf("%+v, max_supersteps %d", w, j.MaxSupersteps)
	}
	if got, want := j.ParamsText(), "source=12 chance=0.5 steps=7 method=plain quick=false max_supersteps=70"; got != want {
		t.Errorf("parameters %q, want %q", got, want)
	}
}

const everything = `
# a job that sets all there is
program: walk
graph:
  path: &file data/web.txt
  format: edgelist
  directed: false
  ids: string
  vertices: endpoints
  weights: none
  self_loops: drop
  duplicates: min
limits: {memory: 2GiB, time: 1h30m, nan: stop}
engine: {device: cpu, workers: 3, direction: pull, determinism: strict, schedule: bsp}
checkpoint: {dir: state, every: 1m30s, keep: 7}
params: {source: "007", target: 18446744073709551615, chance: 1, steps: 12, method: lazy, label: "true", quick: true, max_supersteps: 5}
output: {path: out/ranks.csv.gz, format: csv, top: 0}
`

func TestEverything(t *testing.T) {
	t.Parallel()
	j, err := parse(everything)
	if err != nil {
		t.Fatal(err)
	}
	no := false
	wantGraph := job.Graph{Path: "data/web.txt", Format: "edgelist", Directed: &no, IDs: "string", Vertices: "endpoints", Weights: "none", SelfLoops: "drop", Duplicates: "min"}
	if c := j.Checkpoint; c.Dir != "state" || c.Every.Duration() != 90*time.Second || c.Every.Supersteps() != 0 || c.Keep != 7 {
		t.Errorf("checkpoint %+v", c)
	}
	if diff := cmp.Diff(wantGraph, j.Graph); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(job.Engine{Device: "cpu", Workers: 3, Direction: "pull", Determinism: "strict", Schedule: "bsp"}, j.Engine); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(job.Output{Path: "out/ranks.csv.gz", Format: "csv"}, j.Output); diff != "" {
		t.Error(diff)
	}
	want := walk{common: common{"18446744073709551615"}, Source: "007", Chance: 1, Steps: 12, Method: "lazy", Label: "true", Quick: true}
	if got := *j.Algorithm.(*walk); got != want || j.MaxSupersteps != 5 {
		t.Errorf("%+v, want %+v", got, want)
	}
	fresh, err := j.Fresh()
	if err != nil || *fresh.(*walk) != want {
		t.Errorf("fresh: %+v %v", fresh, err)
	}
}

func TestGenerate(t *testing.T) {
	t.Parallel()
	j, err := parse("program: count\ngraph: {generate: {kind: rmat, scale: 5, a: 5.7e-1, b: 0.19, c: .19, permute: true, seed: 18446744073709551615}, weights: splitmix64}\n")
	if err != nil {
		t.Fatal(err)
	}
	want := graphgen.Spec{Kind: "rmat", Scale: 5, A: 0.57, B: 0.19, C: 0.19, Permute: true, Seed: 1<<64 - 1}
	if diff := cmp.Diff(&want, j.Graph.Generate); diff != "" {
		t.Error(diff)
	}
}

// Paths are relative to the job file, those of the command line to the current
// folder.
func TestPaths(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a.yaml")
	text := "program: count\ngraph: {path: g.txt}\noutput: {path: ../out.csv}\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	j, err := job.Read(path, nil, job.Options{Programs: list()})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := j.GraphPath(), filepath.Join(dir, "g.txt"); got != want {
		t.Errorf("graph %s, want %s", got, want)
	}
	if got, want := j.OutputPath(), filepath.Join(dir, "../out.csv"); got != want {
		t.Errorf("output %s, want %s", got, want)
	}
	if got, want := j.Where("graph.path"), path+":2:15"; got != want {
		t.Errorf("position %s, want %s", got, want)
	}
	j, err = job.Read(path, nil, job.Options{Programs: list(), Set: []string{"graph.path=h.txt", "output.path=/tmp/x.csv"}})
	if err != nil || j.GraphPath() != "h.txt" || j.OutputPath() != "/tmp/x.csv" {
		t.Errorf("%s %s %v", j.GraphPath(), j.OutputPath(), err)
	}
	j, err = job.Read(job.Standard, strings.NewReader(text), job.Options{Programs: list()})
	if err != nil || j.GraphPath() != "g.txt" {
		t.Errorf("standard input: %v", err)
	}
	for _, c := range []struct{ path, want string }{
		{dir, "is a directory"}, {filepath.Join(dir, "none"), "no such file"}, {"/dev/zero", "more than 1048576 bytes"},
	} {
		if _, err := job.Read(c.path, nil, job.Options{Programs: list()}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v", c.path, err)
		}
	}
}

func TestCheckVertices(t *testing.T) {
	t.Parallel()
	j, err := parse("program: walk\ngraph: {path: g.txt}\nparams:\n  target: 4\n  source: 9\n")
	if err != nil {
		t.Fatal(err)
	}
	if err := j.CheckVertices(graph.RangeIDs(0, 10)); err != nil {
		t.Error(err)
	}
	want := "job.yaml:5:11: params.source: no vertex 9 in the graph (its ids are 0 to 8)"
	if err := j.CheckVertices(graph.RangeIDs(0, 9)); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

type invalid struct {
	Low, High int `param:"low" doc:"d"`
}

func (invalid) Run(context.Context, *pregel.Job) (*pregel.Answer, error) { return nil, nil }

// A wrong tag is found, whatever is wrong.
func TestDescribe(t *testing.T) {
	t.Parallel()
	for want, algorithm := range map[string]any{
		"want a pointer to a struct":          walk{},
		`two fields have the tag param:"low"`: &invalid{},
		`no tag param`:                        &struct{ A int }{},
		`no tag doc`: &struct {
			A int `param:"a"`
		}{},
		"is not a number": &struct {
			A int `param:"a" doc:"d" min:"x"`
		}{},
		"on a field that is no number": &struct {
			A string `param:"a" doc:"d" min:"1"`
		}{},
		"on a field that is no string": &struct {
			A int `param:"a" doc:"d" enum:"x,y"`
		}{},
		"a bound on the same side": &struct {
			A int `param:"a" doc:"d" min:"1" above:"0"`
		}{},
		"the default is 0, allowed: a whole number of at least 1": &struct {
			A int `param:"a" doc:"d" min:"1"`
		}{},
		"the default is z, allowed: x or y": &struct {
			A string `param:"a" doc:"d" enum:"x,y"`
		}{"z"},
		"is not exported": &struct {
			a int `param:"a" doc:"d"`
		}{},
		"type []int": &struct {
			A []int `param:"a" doc:"d"`
		}{},
		`tag required:"yes"`: &struct {
			A int `param:"a" doc:"d" required:"yes"`
		}{},
	} {
		if _, err := job.Describe(algorithm); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

type greedy struct {
	Max int `param:"max_supersteps" doc:"mine"`
}

func (greedy) Run(context.Context, *pregel.Job) (*pregel.Answer, error) { return nil, nil }

func TestReservedParameter(t *testing.T) {
	t.Parallel()
	e := programs.Entry{Name: "greedy", New: func() pregel.Algorithm { return &greedy{} }}
	if _, err := job.Parameters(e); err == nil || !strings.Contains(err.Error(), "max_supersteps") {
		t.Errorf("error %v", err)
	}
}

// Every built-in program has parameters that make sense, with documentation.
func TestBuiltIn(t *testing.T) {
	t.Parallel()
	for _, e := range programs.All() {
		fields, err := job.Parameters(e)
		if err != nil {
			t.Error(err)
		}
		for _, f := range fields {
			if strings.ToLower(f.Name) != f.Name || strings.ContainsAny(f.Name, " -.") {
				t.Errorf("%s: parameter %q, want small letters and underscores", e.Name, f.Name)
			}
		}
		if e.Doc == "" || strings.Contains(e.Doc, "\n") {
			t.Errorf("%s: documentation %q, want one line", e.Name, e.Doc)
		}
	}
}

func TestErrorsAreListed(t *testing.T) {
	t.Parallel()
	_, err := parse("program: walk\ngraph: {path: g.txt}\nparams: {source: 1, chance: 2, steps: 0}\n")
	var all job.Errors
	var one *job.Error
	if !errors.As(err, &all) || len(all) != 2 || !errors.As(err, &one) || one.Field != "params.chance" {
		t.Errorf("error %#v", err)
	}
}

// Flags of --set change, add and take away.
func TestSet(t *testing.T) {
	t.Parallel()
	const text = "program: count\ngraph: &g {path: g.txt, directed: true}\n"
	_, err := parse(text, "program=walk", "params.source=007")
	if err == nil || !strings.Contains(err.Error(), "--set params.source=007: params.source: found 007") {
		t.Errorf("a leading zero: error %v", err)
	}
	j, err := parse(text,
		"program=walk", `params.source="007"`, "params.label=a: b #c", "params.chance=1", "params.steps=20",
		"graph.path=", "graph.generate.kind=grid", "graph.generate.rows=3", "graph.generate={kind: path, n: 4}",
		"graph.directed=null", "engine.workers=2", `output.path="x.csv"`, "output.format=csv", "engine.nothing=")
	if err != nil {
		t.Fatal(err)
	}
	want := walk{Source: "007", Label: "a: b #c", Chance: 1, Steps: 20, Method: "plain"}
	if got := *j.Algorithm.(*walk); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if j.Graph.Path != "" || j.Graph.Directed != nil || *j.Graph.Generate != (graphgen.Spec{Kind: "path", N: 4}) || j.Engine.Workers != 2 || j.Output.Path != "x.csv" {
		t.Errorf("%+v %+v %+v", j.Graph, j.Engine, j.Output)
	}
	if got := j.Where("params.label"); got != "--set params.label=a: b #c" {
		t.Errorf("position %s", got)
	}
	if j, err := parse("", "program=count", "graph.path=g.txt"); err != nil || j.Program != "count" {
		t.Errorf("a job of flags alone: %v", err)
	}
	// An alias is changed, what it stands for is not.
	j, err = parse("program: count\ngraph: {generate: {kind: uniform, scale: &s 4, seed: 1}}\nparams: {max_supersteps: *s}\n", "graph.generate.scale=5")
	if err != nil || j.MaxSupersteps != 4 || j.Graph.Generate.Scale != 5 {
		t.Errorf("%v", err)
	}
}
