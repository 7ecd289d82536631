package binary_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphio/binary"
	"gopregel/pregel/graphio/internal/samples"
	"gopregel/pregel/pregeltest/race"
)

// random returns a source of random numbers whose seed is printed when the
// test fails.
func random(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

var sizes = [][2]int{{0, 0}, {1, 0}, {1, 3}, {2, 1}, {40, 0}, {60, 300}}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	r := random(t)
	path := filepath.Join(samples.Folder(t), "g.pgr")
	for i, k := range samples.Kinds() {
		for _, size := range [][2]int{sizes[(i+r.IntN(2))%len(sizes)], {60, 300}} { // every file is synced to disk
			for _, withIn := range []bool{false, true} {
				g := samples.Random(r, k, size[0], size[1])
				if err := binary.Write(t.Context(), path, g, binary.WriteOptions{WithIn: withIn}); err != nil {
					t.Fatal(err)
				}
				for _, v := range []binary.Verification{binary.VerifyAuto, binary.VerifyAlways, binary.VerifyNever} {
					checkRead(t, path, v, g, fmt.Sprintf("%v, n %d, in %v", k, size[0], withIn))
				}
				checkInfo(t, path, g, withIn && k.Directed)
			}
		}
	}
}

func checkRead(t *testing.T, path string, v binary.Verification, want *graph.Graph, what string) {
	t.Helper()
	g, err := binary.Read(t.Context(), path, binary.ReadOptions{Verify: v})
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if err := samples.Same(g, want); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if g.Weighted() != want.Weighted() { // also when there is no arc
		t.Fatalf("%s: weights %v, want %v", what, g.Weighted(), want.Weighted())
	}
	if err := samples.Same(g.Reverse(), want.Reverse()); err != nil {
		t.Fatalf("%s: in-arcs: %v", what, err)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
}

func checkInfo(t *testing.T, path string, g *graph.Graph, withIn bool) {
	t.Helper()
	got, err := binary.Describe(path)
	if err != nil {
		t.Fatal(err)
	}
	stat, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	want := binary.Info{
		Version: 1, Size: stat.Size(), Directed: g.Directed(), Vertices: uint64(g.N()), Arcs: g.Arcs(), Edges: g.Edges(),
		Loops: g.Loops(), Weights: g.Weighted(), IDs: "range", WithIn: withIn,
	}
	switch {
	case g.IDs().Names() != nil:
		want.IDs = "strings"
	case g.IDs().Numbers() != nil:
		want.IDs = "numbers"
	default:
		want.Base = g.IDs().Base()
	}
	if got != want {
		t.Fatalf("Describe gives %+v, want %+v", got, want)
	}
}

// TestManyBlocks writes a file of several checksum blocks, with strings longer
// than the buffers.
func TestManyBlocks(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b" + strings.Repeat("x", 5<<20), "c"}
	ids, err := graph.NameIDs(names)
	if err != nil {
		t.Fatal(err)
	}
	list := make([]graph.Arc, 1<<19)
	r := random(t)
	for i := range list {
		list[i] = graph.Arc{U: r.Uint32N(3), V: r.Uint32N(3), W: int32(r.Uint32())}
	}
	g, err := graph.Build(t.Context(), ids, graph.ArcList{List: list, Weighted: true}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "g.pgr")
	if err := binary.Write(t.Context(), path, g, binary.WriteOptions{WithIn: true}); err != nil {
		t.Fatal(err)
	}
	checkRead(t, path, binary.VerifyAlways, g, "many blocks")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 8 {
		i := r.IntN(len(b))
		flip := byte(1 + r.IntN(255))
		b[i] ^= flip
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := binary.Verify(t.Context(), path, 0); err == nil {
			t.Fatalf("byte %d of %d flipped, not found", i, len(b))
		}
		b[i] ^= flip
	}
}

func TestWriteFailureLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	g := samples.Random(random(t), samples.Kind{Weights: graph.Int32, IDs: "zero", Directed: true}, 50, 300)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, write := range map[string]func(string) error{
		"g.pgr": func(path string) error { return binary.Write(ctx, path, g, binary.WriteOptions{}) },
		"g.wsg": func(path string) error { return binary.WriteGAPBS(ctx, path, g, nil) },
	} {
		if err := write(filepath.Join(dir, name)); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v, want it cancelled", name, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("left behind: %v %v", entries, err)
	}
}

// failing refuses what comes after n bytes.
type failing struct{ n int }

var errFull = errors.New("full")

func (f *failing) Write(p []byte) (int, error) {
	if len(p) > f.n {
		return f.n, errFull
	}
	f.n -= len(p)
	return len(p), nil
}

func TestEncodeReportsWriteErrors(t *testing.T) {
	t.Parallel()
	r := random(t)
	g := samples.Random(r, samples.Kind{Weights: graph.Int32, IDs: "names", Directed: true}, 20, 60)
	encoders := map[string]func(io.Writer) error{
		"pgr": func(w io.Writer) error {
			return binary.Encode(t.Context(), w, g, binary.WriteOptions{WithIn: true})
		},
		"gapbs": func(w io.Writer) error { return binary.EncodeGAPBS(t.Context(), w, g, nil) },
	}
	for name, encode := range encoders {
		var whole bytes.Buffer
		if err := encode(&whole); err != nil {
			t.Fatal(err)
		}
		for n := range whole.Len() {
			if race.On && n%8 > 0 {
				continue
			}
			if err := encode(&failing{n}); !errors.Is(err, errFull) {
				t.Fatalf("%s: room for %d of %d bytes: error %v", name, n, whole.Len(), err)
			}
		}
	}
}

func TestProgress(t *testing.T) {
	t.Parallel()
	g := samples.Random(random(t), samples.Kind{IDs: "sparse"}, 50, 300)
	var last, whole int64
	o := binary.WriteOptions{Progress: func(done, total int64) {
		if done < last {
			t.Errorf("progress goes back from %d to %d", last, done)
		}
		last, whole = done, total
	}}
	var b bytes.Buffer
	if err := binary.Encode(t.Context(), &b, g, o); err != nil {
		t.Fatal(err)
	}
	if last != int64(b.Len()) || whole != last {
		t.Errorf("progress ended at %d of %d, the file has %d bytes", last, whole, b.Len())
	}
}
