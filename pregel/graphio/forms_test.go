package graphio

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel/graph"
)

// A form is one way in which some program may write a graph.
type form struct {
	name     string // of the file
	ids      func(r *rand.Rand) []string
	weights  string // "", "int" or "float"
	options  Options
	text     func(c *sample) string
	vertices func(c *sample) []string // nil: the endpoints
	directed bool
}

// A sample is a random graph to be written in a form.
type sample struct {
	*form
	r     *rand.Rand
	ids   []string
	edges []edge
}

func forms() []form {
	list := []form{
		{name: "g.txt", ids: contiguous(0, 40), text: lines(" ", "\t", "  ", " , ", ",")},
		{name: "g.txt", ids: contiguous(7, 40), weights: "int", text: lines(" ")},
		{name: "g.edges", ids: farIDs, weights: "float", text: lines("\t", " ")},
		{name: "g.tsv", ids: farIDs, weights: "int", text: lines("\t", " \t")},
		{name: "g.csv", ids: contiguous(1, 9), weights: "float", text: withHeader("id_a,id_b,w", lines(",", ", "))},
		{name: "g.csv", ids: farIDs, text: withHeader("", lines(","))},
		{name: "g.txt", ids: names, weights: "int", options: Options{IDs: IDsString}, text: lines(" ", "\t")},
		{name: "g.tsv", ids: spacedNames, options: Options{IDs: IDsString}, text: withHeader("source\ttarget", lines("\t"))},
		{name: "g.csv", ids: spacedNames, weights: "int", options: Options{IDs: IDsString}, text: withHeader("Source,Target,Weight", quotedLines)},
		{name: "g.el", ids: contiguous(0, 30), text: lines(" "), vertices: toGreatest},
		{name: "g.wel", ids: contiguous(3, 30), weights: "int", text: lines(" "), vertices: toGreatest},
		{name: "g.gr", ids: contiguous(1, 25), weights: "int", text: dimacsText, vertices: all},
		{name: "g.mtx", ids: contiguous(1, 25), text: matrixText("pattern"), vertices: all},
		{name: "g.mtx", ids: contiguous(1, 25), weights: "int", text: matrixText("integer"), vertices: all},
		{name: "g.mtx", ids: contiguous(1, 25), weights: "float", text: matrixText("real"), vertices: all},
		{name: "g.graph", ids: contiguous(1, 25), text: metisText("", 0), vertices: all},
		{name: "g.graph", ids: contiguous(1, 25), text: metisText(" 0", 0), vertices: all},
		{name: "g.graph", ids: contiguous(1, 25), text: metisText(" 010", 1), vertices: all},
		{name: "g.graph", ids: contiguous(1, 25), text: metisText(" 110 3", 4), vertices: all},
		{name: "g.graph", ids: contiguous(1, 25), text: metisText(" 100", 1), vertices: all},
		{name: "g.graph", ids: contiguous(1, 25), text: metisText(" 100", 0), vertices: all}, // as GAPBS takes it
		{name: "g.graph", ids: contiguous(1, 25), weights: "int", text: metisText(" 1", 0), vertices: all},
		{name: "g.graph", ids: contiguous(1, 25), weights: "float", text: metisText(" 11 2", 2), vertices: all},
		{name: "g", ids: farIDs, options: Options{Format: "adjacency"}, text: adjacencyText, vertices: all},
		{name: "g", ids: names, options: Options{Format: "adjacency", IDs: IDsString}, text: adjacencyText, vertices: all},
		{name: "g.e", ids: farIDs, weights: "float", text: lines(" ")},
		{name: "g.adj", ids: contiguous(0, 25), text: ligraText, vertices: all},
		{name: "g.wadj", ids: contiguous(0, 25), weights: "int", text: ligraText, vertices: all},
		{name: "g.adj", ids: contiguous(0, 25), weights: "float", text: ligraText, vertices: all},
		{name: "g.ea", ids: contiguous(0, 30), text: edgeArrayText, vertices: toGreatest},
		{name: "g.wea", ids: contiguous(3, 30), weights: "int", text: edgeArrayText, vertices: toGreatest},
		{name: "g.wea", ids: contiguous(0, 30), weights: "float", text: edgeArrayText, vertices: toGreatest},
	}
	for _, f := range slices.Clone(list) {
		f.directed = true
		list = append(list, f)
	}
	return list
}

