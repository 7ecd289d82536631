package plan_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"gopregel/cmd/pregel/job"
	"gopregel/cmd/pregel/plan"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/graphio"
	"gopregel/programs"
	"gopregel/runtime/cpu"
)

func parse(t *testing.T, text string) *job.Job {
	t.Helper()
	j, err := job.Parse("job.yaml", []byte(text), job.Options{Programs: programs.All()})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// For every kind of generator the size is that of the graph it makes: exactly
// where it says so, else as an upper bound.
func TestGenerators(t *testing.T) {
	t.Parallel()
	params := map[string]string{
		"kronecker": "scale: 7", "rmat": "scale: 7, edge_factor: 3", "ssca2": "scale: 7", "uniform": "n: 100, edge_factor: 5",
		"grid": "rows: 7, cols: 13", "path": "n: 9", "cycle": "n: 9", "star": "n: 9", "tree": "n: 9", "complete": "n: 9",
	}
	for _, k := range graphgen.Kinds() {
		for _, rest := range []string{"", ", directed: true", ", directed: false", ", duplicates: drop", ", weights: none, self_loops: drop"} {
			spec := "kind: " + k.Name
			if p := params[k.Name]; p != "" {
				spec += ", " + p
			}
			j := parse(t, fmt.Sprintf("{program: wcc, graph: {generate: {%s}%s}}", spec, rest))
			s, err := plan.Measure(t.Context(), j)
			if err != nil {
				t.Fatal(err)
			}
			o := graphgen.Options{Directed: j.Graph.Directed}
			if j.Graph.Weights == "none" {
				o.Weights = graphgen.NoWeights
			}
			if j.Graph.Duplicates == "drop" {
				o.Duplicates = graph.DropDuplicates
			}
			if j.Graph.SelfLoops == "drop" {
				o.Loops = graph.DropLoops
			}
			g, err := graphgen.Generate(t.Context(), *j.Graph.Generate, o)
			if err != nil {
				t.Fatal(err)
			}
			checkSize(t, spec+rest, s, g)
		}
	}
}

func checkSize(t *testing.T, what string, s plan.Size, g *graph.Graph) {
	t.Helper()
	if s.Vertices != uint64(g.N()) || s.Directed != g.Directed() || s.Weights != g.Weighted() {
		t.Errorf("%s: %v, weights %v; the graph has %d vertices, directed %v, weights %v", what, s, s.Weights, g.N(), g.Directed(), g.Weighted())
	}
	switch {
	case s.Certainty == plan.Exact && s.Arcs != g.Arcs(), s.Certainty == plan.AtMost && s.Arcs < g.Arcs():
		t.Errorf("%s: %v; the graph has %d arcs", what, s, g.Arcs())
	}
}

// Files: those with a header are known by it, others are estimated to a few
// percent.
func TestFiles(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "uniform", N: 5000, EdgeFactor: 3, Seed: seed}, graphgen.Options{Weights: graphgen.HashWeights})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, c := range []struct {
		name  string
		exact bool
	}{
		{"g.pgr", true}, {"g.mtx", true}, {"g.gr", true}, {"g.graph", true}, {"g.wsg", true}, {"g.adj", true}, {"g.wadj.gz", true}, {"g.wea", false},
		{"g.wel", false}, {"g.txt", false}, {"g.csv", false}, {"g.tsv.zst", false}, {"g.txt.gz", false}, {"g.e", false},
	} {
		path := filepath.Join(dir, c.name)
		if err := graphio.Write(t.Context(), path, g, graphio.WriteOptions{AllowLoss: true}); err != nil {
			t.Logf("%s: %v", c.name, err)
			continue
		}
		for _, rest := range []string{"", ", weights: none"} {
			j := parse(t, fmt.Sprintf("{program: wcc, graph: {path: %q%s}}", path, rest))
			o := graphio.Options{}
			if rest != "" {
				o.Weights = graphio.WeightsNone
			}
			checkFile(t, j, o, c.exact)
		}
	}
}

