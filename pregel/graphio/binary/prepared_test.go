package binary_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphio/binary"
	"gopregel/pregel/graphio/internal/samples"
)

func prepare(t *testing.T, g *graph.Graph) binary.Prepared {
	t.Helper()
	h, err := g.Renumbered(t.Context(), g.ByDegree(1), 1)
	if err != nil {
		t.Fatal(err)
	}
	return binary.Prepared{User: g, Graph: h, Key: "the key\nof it\n"}
}

func anyKey(string) error { return nil }

// What is written comes back, both graphs to the bit and without work left to
// do; and the file is one of the graph to whoever knows nothing of prepared ones.
func TestPreparedRoundTrip(t *testing.T) {
	t.Parallel()
	r := random(t)
	path := filepath.Join(samples.Folder(t), "g.pgr")
	for i, k := range samples.Kinds() {
		size := sizes[i%len(sizes)]
		want := prepare(t, samples.Random(r, k, size[0], size[1]))
		if err := binary.WritePrepared(t.Context(), path, want, binary.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		got, err := binary.ReadPrepared(t.Context(), path, anyKey, 2)
		if err != nil {
			t.Fatalf("%v, n %d: %v", k, size[0], err)
		}
		if !got.Graph.HasIn() || !got.User.HasIn() || !got.Graph.Reordered() {
			t.Fatalf("%v: in-arcs are left to be made, or the graph is no renumbered one", k)
		}
		for name, err := range map[string]error{
			"graph":                  samples.Same(got.User, want.User),
			"graph, in-arcs":         samples.Same(got.User.Reverse(), want.User.Reverse()),
			"prepared graph":         samples.Same(got.Graph, want.Graph),
			"prepared graph, inward": samples.Same(got.Graph.Reverse(), want.Graph.Reverse()),
		} {
			if err != nil {
				t.Fatalf("%v, n %d: %s: %v", k, size[0], name, err)
			}
		}
		switch {
		case got.Key != want.Key:
			t.Fatalf("key %q, want %q", got.Key, want.Key)
		case !slices.Equal(got.Graph.IDs().Order(), want.Graph.IDs().Order()):
			t.Fatalf("%v: another order", k)
		}
		if err := got.User.Close(); err != nil {
			t.Fatal(err)
		}
		checkRead(t, path, binary.VerifyAlways, want.User, "as a plain file: "+k.String())
	}
}

// Each flipped byte and each cut is found, and so is a plain file.
func TestPreparedDamage(t *testing.T) {
	t.Parallel()
	r := random(t)
	path := filepath.Join(samples.Folder(t), "g.pgr")
	p := prepare(t, samples.Random(r, samples.Kind{Directed: true, Weights: graph.Int32, IDs: "names", Loops: true}, 5, 9))
	if err := binary.WritePrepared(t.Context(), path, p, binary.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refuse := func(b []byte, what string, at int) {
		t.Helper()
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := binary.ReadPrepared(t.Context(), path, anyKey, 1); err == nil || !strings.Contains(err.Error(), path) {
			t.Fatalf("%s %d of %d: error %v, want one that names the file", what, at, len(good), err)
		}
	}
	for i := range good {
		b := slices.Clone(good)
		b[i] ^= byte(1 + r.IntN(255))
		refuse(b, "flipped byte", i)
	}
	for i := range good {
		refuse(good[:i], "cut at", i)
	}
	refuse(append(slices.Clone(good), 0), "a byte appended at", len(good))
	var plain bytes.Buffer
	if err := binary.Encode(t.Context(), &plain, p.User, binary.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	refuse(plain.Bytes(), "plain file", 0)
}

func TestPreparedKeyRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "g.pgr")
	p := prepare(t, samples.Random(random(t), samples.Kind{IDs: "zero"}, 5, 9))
	if err := binary.WritePrepared(t.Context(), path, p, binary.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	other := errors.New("other")
	if _, err := binary.ReadPrepared(t.Context(), path, func(key string) error {
		if key != p.Key {
			t.Errorf("key %q, want %q", key, p.Key)
		}
		return other
	}, 1); !errors.Is(err, other) {
		t.Errorf("error %v, want the one of the key", err)
	}
	p.Graph = p.User
	if err := binary.WritePrepared(t.Context(), path, p, binary.WriteOptions{}); err == nil {
		t.Error("a graph that is not renumbered is written as prepared")
	}
}
