package output_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"gopregel/cmd/pregel/output"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
)

// threeVertices has ids that differ from vertex numbers.
func threeVertices(t *testing.T) graph.IDs {
	t.Helper()
	ids, err := graph.NumberIDs([]uint64{7, 30, 1<<64 - 1})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func mixed() *pregel.Table {
	return &pregel.Table{PerVertex: true, Columns: []pregel.Column{
		{Name: "depth", Counts: []uint32{0, pregel.NoCount, 4294967294}},
		{Name: "parent", Vertices: []uint32{graph.None, 0, 2}},
		{Name: "distance", Ints: []int64{-5, pregel.NoInt, 1<<63 - 2}},
		{Name: "rank", Floats: []float64{0.1, math.Inf(1), 5e-324}},
	}}
}

func TestText(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{
		output.CSV:    "id,depth,parent,distance,rank\n7,0,,-5,0.1\n30,,7,,\n18446744073709551615,4294967294,18446744073709551615,9223372036854775806,5e-324\n",
		output.TSV:    "id\tdepth\tparent\tdistance\trank\n7\t0\t\t-5\t0.1\n30\t\t7\t\t\n18446744073709551615\t4294967294\t18446744073709551615\t9223372036854775806\t5e-324\n",
		output.NDJSON: `{"id":7,"depth":0,"parent":null,"distance":-5,"rank":0.1}` + "\n" + `{"id":30,"depth":null,"parent":7,"distance":null,"rank":null}` + "\n" + `{"id":18446744073709551615,"depth":4294967294,"parent":18446744073709551615,"distance":9223372036854775806,"rank":5e-324}` + "\n",
	} {
		var out bytes.Buffer
		if err := output.Encode(t.Context(), &out, format, threeVertices(t), mixed()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, out.String()); diff != "" {
			t.Errorf("%s: %s", format, diff)
		}
	}
}

// The quoting is read back by Go's own CSV and JSON readers.
func TestNames(t *testing.T) {
	t.Parallel()
	list := []string{"", " ", " lead", "a\tb", `a"b`, "a,b", "line\nbreak", "plain", "ß<&>"}
	ids, err := graph.NameIDs(list)
	if err != nil {
		t.Fatal(err)
	}
	table := &pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "label", Vertices: []uint32{1, 0, 3, 2, 5, 4, 7, 6, graph.None}}}}
	for format, comma := range map[string]rune{output.CSV: ',', output.TSV: '\t'} {
		var out bytes.Buffer
		if err := output.Encode(t.Context(), &out, format, ids, table); err != nil {
			t.Fatal(err)
		}
		in := csv.NewReader(&out)
		in.Comma = comma
		rows, err := in.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows[1:] {
			if row[0] != list[i] || i < 8 && row[1] != list[i^1] || i == 8 && row[1] != "" {
				t.Errorf("%s, row %d: %q", format, i, row)
			}
		}
	}
	var out bytes.Buffer
	if err := output.Encode(t.Context(), &out, output.NDJSON, ids, table); err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.SplitAfter(strings.TrimSpace(out.String()), "}\n") {
		var row struct {
			ID    string
			Label *string
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil || row.ID != list[i] || (row.Label == nil) != (i == 8) || i < 8 && *row.Label != list[i^1] {
			t.Errorf("row %d: %s (%v)", i, line, err)
		}
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"a.csv": "csv ", "a/b.TSV": "tsv ", "x.csv.gz": "csv gz", "x.ndjson.zst": "ndjson zst", "y.jsonl": "ndjson ", "z.parquet": "parquet ",
	} {
		format, compression, err := output.FormatOf(path)
		if err != nil || format+" "+compression != want {
			t.Errorf("%s: %s %s %v, want %s", path, format, compression, err, want)
		}
	}
	for _, path := range []string{"a", "a.gz", "a.txt", "csv", "z.parquet.gz", ".csv.xz", ""} {
		if format, _, err := output.FormatOf(path); err == nil {
			t.Errorf("%s: format %s", path, format)
		}
	}
	if format, compression, err := output.Form("answer.gz", "csv"); err != nil || format != "csv" || compression != "gz" {
		t.Errorf("%s %s %v", format, compression, err)
	}
	if _, _, err := output.Form("x.csv", "xml"); err == nil {
		t.Error("format xml")
	}
}

// What is written is read back, in every form, to the last bit; seeds are
// fresh.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	dir := t.TempDir()
	for _, ids := range []graph.IDs{threeVertices(t), randomIDs(t, random, 4500), randomNames(t, random, 4200), graph.RangeIDs(0, 0)} {
		for _, table := range []*pregel.Table{randomTable(random, ids, ids.Len(), true), randomTable(random, ids, ids.Len()/2, false)} {
			for _, ext := range race.Some("csv", "tsv", "ndjson", "parquet", "csv.gz", "tsv.zst") {
				path := filepath.Join(dir, "t."+ext)
				if err := output.Write(t.Context(), path, "", ids, table); err != nil {
					t.Fatalf("%s: %v", ext, err)
				}
				got, err := output.Read(t.Context(), path, "", ids, table)
				if err != nil {
					t.Fatalf("%s: %v", ext, err)
				}
				if diff := cmp.Diff(table, got); diff != "" {
					t.Fatalf("%s (names %v): %s", ext, ids.Names() != nil, diff[:min(len(diff), 800)])
				}
			}
		}
	}
}

