package output_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gopregel/cmd/pregel/output"
	"gopregel/pregel"
	"gopregel/pregel/graph"
)

func TestReadAnyOrder(t *testing.T) {
	t.Parallel()
	ids := threeVertices(t)
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("rank,id\r\n,30\r\n2.5,18446744073709551615\r\n1,7\r\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	layout := &pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "rank", Floats: []float64{}}}}
	got, err := output.Read(t.Context(), path, "", ids, layout)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{1, math.Inf(1), 2.5}, got.Columns[0].Floats); diff != "" {
		t.Error(diff)
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	ids := threeVertices(t)
	layout := &pregel.Table{PerVertex: true, Columns: []pregel.Column{
		{Name: "depth", Counts: []uint32{}}, {Name: "parent", Vertices: []uint32{}},
	}}
	good := "7,0,\n30,1,7\n18446744073709551615,,\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty.csv", "", ": empty file, want a header line"},
		{"head.csv", "id,rank\n", `:1: unknown column "rank", want id,depth,parent`},
		{"few.csv", "id,depth\n", `:1: no column "parent", want id,depth,parent`},
		{"twice.csv", "id,depth,depth\n", `:1: column "depth" twice`},
		{"short.csv", "id,depth,parent\n7,0\n", ":2:1: wrong number of fields"},
		{"quote.csv", "id,depth,parent\n7,0,\"\n", `:2:7: extraneous or missing " in quoted-field`},
		{"word.csv", "id,depth,parent\n7,zero,\n", `:2:3: depth: found "zero", want a whole number from 0 to 2^32-2, or nothing`},
		{"minus.csv", "id,depth,parent\n7,-1,\n", `:2:3: depth: found "-1", want a whole number from 0 to 2^32-2, or nothing`},
		{"parent.csv", "id,depth,parent\n7,0,\n30,1,8\n", ":3:6: parent: no vertex 8 in the graph (3 ids between 7 and 18446744073709551615, with gaps)"},
		{"id.csv", "id,depth,parent\nx,0,\n", `:2:1: id: vertex "x": ids of this graph are whole numbers from 0 to 2^64-1`},
		{"again.csv", "id,depth,parent\n" + good + "30,1,7\n", ":5:1: id: second row for vertex 30"},
		{"missing.csv", "id,depth,parent\n7,0,\n", ": 2 of 3 vertices have no row, the first of them 30"},
		{"a.ndjson", "[1]\n", `:1: found "[1]", want a JSON object`},
		{"b.ndjson", `{"id":7,"depth":0}` + "\n", `:1: no column "parent", want id,depth,parent`},
		{"c.ndjson", `{"id":7,"depth":true,"parent":null}` + "\n", `:1: depth: found true, want a number, a string or null`},
		{"d.ndjson", `{"id":7,"depth":1.5,"parent":null}` + "\n", `:1: depth: found "1.5", want a whole number from 0 to 2^32-2, or nothing`},
		{"e.ndjson", `{"id":7,"depth":1,"parent":null} 5` + "\n", `:1: something stands behind the object`},
		{"f.ndjson", `{"id":7,"depth":1,"parent":null` + "\n", `:1: the object does not end on its line`},
		{"g.parquet", "PAR1 is not enough", "not a Parquet file"},
		{"h.csv.gz", "this is no gzip data", "gzip: invalid header"},
		{"i.csv.gz", "short", "truncated"},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := output.Read(t.Context(), path, "", ids, layout)
		if err == nil || !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.name, err, c.want)
		}
	}
}

// Whatever byte of a Parquet file is changed, reading it does not panic.
func TestDamagedParquet(t *testing.T) {
	t.Parallel()
	ids := threeVertices(t)
	path := filepath.Join(t.TempDir(), "a.parquet")
	if err := output.Write(t.Context(), path, "", ids, mixed()); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(good); i += 3 {
		bad := bytes.Clone(good)
		bad[i] ^= 0xff
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := output.Read(t.Context(), path, "", ids, mixed()); err != nil && !strings.Contains(err.Error(), path) {
			t.Errorf("byte %d: error without a file: %v", i, err)
		}
	}
}

func TestTruncated(t *testing.T) {
	t.Parallel()
	ids := graph.RangeIDs(0, 20000)
	table := &pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "rank", Floats: make([]float64, 20000)}}}
	for _, name := range []string{"a.csv.gz", "a.csv.zst"} {
		path := filepath.Join(t.TempDir(), name)
		if err := output.Write(t.Context(), path, "", ids, table); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, info.Size()*2/3); err != nil {
			t.Fatal(err)
		}
		if _, err := output.Read(t.Context(), path, "", ids, table); err == nil || !strings.Contains(err.Error(), "truncated") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
