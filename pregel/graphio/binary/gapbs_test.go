package binary_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel/graph"
	pgr "gopregel/pregel/graphio/binary"
	"gopregel/pregel/graphio/internal/samples"
	"gopregel/pregel/pregeltest/race"
)

// serialize writes a graph as the suite's own C++ does, field after field:
// a bool, two int64, then offsets and neighbours, twice if directed.
func serialize(g *graph.Graph) []byte {
	var b bytes.Buffer
	put := func(x any) {
		if err := binary.Write(&b, binary.LittleEndian, x); err != nil {
			panic(err)
		}
	}
	put(g.Directed())
	put(int64(g.Arcs()))
	put(int64(g.N()))
	half := func(c graph.CSR) {
		for _, o := range c.Offsets.All() {
			put(int64(o))
		}
		for i, v := range c.Targets {
			put(int32(v))
			if c.Weights.Int != nil {
				put(c.Weights.Int[i])
			}
		}
	}
	half(g.Out())
	if g.Directed() {
		half(g.In())
	}
	return b.Bytes()
}

func gapbsKinds(loops bool) []samples.Kind {
	var list []samples.Kind
	for _, k := range samples.Kinds() {
		if k.IDs == "zero" && k.Weights != graph.Float32 && k.Loops == loops {
			list = append(list, k)
		}
	}
	return list
}

func extension(k samples.Kind) string {
	if k.Weights == graph.Int32 {
		return ".wsg"
	}
	return ".sg"
}

func TestGAPBSRoundTrip(t *testing.T) {
	t.Parallel()
	r := random(t)
	dir := samples.Folder(t)
	for _, k := range race.Some(append(gapbsKinds(false), gapbsKinds(true)...)...) {
		for _, size := range append(sizes, [2]int{3, 20000}, [2]int{5000, 9000}) {
			g := samples.Random(r, k, size[0], size[1])
			path := filepath.Join(dir, "g"+extension(k))
			if g.Weighted() == graph.Unweighted {
				path = filepath.Join(dir, "g.sg") // no arcs: Build knows no weights
			}
			if err := pgr.WriteGAPBS(t.Context(), path, g, nil); err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(b, serialize(g)) {
				t.Fatalf("%v n %d: the file is not as the suite writes it", k, size[0])
			}
			for _, workers := range []int{1, 3} {
				h, err := pgr.ReadGAPBS(t.Context(), path, workers)
				if err != nil {
					t.Fatal(err)
				}
				if err := samples.Same(h, g); err != nil {
					t.Fatalf("%v n %d: %v", k, size[0], err)
				}
			}
		}
	}
}

// TestGAPBSUnsorted: neighbours in any order are put in ours.
func TestGAPBSUnsorted(t *testing.T) {
	t.Parallel()
	r := random(t)
	for _, k := range gapbsKinds(true) {
		g := samples.Random(r, k, 30, 200)
		b := serialize(g)
		width := 4
		if k.Weights == graph.Int32 {
			width = 8
		}
		start := 17 + 8*31
		for u := range uint32(30) {
			lo, hi := g.Out().Offsets.Row(u)
			for i := lo; i+1 < hi; i++ {
				j := i + r.Uint64N(hi-i)
				x, y := b[start+int(i)*width:][:width], b[start+int(j)*width:][:width]
				for z := range x {
					if i != j {
						x[z], y[z] = y[z], x[z]
					}
				}
			}
		}
		h, err := pgr.DecodeGAPBS(b, extension(k))
		if err != nil {
			t.Fatal(err)
		}
		if err := samples.Same(h, g); err != nil {
			t.Fatalf("%v: %v", k, err)
		}
	}
}

// TestGAPBSDamage: the format has no checksum, but every arc stands in it
// twice, so that every flipped byte and every truncation shows (but for
// weights of undirected loops, which the graphs here do not have).
func TestGAPBSDamage(t *testing.T) {
	t.Parallel()
	r := random(t)
	for _, k := range gapbsKinds(false) {
		good := serialize(samples.Random(r, k, 6, 12))
		for i := range good {
			b := slices.Clone(good)
			b[i] ^= byte(1 + r.IntN(255))
			if _, err := pgr.DecodeGAPBS(b, extension(k)); err == nil {
				t.Fatalf("%v: byte %d of %d flipped, accepted", k, i, len(good))
			}
			if _, err := pgr.DecodeGAPBS(good[:i], extension(k)); err == nil {
				t.Fatalf("%v: accepted with %d bytes of %d", k, i, len(good))
			}
		}
		if _, err := pgr.DecodeGAPBS(append(slices.Clone(good), 0), extension(k)); err == nil || !strings.Contains(err.Error(), "too long") {
			t.Errorf("%v: trailing byte: error %v", k, err)
		}
	}
}