// Every form of text gives its graph, whatever the workers and wherever the
// text is cut, plain and compressed.
func TestForms(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	for _, f := range forms() {
		for _, m := range []int{0, 1, 30} {
			f.check(t, r, m)
		}
	}
}

func (f *form) check(t *testing.T, r *rand.Rand, m int) {
	c := &sample{form: f, r: r, ids: f.ids(r)}
	c.edges = c.random(m)
	text := f.text(c)
	var vertices []string
	if f.vertices != nil {
		vertices = f.vertices(c)
	}
	o := f.options
	o.Directed = Undirected
	if f.directed {
		o.Directed = Directed
	}
	for ending, content := range map[string]string{"": text, ".gz": gzipped(t, text), ".zst": zstded(t, text), ".bz2": zstded(t, text)} {
		o.Format = f.options.Format
		if ending == ".bz2" { // the first bytes tell, not the name
			if name, _, err := FormatOf(f.name); err == nil {
				o.Format = name
			}
		}
		path := textFile(t, f.name+ending, content)
		eachWay(func(workers int, l limits) {
			if (ending != "" || m < 2) && l.block != 64 {
				return
			}
			o.Workers = workers
			g, err := read(t.Context(), path, o, l)
			if err != nil {
				t.Fatalf("%v: %v\n%s", f, err, text)
			}
			if err := g.Check(); err != nil || g.Directed() != f.directed {
				t.Fatalf("%v: directed %v, %v\n%s", f, g.Directed(), err, text)
			}
			expect(t, g, c.edges, vertices)
			kind := map[string]graph.WeightKind{"int": graph.Int32, "float": graph.Float32}[f.weights]
			if m > 0 && g.Weighted() != kind {
				t.Fatalf("%v: weights are %v\n%s", f, g.Weighted(), text)
			}
		})
	}
}

func (f *form) String() string {
	return fmt.Sprintf("%s weights %q directed %v %+v", f.name, f.weights, f.directed, f.options)
}

func (c *sample) random(m int) (edges []edge) {
	for i := range m {
		e := edge{c.ids[c.r.IntN(len(c.ids))], c.ids[c.r.IntN(len(c.ids))], 1}
		switch c.weights {
		case "int":
			e.w = float64(int32(c.r.Uint32()) >> c.r.UintN(32))
		case "float":
			e.w = float64(float32(c.r.NormFloat64()))
			if c.r.IntN(3) == 0 && i > 0 {
				e.w = float64(c.r.IntN(1000))
			}
		}
		edges = append(edges, e)
	}
	return edges
}

func all(c *sample) []string { return c.ids }

// toGreatest are the numbers from 0 to the greatest that occurs. (ids of these
// forms ascend.)
func toGreatest(c *sample) []string {
	most := -1
	for _, e := range c.edges {
		most = max(most, slices.Index(c.ids, e.u), slices.Index(c.ids, e.v))
	}
	if most < 0 {
		return []string{}
	}
	var base int
	fmt.Sscan(c.ids[0], &base)
	return contiguous(0, base+most+1)(nil)
}

// lists gives for each vertex the fields of its neighbours.
func (c *sample) lists() map[string][]string {
	lists := map[string][]string{}
	for _, e := range asArcs(c.edges, c.directed) {
		lists[e.u] = append(lists[e.u], e.v)
		if c.weights != "" {
			lists[e.u] = append(lists[e.u], c.weight(e))
		}
	}
	return lists
}

func adjacencyText(c *sample) string {
	text := []string{"# vertex and neighbours"}
	lists := c.lists()
	for _, u := range c.ids {
		text = append(text, strings.Join(append([]string{u}, lists[u]...), " "))
	}
	return c.join(text)
}

// metisText writes METIS lists with the given flags and numbers before them.
func metisText(flags string, skip int) func(c *sample) string {
	return func(c *sample) string {
		text := []string{"% comment", fmt.Sprintf("%d %d%s", len(c.ids), len(c.edges), flags)}
		lists := c.lists()
		for _, u := range c.ids {
			var fields []string
			for range skip {
				fields = append(fields, fmt.Sprint(c.r.IntN(30)))
			}
			text = append(text, strings.Join(append(fields, lists[u]...), " "))
			if c.r.IntN(5) == 0 {
				text = append(text, "% between")
			}
		}
		return c.join(text) + "\n"
	}
}