func checkFile(t *testing.T, j *job.Job, o graphio.Options, exact bool) {
	t.Helper()
	s, err := plan.Measure(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graphio.Read(t.Context(), j.Graph.Path, o)
	if err != nil {
		t.Fatal(err)
	}
	name := j.Name()
	if plan.Cheap(&j.Graph) != exact || exact == (s.Certainty == plan.Estimated) {
		t.Errorf("%s: %v", name, s)
	}
	if (s.Weights == graph.Unweighted) != (g.Weighted() == graph.Unweighted) || s.Directed != g.Directed() {
		t.Errorf("%s: weights %v and %v, directed %v and %v", name, s.Weights, g.Weighted(), s.Directed, g.Directed())
	}
	near := func(a, b uint64, share float64) bool { return float64(max(a, b)-min(a, b)) <= share*float64(b)+2 }
	switch {
	case exact && (s.Vertices != uint64(g.N()) || !near(s.Arcs, g.Arcs(), 0.01)):
		t.Errorf("%s: %v; it has %d vertices and %d arcs", name, s, g.N(), g.Arcs())
	case !exact && (!near(s.Vertices, uint64(g.N()), 0.05) || !near(s.Arcs, g.Arcs(), 0.01)):
		t.Errorf("%s: %v; it has %d vertices and %d arcs", name, s, g.N(), g.Arcs())
	}
}

// Strings and scattered ids are counted to a few percent, by whatever text.
func TestIDs(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	z := gzip.NewWriter(&text)
	for i := range 30000 {
		fmt.Fprintf(z, "%d\tname%d\n", 1000*i, i%777)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "names.txt.gz")
	if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := plan.Measure(t.Context(), parse(t, fmt.Sprintf("{program: wcc, graph: {path: %q, ids: string}}", path)))
	if err != nil || s.Arcs != 30000 || s.IDs != plan.Names || s.Vertices < 29600 || s.Vertices > 32000 || !s.Loading.Held {
		t.Errorf("%+v %v", s, err)
	}
}

// A file in the place of a generator, and one that is not there.
func TestMeasureErrors(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"{program: wcc, graph: {path: none.txt}}", "{program: wcc, graph: {path: none.pgr}}", "{program: wcc, graph: {path: none.sg}}",
		"{program: wcc, graph: {path: none.properties}}",
	} {
		if s, err := plan.Measure(t.Context(), parse(t, text)); err == nil {
			t.Errorf("%s: %v", text, s)
		}
	}
}