func TestGAPBSErrors(t *testing.T) {
	t.Parallel()
	g, err := graph.FromArcs(3, graph.ArcList{List: []graph.Arc{{U: 0, V: 1}, {U: 1, V: 2}}}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	good := serialize(g) // 17 + 2·(4·8 + 2·4)
	set := func(at int, x uint64, width int) []byte {
		b := slices.Clone(good)
		for i := range width {
			b[at+i] = byte(x >> (8 * i))
		}
		return b
	}
	minus := ^uint64(0)
	for _, c := range []struct {
		content []byte
		want    string
	}{
		{nil, "truncated: 0 bytes, the header of a serialised GAPBS graph takes 17"},
		{set(0, 2, 1), "direction 2, want 0 or 1"},
		{set(1, minus, 8), "-1 arcs"},
		{set(9, minus, 8), "-1 vertices, want 0 to 2147483648"},
		{set(9, 1<<31+1, 8), "2147483649 vertices"},
		{good[:50], "truncated: 50 bytes, want 97"},
		{set(17, 1, 8), "out-arcs: offsets go from 1 to 2, want 0 to 2"},
		{set(17+8, minus, 8), "out-arcs: offset 1 is -1, want 0 to 2"},
		{set(17+8, 2, 8), "in-arcs are not the out-arcs turned round"},
		{set(17+16, 0, 8), "out-arcs: offset 2 is 0, want 1 to 2"},
		{set(17+24, 3, 8), "out-arcs: offset 3 is 3, want 2 to 2"},
		{set(17+32, minus, 4), "vertex 0 has target 4294967295, there are 3 vertices"},
		{set(57, 1, 8), "in-arcs: offset 1 is 0, want 1 to 2"},
		{set(57+32, minus, 4), "in-arcs: vertex 1 has source -1, there are 3 vertices"},
		{set(57+32, 2, 4), "in-arcs are not the out-arcs turned round"},
	} {
		if _, err := pgr.DecodeGAPBS(c.content, ".sg"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	if _, err := pgr.DecodeGAPBS(good, ".wsg"); err == nil || !strings.Contains(err.Error(), "want 113 for a weighted") {
		t.Errorf(".sg content under the name .wsg: error %v", err)
	}
	for _, ext := range []string{".sg", ".bin"} {
		if _, err := pgr.DecodeGAPBS(good, ext); err != nil {
			t.Errorf("under the name %s: %v", ext, err)
		}
	}
	path := filepath.Join(t.TempDir(), "none.sg")
	if _, err := pgr.ReadGAPBS(t.Context(), path, 0); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("missing file: error %v", err)
	}
}

// TestGAPBSOneWay: an arc without its return is refused in an undirected file.
func TestGAPBSOneWay(t *testing.T) {
	t.Parallel()
	g, err := graph.FromArcs(3, graph.ArcList{List: []graph.Arc{{U: 0, V: 1}, {U: 1, V: 2}}}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	b := serialize(g)[:57]
	b[0] = 0
	if _, err := pgr.DecodeGAPBS(b, ".sg"); err == nil || !strings.Contains(err.Error(), "no arc of the same weight in return") {
		t.Errorf("error %v", err)
	}
}

func TestGAPBSRefusals(t *testing.T) {
	t.Parallel()
	r := random(t)
	dir := t.TempDir()
	for _, c := range []struct {
		weights graph.WeightKind
		name    string
		want    string
	}{
		{graph.Unweighted, "g.wsg", "weights of kind none is named .sg"},
		{graph.Int32, "g.sg", "weights of kind int32 is named .wsg"},
		{graph.Float32, "g.wsg", "32-bit integer weights, these are float32"},
	} {
		g := samples.Random(r, samples.Kind{Weights: c.weights, IDs: "zero"}, 9, 20)
		path := filepath.Join(dir, c.name)
		if err := pgr.WriteGAPBS(t.Context(), path, g, nil); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%v: error %v", c, err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left behind: %v", entries)
	}
}

func FuzzGAPBS(f *testing.F) {
	r := random(f)
	for _, k := range gapbsKinds(true) {
		f.Add(serialize(samples.Random(r, k, 5, 9)), k.Weights == graph.Int32)
	}
	f.Fuzz(func(t *testing.T, data []byte, weighted bool) {
		ext := map[bool]string{false: ".sg", true: ".wsg"}[weighted]
		if len(data) > 17 && binary.LittleEndian.Uint64(data[9:]) > 1<<20 {
			return // keeps a fuzzer from asking for much memory
		}
		g, err := pgr.DecodeGAPBS(data, ext)
		if err != nil {
			return
		}
		if err := use(g); err != nil {
			t.Fatal(err)
		}
		h, err := pgr.DecodeGAPBS(serialize(g), ext)
		if err == nil {
			err = samples.Same(h, g)
		}
		if err != nil {
			t.Fatal(fmt.Errorf("written and read again: %w", err))
		}
	})
}
