package conformance_test

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"math"
	"os"
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
	"gopregel/programs/conformance"
	"gopregel/programs/lcc"
	"gopregel/programs/mst"
	"gopregel/programs/pagerank"
	"gopregel/programs/scc"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
)

// realGraph is one graph of shared/data/real with its references.
type realGraph struct {
	*conformance.Reference
	dir string
	g   *graph.Graph
}

func realGraphs(t *testing.T) []string {
	dirs, err := filepath.Glob(filepath.Join(refdata.Dir(t), "real", "*", "ref.json"))
	if err != nil || len(dirs) != 8 {
		t.Fatalf("%d real graphs (%v), want 8", len(dirs), err)
	}
	for i := range dirs {
		dirs[i] = filepath.Dir(dirs[i])
	}
	return dirs
}

// load reads the graph in the view of ref.json: distinct arcs of least weight,
// self-loops kept.
func load(t *testing.T, dir string) realGraph {
	ref, err := conformance.ReadReference(dir)
	if err != nil {
		t.Fatal(err)
	}
	o := graphio.Options{Duplicates: graph.MinDuplicates}
	if !ref.Directed {
		o.Directed = graphio.Undirected
	}
	if ref.Weights.Kind == "hash" {
		o.Weights = graphio.WeightsHash
	}
	g, err := graphio.Read(t.Context(), filepath.Join(dir, ref.File), o)
	if err != nil {
		t.Fatal(err)
	}
	return realGraph{ref, dir, g}
}

func TestRealGraphs(t *testing.T) {
	for _, dir := range realGraphs(t) {
		if info, err := conformance.ReadReference(dir); err == nil && race.On && info.Counts.Lines > 40_000 {
			t.Logf("%s: left to the run without the race detector", filepath.Base(dir))
			continue
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			r := load(t, dir)
			if r.g.N() != r.Vertices.N || r.g.Arcs() != r.Counts.Arcs || r.g.Loops() != r.Counts.Loops {
				t.Fatalf("n %d arcs %d loops %d, want %+v %+v", r.g.N(), r.g.Arcs(), r.g.Loops(), r.Vertices, r.Counts)
			}
			r.checkAll(t, cpu.New(cpu.Options{}))
		})
	}
}

// The smallest real graph, under every configuration of the engine.
func TestRealGraphUnderAllConfigurations(t *testing.T) {
	r := load(t, filepath.Join(refdata.Dir(t), "real", "wiki-Vote"))
	for _, workers := range []int{1, 2, 3, 8} {
		for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
			if race.On && (workers != 3 || d != pregel.Auto) {
				continue
			}
			t.Run(fmt.Sprint(workers, d), func(t *testing.T) {
				r.checkAll(t, cpu.New(cpu.Options{Workers: workers, Direction: d}))
			})
		}
	}
}

func (r realGraph) checkAll(t *testing.T, e pregel.Engine) {
	for _, want := range r.BFS {
		r.traversal(t, e, &bfs.BFS{Source: id(want.Source)}, "depth", "9223372036854775807", want)
	}
	for _, want := range r.SSSP {
		r.traversal(t, e, &sssp.SSSP{Source: id(want.Source), Method: sssp.DeltaStepping}, "distance", "infinity", want)
	}
	want := r.SSSP[0]
	r.traversal(t, e, &sssp.SSSP{Source: id(want.Source), Method: sssp.BellmanFord}, "distance", "infinity", want)
	r.undirectedTraversals(t, e)
	if r.Directed {
		r.hash(t, e, scc.New(), "component", r.SCC.Hash)
	}
	r.hash(t, e, wcc.New(), "component", r.WCC.Hash)
	for n, want := range r.CDLP.Iterations {
		rounds, _ := strconv.Atoi(n)
		r.hash(t, e, &cdlp.CDLP{Iterations: rounds}, "label", want.SHA256)
	}
	r.forest(t, e)
	r.clustering(t, e)
	for n, want := range r.PageRank.Fixed {
		iterations, _ := strconv.Atoi(n)
		r.ranks(t, e, &pagerank.PageRank{Damping: r.PageRank.Damping, Iterations: iterations}, want, 1e-10)
	}
	r.ranks(t, e, &pagerank.PageRank{Damping: r.PageRank.Damping, Tolerance: 1e-13}, r.PageRank.Limit, 1e-6)
}

