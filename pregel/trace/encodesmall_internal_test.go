package trace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// inFloats is a list whose weights are floats.
type inFloats struct{ graph.ArcList }

func (l inFloats) Arcs(ctx context.Context, _ int, yield func(graph.Block) error) error {
	var b graph.Block
	for _, a := range l.List {
		b.U, b.V = append(b.U, a.U), append(b.V, a.V)
		b.Weights.Float = append(b.Weights.Float, float32(a.W)/3)
	}
	return yield(b)
}

// someIDs are n ids of one kind or another.
func someIDs(r *rand.Rand, n int) (graph.IDs, error) {
	switch r.IntN(3) {
	case 0:
		return graph.RangeIDs(r.Uint64()>>1, n), nil
	case 1:
		list := make([]uint64, n)
		for i := range list {
			list[i] = uint64(i)*1000 + r.Uint64N(1000)
		}
		return graph.NumberIDs(list)
	}
	var names []string
	for i := range n {
		names = append(names, []string{"plain", "a \"b\"", "ü\\", "x<y\n", "\xff"}[r.IntN(5)]+fmt.Sprint(i))
	}
	slices.Sort(names)
	return graph.NameIDs(names)
}

func someGraph(t *testing.T, r *rand.Rand) *graph.Graph {
	t.Helper()
	ids, err := someIDs(r, r.IntN(9))
	if err != nil {
		t.Fatal(err)
	}
	list := graph.ArcList{Weighted: r.IntN(2) == 0}
	for range r.IntN(2 * (ids.Len() + 1)) {
		if n := ids.Len(); n > 0 {
			list.List = append(list.List, graph.Arc{U: uint32(r.IntN(n)), V: uint32(r.IntN(n)), W: int32(r.Uint32()) >> r.IntN(32)})
		}
	}
	var from graph.Source = list
	if r.IntN(3) == 0 && len(list.List) > 0 {
		from = inFloats{list}
	}
	g, err := graph.Build(t.Context(), ids, from, graph.Options{Directed: r.IntN(2) == 0})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// someTable has a column of each kind, or fewer.
func someTable(r *rand.Rand, g *graph.Graph) *pregel.Table {
	t := &pregel.Table{PerVertex: r.IntN(2) == 0}
	n := g.N()
	if !t.PerVertex && n > 0 {
		n = r.IntN(n)
	}
	vertices, counts, ints, floats := make([]uint32, n), make([]uint32, n), make([]int64, n), make([]float64, n)
	for i := range n {
		vertices[i] = []uint32{graph.None, uint32(r.IntN(g.N()))}[r.IntN(2)]
		counts[i] = []uint32{pregel.NoCount, r.Uint32N(20_000), math.MaxUint32 - 1}[r.IntN(3)]
		ints[i] = []int64{pregel.NoInt, r.Int64() - 1<<62, -7, 12}[r.IntN(4)]
		floats[i] = []float64{math.Inf(1), math.Inf(-1), math.NaN(), r.NormFloat64() * 1e-12, 3}[r.IntN(5)]
	}
	all := []pregel.Column{{Name: "v", Vertices: vertices}, {Name: "c \"é\"", Counts: counts}, {Name: "i", Ints: ints}, {Name: "f", Floats: floats}}
	t.Columns = all[r.IntN(4) : 3+r.IntN(2)]
	return t
}

// A small graph and the answer on it, written as they are, are what their records are.
func TestSmallText(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	kinds := map[graph.WeightKind]int{}
	for range 1000 {
		g := someGraph(t, r)
		kinds[g.Weighted()]++
		same(t, wholeGraph{g}, graphOf(g))
		table, stop := someTable(r, g), Stop{Reason: "converged \"é\"", Supersteps: r.IntN(9), Nanoseconds: r.Int64()}
		if r.IntN(2) == 0 {
			stop.Metric, stop.Error = &Metric{Name: "change", Value: Float(r.Float64())}, "null}\n"
		}
		stop.Columns = columnsOfTable(table)
		bare := stop
		stop.Answer = rowsOf(table, g.IDs())
		same(t, answered{&bare, table, g.IDs()}, &stop)
	}
	if len(kinds) != 3 {
		t.Errorf("weights were %v, want all kinds", kinds)
	}
}

// A program written by hand is what package json writes.
func TestProgramText(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	text := func() string { return []string{"", "", "rank", "a \"b\" ü\n", "x<y"}[r.IntN(5)] }
	texts := func() []string { return [][]string{nil, {}, {"rank"}, {text(), text()}}[r.IntN(4)] }
	for range 500 {
		p := &Program{text(), r.IntN(9), texts(), texts(), text(), texts(), texts(), text(), text(), text(), r.IntN(2) == 0}
		line, err := encode(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var a, b map[string]any
		if err := errors.Join(json.Unmarshal(line, &a), json.Unmarshal(want, &b)); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if b["kind"] = "program"; !reflect.DeepEqual(a, b) || line[len(line)-1] != '\n' {
			t.Fatalf("%s\nwant\n%s", line, want)
		}
	}
}

// same checks that two records are read as the same one.
func same(t *testing.T, r, want Record) {
	t.Helper()
	var got [2]Record
	for i, rec := range []Record{r, want} {
		line, err := encode(nil, rec)
		if err != nil {
			t.Fatal(err)
		}
		if line[len(line)-1] != '\n' || slices.Index(line, '\n') != len(line)-1 {
			t.Fatalf("%q is no line", line)
		}
		if got[i], err = parse(line[:len(line)-1]); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	if !reflect.DeepEqual(got[0], got[1]) {
		t.Fatalf("%+v is read as\n%+v, want\n%+v", r, got[0], got[1])
	}
}