func TestHostMemory(t *testing.T) {
	t.Parallel()
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	info := "MemTotal: 200 kB\nMemAvailable:   100 kB\n"
	for _, c := range []struct {
		name string
		fs   fstest.MapFS
		want plan.Memory
	}{
		{"unknown", fstest.MapFS{}, plan.Memory{}},
		{"no group", fstest.MapFS{"proc/meminfo": file(info)}, plan.Memory{Available: 102400, By: "MemAvailable"}},
		{"no limit", fstest.MapFS{
			"proc/meminfo": file(info), "proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/b/memory.max": file("max\n"),
		}, plan.Memory{Available: 102400, By: "MemAvailable"}},
		{"limit of the one above", fstest.MapFS{
			"proc/meminfo": file(info), "proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/b/memory.max": file("max\n"),
			"sys/fs/cgroup/a/memory.max": file("50000\n"), "sys/fs/cgroup/a/memory.current": file("30000\n"),
			"sys/fs/cgroup/a/memory.stat": file("anon 1\ninactive_file 10000\n"),
		}, plan.Memory{Available: 30000, By: "the limit of the control group"}},
		{"full", fstest.MapFS{
			"proc/meminfo": file(info), "proc/self/cgroup": file("0::/\n"), "sys/fs/cgroup/memory.max": file("10\n"), "sys/fs/cgroup/memory.current": file("30\n"),
		}, plan.Memory{By: "the limit of the control group"}},
		{"version 1", fstest.MapFS{
			"proc/meminfo": file(info), "proc/self/cgroup": file("3:cpu,cpuacct:/x\n4:memory:/x\n"), "sys/fs/cgroup/memory/x/memory.limit_in_bytes": file("60000"),
			"sys/fs/cgroup/memory/x/memory.usage_in_bytes": file("20000"), "sys/fs/cgroup/memory/memory.limit_in_bytes": file("9223372036854771712"),
		}, plan.Memory{Available: 40000, By: "the limit of the control group"}},
		{"addresses", fstest.MapFS{
			"proc/meminfo": file("MemAvailable: 9000000 kB\n"), "proc/self/status": file("Name:\tpregel\nVmSize:\t 1000000 kB\n"),
			"proc/self/limits": file("Limit  Soft Limit  Hard Limit  Units\nMax address space         2048000000           unlimited            bytes     \n"),
		}, plan.Memory{Available: 2048000000 - 1024000000 - 256<<20, By: plan.AddressSpace}},
		{"no more addresses", fstest.MapFS{
			"proc/self/status": file("VmSize: 1000000 kB\n"), "proc/self/limits": file("Max address space 1024 1024 bytes\n"),
		}, plan.Memory{By: plan.AddressSpace}},
		{"all addresses", fstest.MapFS{
			"proc/self/status": file("VmSize: 1000000 kB\n"), "proc/self/limits": file("Max address space  unlimited unlimited bytes\n"),
		}, plan.Memory{}},
	} {
		if got := plan.HostMemory(c.fs); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// Workers who share thin frontiers have two sets of vertices, and a set of words of those
// each, up to 32 of them.
func TestShares(t *testing.T) {
	t.Parallel()
	for workers, want := range map[int]uint64{1: 0, 2: 2032, 16: 2256, 32: 2512, 200: 2512} {
		j := parse(t, fmt.Sprintf("{program: bfs, graph: {generate: {kind: grid, rows: 80, cols: 100}}, params: {source: 3}, engine: {workers: %d}}", workers))
		s, err := plan.Measure(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		got := uint64(0)
		for _, x := range plan.Host(j.Algorithm, s, j.Engine, false).Items {
			if x.Name == "frontier: shares of the workers" {
				got = x.Bytes
			}
		}
		if got != want {
			t.Errorf("%d workers: %d bytes, want %d", workers, got, want)
		}
	}
}

// What the answer of a search, and lists, take by the vertex, on graphs of a few vertices less and
// more than those from which on it stays where the run was.
func TestAnswersInPlace(t *testing.T) {
	t.Parallel()
	const few, many = 1<<19 - 1024, 1 << 19
	for _, c := range []struct {
		program, graph   string
		below, from, own uint64 // on the CPU
		gpuBelow, gpu    uint64 // on the host of a GPU, with what was read back
	}{
		{"bfs, params: {source: 0}", "grid", 8, 4, 0, 16, 12},
		{"bfs, params: {source: 0}, prepare: {order: degree}", "grid", 8, 8, 0, 16, 16},
		{"bfs, params: {source: 0, parents: false}", "grid", 0, 0, 0, 4, 4},
		{"bfs, params: {source: 0, depths: false}", "grid", 8, 4, 0, 4, 4},
		{"sssp, params: {source: 0}", "grid", 4, 4, 5, 12, 12},
		{"sssp, params: {source: 0}", "uniform", 4, 4, 12, 12, 12},
		{"sssp, params: {source: 0, parents: false}", "uniform", 4, 0, 12, 8, 8},
		{"sssp, params: {source: 0, parents: false}, engine: {schedule: bsp}", "uniform", 0, 0, 25, 8, 8},
		{"pagerank, params: {precision: float32}", "grid", 0, 0, 0, 8, 8},
		{"pagerank, params: {precision: float32}, engine: {direction: push}", "grid", 4, 4, 0, 8, 8},
		{"pagerank, params: {precision: float64}", "grid", 0, 0, 0, 8, 8},
	} {
		for n, want := range map[uint64][2]uint64{few: {c.below, c.gpuBelow}, many: {c.from, c.gpu}} {
			kind := fmt.Sprintf("grid, rows: %d, cols: 1024", n/1024)
			if c.graph == "uniform" {
				kind = fmt.Sprintf("uniform, n: %d, edge_factor: 16", n)
			}
			j := parse(t, fmt.Sprintf("{program: %s, graph: {generate: {kind: %s}, weights: splitmix64}}", c.program, kind))
			s, err := plan.Measure(t.Context(), j)
			if err != nil {
				t.Fatal(err)
			}
			s.Prepared = j.Prepare.Order != "none"
			got := map[string]uint64{}
			for _, i := range plan.Host(j.Algorithm, s, j.Engine, false).Items {
				got[i.Name] = i.Bytes
			}
			if answer, own := got["answer"], got["the algorithm's own"]; answer != want[0]*n || own != c.own*n {
				t.Errorf("%s on %d vertices: %d bytes of answer, %d of its own, want %d and %d", c.program, n, answer, own, want[0]*n, c.own*n)
			}
			for _, i := range plan.Host(j.Algorithm, s, j.Engine, true).Items {
				if i.Name == "answer" && i.Bytes != want[1]*n {
					t.Errorf("%s on %d vertices of a GPU: %d bytes of answer, want %d", c.program, n, i.Bytes, want[1]*n)
				}
			}
		}
	}
}

// The plan of sssp has in-arcs where a run makes them, and nowhere else.
func TestInArcsOfPaths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		weights, rest string
		kind          string
		options       cpu.Options
		made          bool
	}{
		{"splitmix64", "", "grid, rows: 30, cols: 40", cpu.Options{}, false},
		{"none", "", "uniform, n: 1000, edge_factor: 4", cpu.Options{}, false},
		{"splitmix64", ", engine: {schedule: relaxed}", "kronecker, scale: 8", cpu.Options{Schedule: pregel.Relaxed}, false},
		{"splitmix64", ", engine: {schedule: bsp}", "grid, rows: 30, cols: 40", cpu.Options{Schedule: pregel.BSP}, true},
		{"none", ", engine: {determinism: strict}", "grid, rows: 30, cols: 40", cpu.Options{Strict: true}, true},
		{"none", ", engine: {direction: push}", "grid, rows: 30, cols: 40", cpu.Options{Direction: pregel.Push}, true},
		{"splitmix64", ", engine: {direction: pull}", "grid, rows: 30, cols: 40", cpu.Options{Direction: pregel.Pull}, true},
	} {
		for _, params := range []string{"delta-stepping", "bellman-ford", "delta-stepping, parents: false", "bellman-ford, parents: false"} {
			text := fmt.Sprintf("{program: sssp, graph: {generate: {kind: %s}, weights: %s, directed: true}, params: {source: 3, method: %s}%s}", c.kind, c.weights, params, c.rest)
			j := parse(t, text)
			s, err := plan.Measure(t.Context(), j)
			if err != nil {
				t.Fatal(err)
			}
			o := graphgen.Options{Directed: j.Graph.Directed, Weights: graphgen.NoWeights}
			if c.weights == "splitmix64" {
				o.Weights = graphgen.HashWeights
			}
			g, err := graphgen.Generate(t.Context(), *j.Graph.Generate, o)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := j.Algorithm.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(c.options)}); err != nil {
				t.Fatal(err)
			}
			planned := slices.ContainsFunc(plan.Host(j.Algorithm, s, j.Engine, false).Items, func(i plan.Item) bool { return i.Name == "graph: in-arcs" })
			want := c.made || params == "bellman-ford"
			if strings.HasSuffix(params, "false") {
				want = c.options.Direction == pregel.Pull
			}
			if g.HasIn() != want || planned != want {
				t.Errorf("%s: in-arcs are planned %v, made %v, want %v", text, planned, g.HasIn(), want)
			}
		}
	}
	traced := parse(t, "{program: sssp, graph: {generate: {kind: grid, rows: 9, cols: 9}, directed: true}, params: {source: 3}, trace: {path: t.jsonl}}")
	if s, err := plan.Measure(t.Context(), traced); err != nil || s.Ways {
		t.Errorf("a trace, which looks at distances, is planned without in-arcs: %v", err)
	}
}

