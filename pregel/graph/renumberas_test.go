package graph

import (
	"bytes"
	"fmt"
	"hash/crc64"
	"math/rand/v2"
	"reflect"
	"testing"

	"gopregel/pregel/mem"
)

// RenumberedAs gives with the arrays of Renumbered what Renumbered has given.
func TestRenumberedAs(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 50 {
		g := someGraph(t, r)
		want, err := g.Renumbered(t.Context(), g.ByDegree(1), 1)
		if err != nil {
			t.Fatal(err)
		}
		in := want.In()
		pointer := &in
		if !g.Directed() {
			pointer = nil
		}
		got, err := g.RenumberedAs(want.IDs().Order(), want.Out(), pointer)
		if err != nil {
			t.Fatal(err)
		}
		bare := func(c CSR) CSR { return CSR{c.Offsets, c.Targets, c.Weights, nil} } // however it was cut
		if !reflect.DeepEqual(bare(got.Out()), bare(want.Out())) || !reflect.DeepEqual(bare(got.In()), bare(want.In())) || !reflect.DeepEqual(got.IDs(), want.IDs()) {
			t.Fatal("another graph")
		}
		if got.Directed() != want.Directed() || got.HasIn() != want.HasIn() || !got.Reordered() {
			t.Fatal("another kind of graph")
		}
	}
}

func TestRenumberedAsRefuses(t *testing.T) {
	g, err := FromArcs(2, ArcList{List: []Arc{{U: 0, V: 1}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := g.Out()
	none := CSR{Offsets: MakeOffsets(3, 0)}
	for want, try := range map[string]func() (*Graph, error){
		"graph: vertex 1 stands twice in the order":         func() (*Graph, error) { return g.RenumberedAs([]uint32{1, 1}, out, nil) },
		"graph: 0 arcs for a graph of 2":                    func() (*Graph, error) { return g.RenumberedAs([]uint32{1, 0}, none, nil) },
		"graph: in-arcs go with a directed graph, and must": func() (*Graph, error) { return g.RenumberedAs([]uint32{1, 0}, out, &out) },
		"graph: out-arcs: 2 offsets for 2 vertices, want one more than vertices": func() (*Graph, error) {
			return g.RenumberedAs([]uint32{1, 0}, CSR{Offsets: OffsetsOf([]uint64{0, 2}), Targets: out.Targets}, nil)
		},
	} {
		if _, err := try(); err == nil || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Prepared graphs are kept in files. Whoever changes what an order makes of a
// graph must raise OrderVersion, and then these sums.
func TestOrderVersion(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var list ArcList
	for range 3000 {
		list.List = append(list.List, Arc{U: r.Uint32N(r.Uint32N(500) + 1), V: r.Uint32N(500), W: r.Int32N(9)})
	}
	list.Weighted = true
	sums := map[string]uint64{
		"1 degree false": 0xf7a6ec66acad4ade, "1 degree true": 0x23888a06ec958133,
		"1 locality false": 0x55a329e82c1710ec, "1 locality true": 0xc3a19c0fabd5c89d,
		"1 tiles false": 0x88bbf5e1c2766a48, "1 tiles true": 0xc48e2c63987a3999,
	}
	for _, directed := range []bool{false, true} {
		g, err := FromArcs(500, list, Options{Directed: directed})
		if err != nil {
			t.Fatal(err)
		}
		for name, order := range map[string][]uint32{"degree": g.ByDegree(2), "locality": g.ByLocality(2), "tiles": g.ByTiles(2)} {
			h, err := g.Renumbered(t.Context(), order, 2)
			if err != nil {
				t.Fatal(err)
			}
			parts := [][]byte{mem.Bytes(order)}
			for _, c := range []CSR{h.Out(), h.In()} {
				parts = append(parts, mem.Bytes(c.Offsets.All()), mem.Bytes(c.Targets), mem.Bytes(c.Weights.Int))
			}
			what := fmt.Sprint(OrderVersion, " ", name, " ", directed)
			if got := crc64.Checksum(bytes.Join(parts, nil), crc64.MakeTable(crc64.ECMA)); got != sums[what] {
				t.Errorf("order %s has sum %#x, want %#x", what, got, sums[what])
			}
		}
	}
}