// undirectedTraversals are BFS with directions forgotten.
func (r realGraph) undirectedTraversals(t *testing.T, e pregel.Engine) {
	t.Helper()
	simple, err := r.g.Undirected(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	view := realGraph{r.Reference, r.dir, simple}
	for _, want := range r.BFSUndirected {
		view.traversal(t, e, &bfs.BFS{Source: id(want.Source)}, "depth", "9223372036854775807", want)
	}
}

func id(x uint64) pregel.ID { return pregel.ID(strconv.FormatUint(x, 10)) }

// run runs and certifies an algorithm.
func (r realGraph) run(t *testing.T, e pregel.Engine, a pregel.Algorithm) *pregel.Answer {
	t.Helper()
	answer, err := a.Run(t.Context(), &pregel.Job{Graph: r.g, Engine: e})
	if err != nil {
		t.Fatalf("%T: %v", a, err)
	}
	if answer.Stop.Reason != pregel.Halted && answer.Stop.Reason != pregel.Converged {
		t.Fatalf("%T: %v", a, answer.Stop)
	}
	certifier, ok := a.(pregel.Certifier)
	if !ok {
		t.Errorf("%T cannot certify its answers", a)
		return answer
	}
	if err := certifier.Certify(t.Context(), r.g, &answer.Table); err != nil {
		t.Errorf("%T: certificate: %v", a, err)
	}
	return answer
}

func (r realGraph) column(t *testing.T, e pregel.Engine, a pregel.Algorithm, name string) pregel.Column {
	t.Helper()
	c, err := r.run(t, e, a).Table.Column(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (r realGraph) traversal(t *testing.T, e pregel.Engine, a pregel.Algorithm, name, nothing string, want conformance.Traversal) {
	t.Helper()
	c := r.column(t, e, a, name)
	reached := 0
	for v := range c.Len() {
		if !c.Empty(v) {
			reached++
		}
	}
	if hash := conformance.Hash(r.g.IDs(), c, nothing); reached != want.Reached || hash != want.SHA256 {
		t.Errorf("%T from %d: reached %d, hash %s; want %d, %s", a, want.Source, reached, hash, want.Reached, want.SHA256)
	}
}

func (r realGraph) hash(t *testing.T, e pregel.Engine, a pregel.Algorithm, name, want string) {
	t.Helper()
	if hash := conformance.Hash(r.g.IDs(), r.column(t, e, a, name), ""); hash != want {
		t.Errorf("%T: hash %s, want %s", a, hash, want)
	}
}

func (r realGraph) forest(t *testing.T, e pregel.Engine) {
	t.Helper()
	c := r.column(t, e, mst.New(), "weight")
	var total int64
	for _, w := range c.Ints {
		total += w
	}
	if total != r.MSF.Total || c.Len() != r.MSF.Edges {
		t.Errorf("forest of %d edges and weight %d, want %d and %d", c.Len(), total, r.MSF.Edges, r.MSF.Total)
	}
}

// clustering compares the numerators t of the coefficients t/(d(d-1)), which
// are whole numbers.
func (r realGraph) clustering(t *testing.T, e pregel.Engine) {
	t.Helper()
	c := r.column(t, e, lcc.New(), "coefficient")
	numerators := pregel.Column{Ints: make([]int64, c.Len())}
	for v := range uint32(c.Len()) {
		d := float64(neighbours(r.g, v))
		numerators.Ints[v] = int64(math.Round(c.Floats[v] * d * (d - 1)))
	}
	if hash := conformance.Hash(r.g.IDs(), numerators, ""); hash != r.LCC.Hash {
		t.Errorf("clustering: hash of numerators %s, want %s", hash, r.LCC.Hash)
	}
}

// neighbours counts the distinct neighbours of v, in either direction.
func neighbours(g *graph.Graph, v uint32) int {
	seen := map[uint32]bool{}
	for _, c := range []graph.CSR{g.Out(), g.In()} {
		for _, u := range c.Neighbors(v) {
			if u != v {
				seen[u] = true
			}
		}
	}
	return len(seen)
}

func (r realGraph) ranks(t *testing.T, e pregel.Engine, a *pagerank.PageRank, want conformance.Ranks, tolerance float64) {
	t.Helper()
	c := r.column(t, e, a, "rank")
	check := func(text string, rank float64) {
		v, err := r.g.IDs().Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Floats[v]; math.Abs(got-rank) > tolerance*rank {
			t.Errorf("%+v: rank of %s is %v, want %v within %v", a, text, got, rank, tolerance)
		}
	}
	for _, pair := range append(want.Top, want.Samples...) {
		rank, _ := strconv.ParseFloat(pair[1].(string), 64)
		check(strconv.FormatFloat(pair[0].(float64), 'f', -1, 64), rank)
	}
	if a.Iterations == 10 {
		eachLine(t, filepath.Join(r.dir, "PR-10.txt.gz"), func(fields []string) {
			rank, _ := strconv.ParseFloat(fields[1], 64)
			check(fields[0], rank)
		})
	}
}

// eachLine calls f with the fields of every line of a file, gzipped or not.
func eachLine(t *testing.T, path string, f func(fields []string)) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := bufio.NewScanner(file)
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		s = bufio.NewScanner(z)
	}
	for s.Scan() {
		if fields := strings.Fields(s.Text()); len(fields) > 0 {
			f(fields)
		}
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
}
