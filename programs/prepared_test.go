package programs_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs"
	"gopregel/programs/bfs"
	"gopregel/programs/sssp"
	"gopregel/runtime/cpu"
)

// Every program that may be run on a prepared graph gives the answer that it
// gives on the graph as it is, certified on that.
func TestPrepared(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	free := map[string]bool{"source": true, "target": true} // of edges of equal weights
	for i, c := range pregeltest.Graphs(seed) {
		if race.On && i%4 != int(seed%4) {
			continue
		}
		for _, order := range pregel.Orders {
			p, err := pregel.Prepare(t.Context(), c.Graph, order, 2)
			if err != nil {
				t.Fatal(err)
			}
			for _, entry := range programs.All() {
				a := entry.New()
				if !pregel.Renumberable(a) {
					continue
				}
				if c.Graph.N() > 0 {
					id := pregel.ID(c.Graph.IDs().Text(uint32(c.Graph.N() / 2)))
					switch a := a.(type) {
					case *bfs.BFS:
						a.Source = id
					case *sssp.SSSP:
						a.Source = id
					}
				}
				e := cpu.New(cpu.Options{Workers: 2})
				want, wantErr := a.Run(t.Context(), &pregel.Job{Graph: c.Graph, Engine: e, MaxSupersteps: 1000})
				got, err := p.Run(t.Context(), a, &pregel.Job{Engine: e, MaxSupersteps: 1000})
				if (err == nil) != (wantErr == nil) {
					t.Fatalf("%s, %s: error %v, want %v", c.Name, entry.Name, err, wantErr)
				}
				if err != nil || want.Stop.Reason == pregel.MaxSupersteps {
					continue
				}
				if err := a.(pregel.Certifier).Certify(t.Context(), c.Graph, &got.Table); err != nil {
					t.Fatalf("%s, %s, %s: %v", c.Name, entry.Name, order, err)
				}
				for i, x := range want.Table.Columns {
					y := got.Table.Columns[i]
					same := slices.Equal(x.Counts, y.Counts) && (slices.Equal(x.Vertices, y.Vertices) || free[x.Name]) && (slices.Equal(x.Ints, y.Ints) || x.Name == "weight")
					for v := range x.Floats {
						same = same && (x.Floats[v] == y.Floats[v] || math.Abs(x.Floats[v]-y.Floats[v]) < 1e-8 || x.Name == "weight")
					}
					if !same || x.Len() != y.Len() {
						t.Fatalf("%s, %s, %s: column %s is %v, want %v", c.Name, entry.Name, order, x.Name, y, x)
					}
				}
			}
		}
	}
}

// An answer that hangs on the order of ids is refused.
func TestPreparedRefuses(t *testing.T) {
	g := pregeltest.Graphs(1)[3].Graph
	p, err := pregel.Prepare(t.Context(), g, "degree", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range programs.All() {
		if entry.Name != "cdlp" {
			continue
		}
		if _, err := p.Run(t.Context(), entry.New(), &pregel.Job{Engine: cpu.New(cpu.Options{})}); err == nil {
			t.Error("cdlp ran on a renumbered graph")
		}
	}
	if _, err := pregel.Prepare(t.Context(), g, "colour", 1); err == nil || err.Error() != `order: found "colour", want one of ["degree" "locality" "tiles"]` {
		t.Error(err)
	}
}