// A loaded graph has the size that its file or generator announced.
func TestOfGraph(t *testing.T) {
	t.Parallel()
	j := parse(t, "{program: sssp, graph: {generate: {kind: grid, rows: 30, cols: 40}, weights: splitmix64, directed: true}, params: {source: 3}}")
	before, err := plan.Measure(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	yes := true
	g, err := graphgen.Generate(t.Context(), *j.Graph.Generate, graphgen.Options{Weights: graphgen.HashWeights, Directed: &yes})
	if err != nil {
		t.Fatal(err)
	}
	after := plan.OfGraph(g)
	after.Ways = before.Ways // as the command has it
	if before.Vertices != after.Vertices || before.Arcs != after.Arcs || before.Weights != after.Weights || before.Certainty != after.Certainty {
		t.Errorf("%+v\n%+v", before, after)
	}
	if a, b := plan.Device(j, before), plan.Device(j, after); a.Total != b.Total || a.Total == 0 {
		t.Errorf("%d and %d bytes on the device", a.Total, b.Total)
	}
	if all, rest := plan.Host(j.Algorithm, before, j.Engine, false), plan.Host(j.Algorithm, after, j.Engine, false); all.Total <= rest.Total+g.Bytes()/2 {
		t.Errorf("%d bytes before it is loaded, %d after", all.Total, rest.Total)
	}
	if _, err := j.Algorithm.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Strict: true})}); err != nil {
		t.Error(err)
	}
	if in := plan.OfGraph(g); !in.HasIn {
		t.Error("sssp has made the in-arcs, and the plan does not know")
	}
}