func randomIDs(t *testing.T, random *rand.Rand, n int) graph.IDs {
	t.Helper()
	list, last := make([]uint64, n), uint64(0)
	for i := range list {
		last += 1 + random.Uint64N(1<<50)
		list[i] = last
	}
	ids, err := graph.NumberIDs(list)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func randomNames(t *testing.T, random *rand.Rand, n int) graph.IDs {
	t.Helper()
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("v%06d%s", i, []string{"", ",", `"`, "\t", " é"}[random.IntN(5)])
	}
	ids, err := graph.NameIDs(list)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func randomTable(random *rand.Rand, ids graph.IDs, rows int, perVertex bool) *pregel.Table {
	v, c, n, f := make([]uint32, rows), make([]uint32, rows), make([]int64, rows), make([]float64, rows)
	for i := range rows {
		v[i], c[i], n[i], f[i] = graph.None, pregel.NoCount, pregel.NoInt, math.Inf(1)
		if random.IntN(4) > 0 {
			v[i], c[i], n[i] = random.Uint32N(uint32(ids.Len())), random.Uint32()>>1, int64(random.Uint64())
		}
		if x := math.Float64frombits(random.Uint64()); !math.IsNaN(x) && !math.IsInf(x, 0) {
			f[i] = x
		}
	}
	return &pregel.Table{PerVertex: perVertex, Columns: []pregel.Column{
		{Name: "source", Vertices: v}, {Name: "depth", Counts: c}, {Name: "weight", Ints: n}, {Name: "rank", Floats: f},
	}}
}

// The Parquet file is read with the library's own mapping to structs.
func TestParquetTypes(t *testing.T) {
	t.Parallel()
	type row struct {
		ID       uint64   `parquet:"id"`
		Depth    *uint32  `parquet:"depth"`
		Parent   *uint64  `parquet:"parent"`
		Distance *int64   `parquet:"distance"`
		Rank     *float64 `parquet:"rank"`
	}
	var out bytes.Buffer
	if err := output.Encode(t.Context(), &out, output.Parquet, threeVertices(t), mixed()); err != nil {
		t.Fatal(err)
	}
	rows, err := parquet.Read[row](bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	ptr := func(x float64) *float64 { return &x }
	want := []row{
		{7, new(uint32), nil, new(int64), ptr(0.1)},
		{ID: 30, Parent: new(uint64)},
		{ID: 1<<64 - 1, Depth: new(uint32), Parent: new(uint64), Distance: new(int64), Rank: ptr(5e-324)},
	}
	*want[0].Distance, *want[1].Parent = -5, 7
	*want[2].Depth, *want[2].Parent, *want[2].Distance = 4294967294, 1<<64-1, 1<<63-2
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
	in, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, c := range in.Root().Columns() {
		order = append(order, c.Name())
	}
	if got := strings.Join(order, ","); got != "id,depth,parent,distance,rank" {
		t.Errorf("columns %s", got)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	for _, name := range []string{"a.csv", "a.parquet", "a.ndjson.zst"} {
		if err := output.Write(ctx, filepath.Join(dir, name), "", threeVertices(t), mixed()); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestWrongTable(t *testing.T) {
	t.Parallel()
	table := &pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "rank", Floats: []float64{1}}}}
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := output.Write(t.Context(), path, "", threeVertices(t), table); err == nil || !strings.Contains(err.Error(), "1 rows, want 3") {
		t.Errorf("error %v", err)
	}
	table.Columns[0].Floats = []float64{1, math.NaN(), 2}
	if err := output.Write(t.Context(), path+".ndjson", "", threeVertices(t), table); err == nil || !strings.Contains(err.Error(), "row 2") {
		t.Errorf("NaN in JSON: error %v", err)
	}
}

// BenchmarkEncode writes a million ranks.
func BenchmarkEncode(b *testing.B) {
	const n = 1 << 20
	ranks := make([]float64, n)
	for i := range ranks {
		ranks[i] = rand.Float64() / n
	}
	table := &pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "rank", Floats: ranks}}}
	for _, format := range output.Formats() {
		b.Run(format, func(b *testing.B) {
			for b.Loop() {
				var out counter
				start := time.Now()
				if err := output.Encode(b.Context(), &out, format, graph.RangeIDs(0, n), table); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(out)/1e6/time.Since(start).Seconds(), "MB/s")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
}

type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
