package bench_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"gopregel/cmd/pregel/bench"
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
	rows, err := bench.Run(t.Context(), g, cpu.New(cpu.Options{}), programs.All(), bench.Options{Runs: 3, Verify: true})
	if err != nil || len(rows) != len(programs.All()) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, r := range rows {
		if !(0 < r.Min && r.Min <= r.Median && r.Median <= r.Max && r.TEPS > 0) || r.Supersteps == 0 || !r.Certified {
			t.Errorf("%+v", r)
		}
	}
	var table, lines bytes.Buffer
	if err := bench.Print(&table, rows); err != nil || strings.Count(table.String(), "\n") != len(rows)+1 {
		t.Errorf("table %v\n%s", err, table.String())
	}
	if err := bench.PrintGo(&lines, "g", rows); err != nil || !strings.Contains(lines.String(), "Benchmark/bfs/g 3 ") {
		t.Errorf("benchstat form %v\n%s", err, lines.String())
	}
}

func TestOnlyThoseAsked(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "karate"}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := bench.Run(t.Context(), g, cpu.New(cpu.Options{}), programs.All(), bench.Options{Programs: []string{"pagerank"}, Runs: 1})
	if err != nil || fmt.Sprintf("%d %s %s %v", len(rows), rows[0].Program, rows[0].Unit, rows[0].Certified) != "1 pagerank iteration false" {
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
