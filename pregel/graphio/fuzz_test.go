package graphio

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gopregel/pregel/graph"
)

// fuzz reads rubbish in some format: there is an error, or a graph that is all
// right and the same whatever the workers and blocks.
func fuzz(f *testing.F, name string, o Options, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s), byte(0))
		f.Add([]byte(s), byte(0xff))
	}
	f.Fuzz(func(t *testing.T, data []byte, how byte) {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		o := o
		o.Directed = Direction(how & 3 % 3)
		o.Weights = WeightSource(how >> 2 & 3)
		if how&16 != 0 {
			o.Loops, o.Duplicates = graph.DropLoops, graph.SumDuplicates
		}
		if how&32 != 0 {
			o.IDs = IDsString
		}
		l := limits{block: defaultBlock, headerSlack: 1000, rangeSlack: 1000}
		one, oneErr := read(context.Background(), path, o, l)
		o.Workers, l.block = 3, 1+int(how>>6)
		two, twoErr := read(context.Background(), path, o, l)
		if (oneErr == nil) != (twoErr == nil) || oneErr != nil && oneErr.Error() != twoErr.Error() {
			t.Fatalf("in one block %v\nin many %v", oneErr, twoErr)
		}
		if oneErr != nil {
			return
		}
		if err := one.Check(); err != nil {
			t.Fatal(err)
		}
		if !sameGraph(one, two) {
			t.Fatalf("in one block %v\nin many %v", edgesOf(one), edgesOf(two))
		}
	})
}

func sameGraph(a, b *graph.Graph) bool {
	if a.N() != b.N() || a.Arcs() != b.Arcs() || a.Directed() != b.Directed() || a.Weighted() != b.Weighted() {
		return false
	}
	x, y := edgesOf(a), edgesOf(b)
	for i := range x {
		if x[i] != y[i] && (x[i].w == x[i].w || y[i].w == y[i].w) {
			return false
		}
	}
	return true
}

func FuzzEdgeList(f *testing.F) {
	fuzz(f, "g.txt", Options{}, "", "0 1\n1 2", "# c\r\n0\t1\t-5\r\n\r\n7,8,9", "1 2 0.5\n3 4 1e9\n", "a b\n", "18446744073709551615 18446744073709551616\n",
		"\x1f\x8b\x08\x00\x00\x00", "\x28\xb5\x2f\xfd\x04")
}

func FuzzEL(f *testing.F) { fuzz(f, "g.el", Options{}, "0 1\n", "0 900\n5 5\n", "0 99999999\n") }

func FuzzCSV(f *testing.F) {
	fuzz(f, "g.csv", Options{}, "source,target,weight\n1,2,3\n", "\"a b\",\"c\"\"d\"\n", "\xef\xbb\xbf1, 2\n")
}

func FuzzTSV(f *testing.F) {
	fuzz(f, "g.tsv", Options{}, "source\ttarget\nNew York\tBoston\n", "1\t2\t3\n")
}

func FuzzMatrixMarket(f *testing.F) {
	const head = "%%MatrixMarket matrix coordinate "
	fuzz(f, "g.mtx", Options{}, head+"pattern general\n% c\n3 3 2\n1 2\n3 3\n", head+"integer symmetric\n3 3 1\n2 1 7\n", head+"real general\n2 2 1\n1 1 .5")
}

func FuzzDIMACS(f *testing.F) {
	fuzz(f, "g.gr", Options{}, "c x\np sp 3 2\na 1 2 5\nc\na 3 3 -1\n", "p sp 0 0\n")
}

func FuzzMETIS(f *testing.F) {
	fuzz(f, "g.graph", Options{}, "3 2\n2\n1 3\n2\n", "% c\n2 1 011 2\n1 2 2 9\n\n3 4 1 9\n", "2 1 100\n2\n1\n", "2 1 100\n7 2\n7 1\n\n")
}

func FuzzAdjacency(f *testing.F) {
	fuzz(f, "g", Options{Format: "adjacency"}, "1 2 3\n2 1\n3 1\n4\n", "a b\nb a\n")
}

func FuzzLigra(f *testing.F) {
	fuzz(f, "g.adj", Options{}, "AdjacencyGraph\n3\n2\n0\n1\n2\n1\n0\n", "WeightedAdjacencyGraph 2 2 0 1\n1 0\n-5 7", "WeightedAdjacencyGraph\n1\n1\n0\n0\n.5\n",
		"AdjacencyGraph\n2\n1\n1\n0\n0\n", "AdjacencyGraph\n99999999999\n9999999999999999999\n")
}

func FuzzEdgeArray(f *testing.F) {
	fuzz(f, "g.ea", Options{}, "EdgeArray\n0 1\n1 2\n", "WeightedEdgeArray\n0 1 5\n2 0 -1.5\n", "EdgeArray\n0 900\n", "WeightedEdgeArray\n0 1\n")
}

func FuzzLDBC(f *testing.F) { fuzz(f, "g.e", Options{}, "1 2 0.5\n", "3 4\n4 3\n") }

func FuzzProperties(f *testing.F) {
	f.Add([]byte("graph.g.vertex-file = g.v\ngraph.g.edge-file = g.e\ngraph.g.directed = true\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "g.properties")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if p, err := ReadProperties(path); err == nil && (p.Name == "" || p.EdgeFile == "" || p.Values["vertex-file"] != p.VertexFile) {
			t.Fatalf("%+v", p)
		}
		if _, err := Read(context.Background(), path, Options{}); err == nil {
			t.Fatal("a graph without its files")
		}
	})
}
