package binary_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphio/binary"
)

// use does with an accepted graph what later computations do, and checks
// everything the format promises the slow way.
func use(g *graph.Graph) error {
	if err := g.Check(); err != nil {
		return err
	}
	type arc struct {
		u, v uint32
		w    float64
	}
	count := map[arc]int{}
	list := func(c graph.CSR, f func(u, v uint32, w float64)) {
		for u := range uint32(g.N()) {
			for i, v := range c.Neighbors(u) {
				f(u, v, c.Weights.At(c.Offsets.At(u)+uint64(i)))
			}
		}
	}
	list(g.Out(), func(u, v uint32, w float64) {
		if w == w {
			count[arc{u, v, w}]++
		}
	})
	list(g.In(), func(v, u uint32, w float64) {
		if w == w {
			count[arc{u, v, w}]--
		}
	})
	if !g.Directed() {
		list(g.Out(), func(v, u uint32, w float64) {
			if w == w {
				count[arc{u, v, w}]--
				count[arc{v, u, w}]++
			}
		})
	}
	for a, c := range count {
		if c != 0 {
			return fmt.Errorf("arc %v: out and in differ by %d", a, c)
		}
	}
	for v := range uint32(g.N()) {
		if u, err := g.IDs().Parse(g.IDs().Text(v)); err != nil || u != v {
			return fmt.Errorf("id %q of vertex %d is found at %d: %v", g.IDs().Text(v), v, u, err)
		}
	}
	return nil
}

// TestRightChecksumsWrongContent changes bytes and then makes the checksums
// right: what is not refused must be a graph.
func TestRightChecksumsWrongContent(t *testing.T) {
	t.Parallel()
	r := random(t)
	accepted, refused := 0, 0
	for kind, good := range encoded(t) {
		for i := range good {
			b := slices.Clone(good)
			b[i] ^= 1 << r.IntN(8)
			binary.Seal(b)
			g, err := binary.OpenBytes(b)
			if err != nil {
				refused++
				continue
			}
			accepted++
			if err := use(g); err != nil {
				t.Fatalf("%s: byte %d flipped: %v", kind, i, err)
			}
		}
	}
	// The checksum bytes are repaired by Seal, and another number of a sparse
	// id or letter of a name is as good as the first.
	t.Logf("%d accepted, %d refused", accepted, refused)
	if refused < 2*accepted {
		t.Errorf("%d changed files accepted, %d refused", accepted, refused)
	}
}

func TestContentErrors(t *testing.T) {
	t.Parallel()
	// One undirected edge 0-1 and a loop at 1: offsets 0 1 3, targets 1, 0 1.
	g, err := graph.FromArcs(2, graph.ArcList{List: []graph.Arc{{U: 0, V: 1}, {U: 1, V: 1}}}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := binary.Encode(t.Context(), &file, g, binary.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	good := file.Bytes()
	offsets := 256 // header 128 and three entries of 32, rounded up
	targets := 320
	for _, c := range []struct {
		at   int
		to   byte
		want string
	}{
		{offsets, 1, "offsets go from 1 to 3, want 0 to 3"},
		{offsets + 16, 9, "offsets go from 0 to 9, want 0 to 3"},
		{offsets + 8, 7, "offsets of vertex 0 are 0 to 7 of 3 arcs"},
		{targets, 2, "vertex 0 has target 2, there are 2 vertices"},
		{targets + 8, 0, "0 self-loops, the header says 1"},
		{targets + 4, 1, "2 self-loops, the header says 1"},
		{targets + 12, 1, "byte 332, between sections, is not zero"},
		{24, 3, "section table: section of kind 1: 24 bytes in elements of 8, want 32"},
		{32, 5, "section table: section of kind 2: 12 bytes in elements of 4, want 20"},
		{32, 4, "1 self-loops do not go with 4 arcs"},
		{56, 2, "direction 2, want 0 or 1"},
		{57, 1, "sections of kinds [1 2 16], want [1 2 3 16]"},
		{57, 3, "weights of kind 3"},
		{58, 3, "ids of kind 3"},
		{59, 1, "reserved bytes are not zero"},
		{60, 2, "features 0x2 are unknown to this program: a newer gopregel"},
		{128, 99, "sections of kinds [99 2 16], want [1 2 16]"},
		{128 + 9, 0, "entry 0: starts at 0, want 256"},
	} {
		b := slices.Clone(good)
		b[c.at] = c.to
		binary.Seal(b)
		if _, err := binary.OpenBytes(b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("byte %d set to %d: error %v, want %q", c.at, c.to, err, c.want)
		}
	}
	b := slices.Clone(good)
	b[62] = 1 // a feature that may be ignored
	binary.Seal(b)
	if h, err := binary.OpenBytes(b); err != nil || use(h) != nil {
		t.Errorf("a feature that may be ignored: %v", err)
	}
}

// TestIgnorableSection: a section of a later version, marked as one that may
// be ignored, does not keep the file from being read; unmarked, it does.
func TestIgnorableSection(t *testing.T) {
	t.Parallel()
	g, err := graph.FromArcs(2, graph.ArcList{List: []graph.Arc{{U: 0, V: 1}}}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	for flag, accepted := range map[uint32]bool{1 << 31: true, 0: false} {
		b := binary.WithForeignSection(g, 77|flag, 10)
		h, err := binary.OpenBytes(b)
		if (err == nil) != accepted {
			t.Errorf("kind 77|%#x: error %v", flag, err)
		}
		if err == nil && (h.Arcs() != 1 || use(h) != nil) {
			t.Errorf("the graph beside the foreign section is another")
		}
	}
}

func TestSampledBlocks(t *testing.T) {
	t.Parallel()
	const block = 4 << 20
	for _, blocks := range []uint64{1, 2, 8, 9, 100, 1 << 20} {
		list := binary.Sampled(blocks*block - 5)
		if list[0] != 0 || list[len(list)-1] != blocks-1 || !slices.IsSorted(list) || len(slices.Compact(list)) != int(min(blocks, 8)) {
			t.Errorf("%d blocks: %v", blocks, list)
		}
	}
}

func FuzzOpen(f *testing.F) {
	for _, b := range encoded(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		binary.Seal(data)
		if g, err := binary.OpenBytes(data); err == nil {
			if err := use(g); err != nil {
				t.Fatal(err)
			}
		}
	})
}
