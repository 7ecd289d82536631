package conformance_test

import (
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphio"
	"gopregel/pregel/pregeltest/race"
	"gopregel/pregel/pregeltest/refdata"
	"gopregel/programs/bfs"
	"gopregel/programs/cdlp"
	"gopregel/programs/lcc"
	"gopregel/programs/pagerank"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
)

// ldbcTask is one of LDBC's algorithms: how the properties of a graph
// parametrise it, which column is its answer, and by which of LDBC's rules that
// is compared.
type ldbcTask struct {
	make   func(p graphio.Properties) pregel.Algorithm
	column string
	same   func(t *testing.T, g *graph.Graph, c pregel.Column, want map[uint32]string)
}

var ldbcTasks = map[string]ldbcTask{
	"BFS": {func(p graphio.Properties) pregel.Algorithm {
		return &bfs.BFS{Source: pregel.ID(p.Values["bfs.source-vertex"])}
	}, "depth", exactMatch},
	"SSSP": {func(p graphio.Properties) pregel.Algorithm {
		return &sssp.SSSP{Source: pregel.ID(p.Values["sssp.source-vertex"]), Method: sssp.DeltaStepping}
	}, "distance", epsilonMatch},
	"PR": {func(p graphio.Properties) pregel.Algorithm {
		damping, _ := strconv.ParseFloat(p.Values["pr.damping-factor"], 64)
		return &pagerank.PageRank{Damping: damping, Iterations: whole(p.Values["pr.num-iterations"])}
	}, "rank", epsilonMatch},
	"WCC": {func(graphio.Properties) pregel.Algorithm { return wcc.New() }, "component", equivalenceMatch},
	"CDLP": {func(p graphio.Properties) pregel.Algorithm {
		return &cdlp.CDLP{Iterations: whole(p.Values["cdlp.max-iterations"])}
	}, "label", exactMatch},
	"LCC": {func(graphio.Properties) pregel.Algorithm { return lcc.New() }, "coefficient", epsilonMatch},
}

func whole(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

func TestLDBC(t *testing.T) { ldbc(t, cpuEngines) }

// engines are those that an answer for a graph is to be the same on.
type engines func(g *graph.Graph, task string) []pregel.Engine

// cpuEngines are the CPU engine in its configurations; those of many workers
// have been shown by the small graphs. Under the race detector one is enough.
func cpuEngines(g *graph.Graph, _ string) (list []pregel.Engine) {
	for _, workers := range []int{1, 2, 3, 8} {
		if g.N() > 1000 && workers > 2 {
			continue
		}
		for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
			if race.On && g.N() > 1000 && (workers == 1 || d != pregel.Auto) {
				continue
			}
			list = append(list, cpu.New(cpu.Options{Workers: workers, Direction: d}))
		}
	}
	return list
}

func ldbc(t *testing.T, on engines) {
	dir := filepath.Join(refdata.Dir(t), "ldbc", "evlp")
	files, err := filepath.Glob(filepath.Join(dir, "*.properties"))
	if err != nil || len(files) != 14 {
		t.Fatalf("%d LDBC graphs (%v), want 14", len(files), err)
	}
	outputs := 0
	for _, file := range files {
		p, err := graphio.ReadProperties(file)
		if err != nil {
			t.Fatal(err)
		}
		g, err := graphio.Read(t.Context(), file, graphio.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for name, task := range ldbcTasks {
			expected := strings.TrimSuffix(file, ".properties") + "-" + name
			if matches, _ := filepath.Glob(expected); len(matches) == 0 {
				continue
			}
			outputs++
			t.Run(filepath.Base(expected), func(t *testing.T) { checkLDBC(t, g, task, p, expected, on(g, name)) })
		}
	}
	if outputs != 24 {
		t.Errorf("%d expected outputs found, want 24", outputs)
	}
}

// libgrape-lite's outputs for p2p-31, taken as undirected and as directed.
func TestLibgrape(t *testing.T) { libgrape(t, cpuEngines) }

func libgrape(t *testing.T, on engines) {
	dir := filepath.Join(refdata.Dir(t), "real", "p2p-31")
	p := graphio.Properties{Values: map[string]string{
		"bfs.source-vertex": "6", "sssp.source-vertex": "6",
		"pr.damping-factor": "0.85", "pr.num-iterations": "10", "cdlp.max-iterations": "10",
	}}
	for _, view := range []struct {
		direction graphio.Direction
		suffix    string
		tasks     []string
	}{
		{graphio.Undirected, "", []string{"BFS", "SSSP", "PR", "CDLP", "LCC", "WCC"}},
		{graphio.Directed, "-directed", []string{"BFS", "SSSP"}},
	} {
		g, err := graphio.Read(t.Context(), filepath.Join(dir, "p2p-31.e.gz"), graphio.Options{Directed: view.direction})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range view.tasks {
			t.Run(name+view.suffix, func(t *testing.T) {
				checkLDBC(t, g, ldbcTasks[name], p, filepath.Join(dir, "p2p-31-"+name+view.suffix+".gz"), on(g, name))
			})
		}
	}
}

func checkLDBC(t *testing.T, g *graph.Graph, task ldbcTask, p graphio.Properties, expected string, on []pregel.Engine) {
	want := map[uint32]string{}
	eachLine(t, expected, func(f []string) {
		v, err := g.IDs().Parse(f[0])
		if err != nil {
			t.Fatal(err)
		}
		want[v] = f[1]
	})
	if len(want) != g.N() {
		t.Fatalf("%d expected values for %d vertices", len(want), g.N())
	}
	for _, e := range on {
		r := realGraph{g: g}
		task.same(t, g, r.column(t, e, task.make(p), task.column), want)
	}
}

func exactMatch(t *testing.T, g *graph.Graph, c pregel.Column, want map[uint32]string) {
	t.Helper()
	for v, text := range want {
		got := "9223372036854775807"
		switch {
		case c.Empty(int(v)):
		case c.Vertices != nil:
			got = g.IDs().Text(c.Vertices[v])
		default:
			got = strconv.FormatUint(uint64(c.Counts[v]), 10)
		}
		if got != text {
			t.Errorf("vertex %s: %s, want %s", g.IDs().Text(v), got, text)
		}
	}
}

// epsilonMatch allows a relative error of 0.0001, as LDBC does.
func epsilonMatch(t *testing.T, g *graph.Graph, c pregel.Column, want map[uint32]string) {
	t.Helper()
	for v, text := range want {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		got := math.Inf(1)
		switch {
		case c.Empty(int(v)):
		case c.Ints != nil:
			got = float64(c.Ints[v])
		default:
			got = c.Floats[v]
		}
		if got != x && !(math.Abs(got-x) <= 1e-4*math.Abs(x)) {
			t.Errorf("vertex %s: %v, want %v", g.IDs().Text(v), got, x)
		}
	}
}

// equivalenceMatch allows any names of the classes.
func equivalenceMatch(t *testing.T, g *graph.Graph, c pregel.Column, want map[uint32]string) {
	t.Helper()
	ours, theirs := map[uint32]string{}, map[string]uint32{}
	for v, text := range want {
		label := c.Vertices[v]
		if a, ok := ours[label]; ok && a != text {
			t.Errorf("vertex %s: class %d holds those of %s and %s", g.IDs().Text(v), label, a, text)
		}
		if b, ok := theirs[text]; ok && b != label {
			t.Errorf("vertex %s: class %s is split into %d and %d", g.IDs().Text(v), text, b, label)
		}
		ours[label], theirs[text] = text, label
	}
}
