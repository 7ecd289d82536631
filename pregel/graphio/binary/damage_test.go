package binary_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopregel/pregel/graph"
	pgr "gopregel/pregel/graphio/binary"
	"gopregel/pregel/graphio/internal/samples"
)

// encoded returns small files of every kind of content.
func encoded(t testing.TB) map[string][]byte {
	r := random(t)
	files := map[string][]byte{}
	for _, k := range []samples.Kind{
		{IDs: "far", Loops: true},
		{Directed: true, Weights: graph.Int32, IDs: "sparse", Isolated: true},
		{Directed: true, Weights: graph.Float32, IDs: "names", Loops: true},
	} {
		var b bytes.Buffer
		if err := pgr.Encode(context.Background(), &b, samples.Random(r, k, 5, 9), pgr.WriteOptions{WithIn: true}); err != nil {
			t.Fatal(err)
		}
		files[k.String()] = b.Bytes()
	}
	return files
}

// refused checks that both ways to look at all bytes of a file refuse it.
func refused(t *testing.T, path string, b []byte, what string) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := pgr.Read(t.Context(), path, pgr.ReadOptions{Verify: pgr.VerifyAlways, Workers: 1})
	for name, err := range map[string]error{"Verify": pgr.Verify(t.Context(), path, 1), "Read": err} {
		if err == nil {
			t.Fatalf("%s: %s accepts it", what, name)
		}
		if !strings.Contains(err.Error(), path) {
			t.Fatalf("%s: %s: the error does not name the file: %v", what, name, err)
		}
	}
	// Less checking may accept it; it must not panic.
	if g, err := pgr.Read(t.Context(), path, pgr.ReadOptions{Verify: pgr.VerifyNever, Workers: 1}); err == nil {
		g.Close()
	}
	_, _ = pgr.Describe(path)
}

func TestEveryFlippedByteIsFound(t *testing.T) {
	t.Parallel()
	r := random(t)
	path := filepath.Join(samples.Folder(t), "g.pgr")
	for kind, b := range encoded(t) {
		for i := range b {
			flip := byte(1 + r.IntN(255))
			b[i] ^= flip
			if _, err := pgr.OpenBytes(b); err == nil {
				t.Fatalf("%s: byte %d of %d flipped, accepted", kind, i, len(b))
			}
			if i%4 == 0 { // the same by way of a file
				refused(t, path, b, kind)
			}
			b[i] ^= flip
		}
	}
}

func TestEveryTruncationIsFound(t *testing.T) {
	t.Parallel()
	path := filepath.Join(samples.Folder(t), "g.pgr")
	for kind, b := range encoded(t) {
		for n := range b {
			if _, err := pgr.OpenBytes(b[:n]); err == nil {
				t.Fatalf("%s: accepted with %d bytes of %d", kind, n, len(b))
			}
			if n%4 == 0 {
				refused(t, path, b[:n], kind)
			}
		}
		for _, tail := range []string{"\x00", "\n", string(make([]byte, 64))} {
			refused(t, path, append(bytes.Clone(b), tail...), kind)
		}
	}
}

func TestErrorsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "g.pgr")
	good := encoded(t)[samples.Kind{IDs: "far", Loops: true}.String()]
	put := func(at int, x uint32) []byte {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b[at:], x)
		return b
	}
	for _, c := range []struct {
		content []byte
		want    string
	}{
		{nil, `not a gopregel binary graph: starts with "", want "\x89PGR\r\n\x1a\n"`},
		{[]byte("1 2\n3 4\n"), `not a gopregel binary graph: starts with "1 2\n3 4\n", want`},
		{bytes.Replace(good, []byte("\r\n"), []byte("\n"), 1), `not a gopregel binary graph`}, // sent as text
		{good[:50], "truncated: 50 bytes, the header alone takes 128"},
		{good[:len(good)-1], "truncated: "},
		{append(bytes.Clone(good), 0), "something was appended"},
		{put(8, 0x0D0C0B0A), "big-endian byte order, want little-endian"},
		{put(12, 2), "version 2 of the format, this program reads version 1"},
		{put(60, 1), "header damaged: checksum"},
		{put(len(good)-4, 1+binary.LittleEndian.Uint32(good[len(good)-4:])), "the checksums have checksum "},
		{put(384, 1+binary.LittleEndian.Uint32(good[384:])), "damaged between bytes 0 and"},
	} {
		if err := os.WriteFile(path, c.content, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := pgr.Verify(t.Context(), path, 0); err == nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "none.pgr"), t.TempDir()} {
		for _, err := range []error{pgr.Verify(t.Context(), path, 0), func() error { _, err := pgr.Describe(path); return err }()} {
			if err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: error %v", path, err)
			}
		}
	}
}
