package bench_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gopregel/cmd/pregel/bench"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/programs"
	"gopregel/runtime/cpu"
)

func TestEveryProgramIsTimedAndCertified(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "kronecker", Scale: 8, Seed: 2},
		graphgen.Options{Weights: graphgen.HashWeights, Loops: graph.DropLoops, Duplicates: graph.DropDuplicates})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := bench.Run(t.Context(), g, cpu.New(cpu.Options{}), programs.All(), bench.Options{Runs: 3, Certify: 3})
	if err != nil || len(rows) != len(programs.All()) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, r := range rows {
		if !(0 < r.Min && r.Min <= r.FirstQuartile && r.FirstQuartile <= r.Median && r.Median <= r.ThirdQuartile && r.ThirdQuartile <= r.Max && r.TEPS > 0) ||
			r.Supersteps == 0 || r.Certified != 3 || len(r.Times) != 3 || r.Energy != nil || r.Bytes == nil || *r.Bytes < float64(4*g.N()) {
			t.Errorf("%+v", r)
		}
	}
	var table, lines bytes.Buffer
	if err := bench.Print(&table, rows); err != nil || strings.Count(table.String(), "\n") != len(rows)+1 {
		t.Errorf("table %v\n%s", err, table.String())
	}
	if err := bench.PrintGo(&lines, "g", rows); err != nil || strings.Count(lines.String(), "Benchmark/bfs/g 1 ") != 3 {
		t.Errorf("benchstat form %v\n%s", err, lines.String())
	}
}

func TestOnlyThoseAsked(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "karate"}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := bench.Run(t.Context(), g, cpu.New(cpu.Options{}), programs.All(), bench.Options{Programs: []string{"pagerank"}, Runs: 1})
	if err != nil || fmt.Sprintf("%d %s %s %v", len(rows), rows[0].Program, rows[0].Unit, rows[0].Certified) != "1 pagerank iteration 0" {
		t.Fatalf("%+v %v", rows, err)
	}
	empty, err := graph.FromArcs(3, graph.ArcList{}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bench.Run(t.Context(), empty, cpu.New(cpu.Options{}), programs.All(), bench.Options{Runs: 1}); err == nil {
		t.Error("a graph without arcs has no sources, but was timed")
	}
}

// Prepared graphs give rows of their own, for programs that can be renumbered,
// whose answers are certified on the graph as it was.
func TestPreparedGraphsAreTimedToo(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "kronecker", Scale: 8, Seed: 3},
		graphgen.Options{Weights: graphgen.HashWeights, Loops: graph.DropLoops, Duplicates: graph.DropDuplicates})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := bench.Run(t.Context(), g, cpu.New(cpu.Options{}), programs.All(), bench.Options{Runs: 2, Certify: 2, Orders: pregel.Orders})
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, r := range rows {
		count[r.Prepare]++
		if (r.Prepare == "none") != (r.PrepareSeconds == nil) {
			t.Errorf("%s %s is prepared in %v", r.Program, r.Prepare, r.PrepareSeconds)
		}
		if r.Program == "bfs" && (r.Bytes == nil || *r.Bytes < float64(4*g.N())) {
			t.Errorf("%s has moved %v bytes", r.Program, r.Bytes)
		}
		if r.Program == "mst" && r.Ordered != (r.Prepare == "none") { // mst has ordered them by the user's numbers itself, on the host
			t.Errorf("%s %s: ordered %v", r.Program, r.Prepare, r.Ordered)
		}
	}
	if only, err := bench.Run(t.Context(), g, cpu.New(cpu.Options{}), programs.All(),
		bench.Options{Runs: 1, Orders: []string{"degree"}, OnlyPrepared: true}); err != nil || len(only) != count["degree"] || only[0].Prepare != "degree" {
		t.Errorf("prepared alone: %d rows, %v", len(only), err)
	}
	can := 0
	for _, p := range programs.All() {
		if pregel.Renumberable(p.New()) {
			can++
		}
	}
	if can == 0 || count["none"] != len(programs.All()) || count["degree"] != can || count["locality"] != can || count["tiles"] != can {
		t.Errorf("rows by order %v, %d programs can be renumbered", count, can)
	}
}

// A meter that counts one joule at each look gives MTEPS/W of the edges.
func TestEnergyOfPrograms(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "karate"}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := new(looks)
	rows, err := bench.Run(t.Context(), g, cpu.New(cpu.Options{}), programs.All(),
		bench.Options{Programs: []string{"pagerank"}, Runs: 2, Meter: m, MeterName: "looks", EnergyFor: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	// two runs of 20 iterations over 78 edges
	if u := rows[0].Energy; u == nil || u.Joules != 1 || u.Runs != 2 || math.Abs(u.MTEPSPerWatt*1e6-2*20*78) > 1e-6 {
		t.Errorf("%+v", u)
	}
}

type looks int

func (l *looks) Joules() (float64, error) { *l++; return float64(*l), nil }
func (l *looks) Close() error             { return nil }

// Where an engine's forms can be left out, a program is timed without each that it has used and can do
// without, with what that was, and then all may be made again.
func TestFormsAreLeftOutOneByOne(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "karate"}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := &maker{}
	rows, err := bench.Run(t.Context(), g, cpu.New(cpu.Options{}), programs.All(), bench.Options{Programs: []string{"bfs", "wcc"}, Runs: 1, Maker: m})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		text := r.Program
		if r.Without != nil {
			text += fmt.Sprintf(" without %s of %d bytes", r.Without.Name, r.Without.Bytes)
		}
		got = append(got, text)
	}
	const want = "bfs, bfs without columns of 5 bytes, bfs without firsts of 7 bytes, wcc, wcc without columns of 5 bytes, wcc without firsts of 7 bytes"
	if strings.Join(got, ", ") != want {
		t.Errorf("rows %q", got)
	}
	if calls := strings.Join(m.calls, ", "); calls != ", columns, firsts, needed, , , columns, firsts, needed, " {
		t.Errorf("left out %q", calls)
	}
}

// A maker has two forms, but for those that are left out, and one that is needed.
type maker struct {
	out   []string
	calls []string
}

func (m *maker) Forms() []bench.Form {
	list := []bench.Form{{Name: "columns", Bytes: 5}, {Name: "firsts", Bytes: 7}, {Name: "needed", Bytes: 9}}
	return slices.DeleteFunc(list, func(f bench.Form) bool { return f.Name != "needed" && slices.Contains(m.out, f.Name) })
}

func (m *maker) LeaveOut(names ...string) error {
	m.out = names
	m.calls = append(m.calls, strings.Join(names, "+"))
	return nil
}
