package bench

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"gopregel/cmd/pregel/energy"
)

func rows() []Row {
	bfs := Row{Program: "bfs", Prepare: "none", Unit: "run", Runs: 2, Supersteps: 3, Certified: 1, Peak: 5e6}
	m := measured{}
	m.add(single{Taken{0.25, 0.5}, "run", 3, 1e6, 4e6, 0.5, true})
	m.add(single{Taken{0.75, 0.7}, "run", 3, 1e6, 4e6, 0.7, true})
	m.into(&bfs)
	mst, took := bfs, 0.125
	mst.Program, mst.Bytes, mst.BytesPerSecond = "mst", nil, nil
	mst.Prepare, mst.PrepareSeconds = "degree", &took
	mst.Energy = &energy.Used{Meter: "RAPL", Runs: 2, Seconds: 4, Joules: 10, Watts: 2.5, MTEPSPerWatt: 0.2}
	list := []Row{mst, bfs}
	Shares(list, 16e6)
	return list
}

// Where a device's times leave out what the host does with answers, the table says of which programs.
func TestBrought(t *testing.T) {
	t.Parallel()
	list := rows()
	for i := range list {
		list[i].Wall, list[i].Ordered = new(0.5), list[i].Program != "mst"
	}
	list = append(list, list[0])
	var b bytes.Buffer
	if err := Print(&b, list); err != nil {
		t.Fatal(err)
	}
	const want = "\nbrought into the graph's own order by the host, in wall alone: mst\n"
	if strings.Count(b.String(), want) != 1 {
		t.Errorf("%s\nwant once%s", &b, want)
	}
	for i := range list {
		list[i].Ordered = true
	}
	if b.Reset(); Print(&b, list) != nil || strings.Contains(b.String(), "brought") {
		t.Errorf("%s\nwant nothing that the host brings", &b)
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := Print(&b, rows()); err != nil {
		t.Fatal(err)
	}
	const want = `
  program  prepare  its ms  per  median ms     min         quartiles     max  GTEPS  MB moved  of bandwidth  peak MB  supersteps  certified
      mst   degree  125.00  run     500.00  250.00  250.00 to 750.00  750.00  0.002         -             -      5.0           3          1
      bfs     none       -  run     500.00  250.00  250.00 to 750.00  750.00  0.002       4.0          50 %      5.0           3          1
energy of mst: 10.0 J for 2 runs in 4.0 s (RAPL): 2.5 W, 0.2 MTEPS/W
`
	if got := "\n" + b.String(); got != want {
		t.Errorf("%s\nwant%s", got, want)
	}
}

func TestGoFormat(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := PrintGo(&b, "g", rows()); err != nil {
		t.Fatal(err)
	}
	_, lines, _ := strings.Cut(b.String(), "Unit MTEPS better=higher\n")
	const want = `Benchmark/bfs/g 1 250000000 ns/op 4 MTEPS
Benchmark/bfs/g 1 750000000 ns/op 1.333 MTEPS
Benchmark/mst/g/prepare=degree 1 250000000 ns/op 4 MTEPS
Benchmark/mst/g/prepare=degree 1 750000000 ns/op 1.333 MTEPS
`
	if lines != want || !strings.HasPrefix(b.String(), "goos: ") {
		t.Errorf("%s\nwant %s", b.String(), want)
	}
}

func TestCSV(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := PrintCSV(&b, "a graph", rows()); err != nil {
		t.Fatal(err)
	}
	list, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(list) != 3 {
		t.Fatalf("%d lines, %v", len(list), err)
	}
	for name, want := range map[string][2]string{
		"graph": {"a graph", "a graph"}, "program": {"mst", "bfs"}, "median_seconds": {"0.5", "0.5"}, "max_seconds": {"0.75", "0.75"},
		"prepare": {"degree", "none"}, "prepare_seconds": {"0.125", ""}, "bytes": {"", "4e+06"}, "bandwidth_share": {"", "0.5"},
		"peak_bytes": {"5000000", "5000000"}, "joules": {"10", ""}, "device_bytes": {"", ""}, "wall_median_seconds": {"", ""}, "certified": {"1", "1"},
	} {
		i := slices.Index(list[0], name)
		if i < 0 || list[1][i] != want[0] || list[2][i] != want[1] {
			t.Errorf("%s: column %d of %q", name, i, list)
		}
	}
}

func TestJSONSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(rows()[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"energy":null`, `"device_bytes":null`, `"wall_median_seconds":null`, `"prepare_seconds":null`, `"bandwidth_share":0.5`, `"times_seconds":[0.25,0.75]`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("%s has no %s", text, part)
		}
	}
}

// Rows without a form are a table of their own, beside those of the same program with all.
func TestForms(t *testing.T) {
	t.Parallel()
	list := rows()
	slow := list[0]
	slow.Without, slow.Median = &Form{"first neighbours", 0.0125, 8_400_000}, 0.75
	list = slices.Insert(list, 1, slow)
	var table, lines, text bytes.Buffer
	if err := Print(&table, list); err != nil {
		t.Fatal(err)
	}
	const want = `
  program  prepare              form  its ms  its MB  median ms  without it  ratio
      mst   degree  first neighbours   12.50     8.4    500.000     750.000   1.50
`
	if _, got, _ := strings.Cut(table.String(), "MTEPS/W\n"); got != want || strings.Count(table.String(), "mst") != 3 {
		t.Errorf("%s\nwant %s", table.String(), want)
	}
	if err := PrintGo(&lines, "g", list); err != nil || !strings.Contains(lines.String(), "Benchmark/mst/g/prepare=degree/without=first_neighbours 1 ") {
		t.Errorf("%v\n%s", err, lines.String())
	}
	if err := PrintCSV(&text, "g", list); err != nil {
		t.Fatal(err)
	}
	cells, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	last := len(cells[0]) - 3
	for i, want := range []string{"without,form_seconds,form_bytes", ",,", "first neighbours,0.0125,8400000", ",,"} {
		if got := strings.Join(cells[i][last:], ","); got != want {
			t.Errorf("line %d of CSV ends with %q, want %q", i, got, want)
		}
	}
}
