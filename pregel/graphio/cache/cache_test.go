package cache

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphio"
	"gopregel/pregel/graphio/internal/samples"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func find(t *testing.T, r Request) *Place {
	t.Helper()
	p, err := Find(r)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// made reads the graph and prepares it, as a run without a cache does.
func made(t *testing.T, r Request) (user, prepared *graph.Graph) {
	t.Helper()
	user, err := graphio.Read(t.Context(), r.Path, r.Options)
	if err != nil {
		t.Fatal(err)
	}
	prepared, err = user.Renumbered(t.Context(), map[string]func(int) []uint32{"degree": user.ByDegree, "locality": user.ByLocality, "tiles": user.ByTiles}[r.Order](1), 1)
	if err != nil {
		t.Fatal(err)
	}
	return user, prepared
}

// keep makes the cache of a request.
func keep(t *testing.T, r Request) *Place {
	t.Helper()
	p := find(t, r)
	if err := p.Bind(t.Context()); err != nil {
		t.Fatal(err)
	}
	user, prepared := made(t, r)
	if err := p.Write(t.Context(), user, prepared, nil); err != nil {
		t.Fatal(err)
	}
	return p
}

// hit checks that the cache gives what reading and preparing give.
func hit(t *testing.T, r Request) {
	t.Helper()
	got, err := find(t, r).Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	user, prepared := made(t, r)
	for _, err := range []error{samples.Same(got.User, user), samples.Same(got.Graph, prepared), samples.Same(got.Graph.Reverse(), prepared.Reverse())} {
		if err != nil {
			t.Fatalf("%s: %v", r.Path, err)
		}
	}
	if err := got.User.Close(); err != nil {
		t.Fatal(err)
	}
}

// random writes lines of two ids and a weight.
func random(t *testing.T, lines int) string {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	for range lines {
		fmt.Fprintf(&b, "%d %d %d\n", 10+r.IntN(r.IntN(80)+1), 10+r.IntN(80), 1+r.IntN(9))
	}
	return b.String()
}

func TestHit(t *testing.T) {
	t.Parallel()
	dir, text := samples.Folder(t), random(t, 300)
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("g.txt"), text)
	write(t, at("n.e"), text)
	write(t, at("n.properties"), "graph.n.vertex-file = n.v\ngraph.n.edge-file = n.e\ngraph.n.directed = true\n")
	var ids strings.Builder
	for v := range 95 {
		fmt.Fprintln(&ids, v)
	}
	write(t, at("n.v"), ids.String())
	packed, err := os.Create(at("z.txt.gz"))
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(packed)
	_, err = z.Write([]byte(text))
	if err := errors.Join(err, z.Close(), packed.Close()); err != nil {
		t.Fatal(err)
	}
	for _, r := range []Request{
		{Path: at("g.txt"), Order: "degree"},
		{Path: at("g.txt"), Order: "locality"},
		{Path: at("g.txt"), Order: "tiles"},
		{Path: at("g.txt"), Order: "degree", Options: graphio.Options{Directed: graphio.Undirected, Weights: graphio.WeightsNone, Loops: graph.DropLoops}},
		{Path: at("g.txt"), Order: "degree", Options: graphio.Options{IDs: graphio.IDsString, WeightType: "float32"}},
		{Path: at("z.txt.gz"), Order: "degree", Options: graphio.Options{Weights: graphio.WeightsHash}},
		{Path: at("n.properties"), Order: "degree"},
	} {
		if _, err := find(t, r).Read(t.Context()); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("%s: before it is there: %v", r.Path, err)
		}
		if p := keep(t, r); !p.Exists() || filepath.Dir(p.Path) != filepath.Dir(r.Path) {
			t.Errorf("%s is not beside %s", p.Path, r.Path)
		}
		hit(t, r)
	}
	r := Request{Path: find(t, Request{Path: at("g.txt"), Order: "degree"}).Path, Order: "degree"} // a .pgr file as any other
	keep(t, r)
	hit(t, r)
}

// Every option that shapes a graph gives another file; an option that is new
// must be told apart, too.
func TestEveryOptionCounts(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "g.txt")
	write(t, path, "1 2\n")
	plain := find(t, Request{Path: path, Order: "degree"})
	kind := reflect.TypeFor[graphio.Options]()
	for i := range kind.NumField() {
		var o graphio.Options
		name := kind.Field(i).Name
		switch v := reflect.ValueOf(&o).Elem().Field(i); {
		case name == "Progress":
			continue
		case name == "Workers":
			o.Workers = 3
		case name == "Format":
			o.Format = "csv"
		case name == "WeightType":
			o.WeightType = "int32"
		case v.CanUint():
			v.SetUint(1)
		default:
			t.Fatalf("the field %s is of a kind this test does not know", name)
		}
		p := find(t, Request{Path: path, Order: "degree", Options: o})
		if differs := p.Path != plain.Path && p.head != plain.head; differs != (name != "Workers") {
			t.Errorf("%s: %s and %s", name, p.Path, plain.Path)
		}
	}
	if p := find(t, Request{Path: path, Order: "degree", Options: graphio.Options{Format: "edgelist"}}); p.Path != plain.Path {
		t.Errorf("the format that the name tells, named: %s, want %s", p.Path, plain.Path)
	}
}
