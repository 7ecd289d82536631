package view

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"gopregel/pregel/graphgen"
	"gopregel/pregel/trace"
	"gopregel/programs/bfs"
)

// A page knows nothing of lines of many supersteps: it is that of the trace with a
// line for each, served or not, whole or cut off.
func TestFolded(t *testing.T) {
	t.Parallel()
	g := generate(t, graphgen.Spec{Kind: "path", N: 700}, graphgen.Options{})
	folded := run(t, g, &bfs.BFS{Source: "0"}, "bfs", trace.None)
	if !bytes.Contains(folded, []byte(`{"kind":"supersteps"`)) {
		t.Fatal("no line has many supersteps")
	}
	for _, text := range [][]byte{folded, folded[:len(folded)-20], folded[:bytes.LastIndex(folded, []byte(`"nanoseconds":[`))]} {
		var plain bytes.Buffer
		if err := trace.Unfold(&plain, bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		for _, served := range []bool{false, true} {
			got, cut := dataOf(t, text, served)
			want, cut2 := dataOf(t, plain.Bytes(), served)
			if got != want || cut != cut2 || len(got) < 1000 {
				t.Errorf("served %v: %d bytes of a page, want the same %d; cut off %v and %v", served, len(got), len(want), cut, cut2)
			}
		}
	}
}

// dataOf is the data of the page of a trace, and whether that was cut off.
func dataOf(t *testing.T, text []byte, served bool) (string, bool) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.jsonl")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	page, _, err := data([]*File{f}, served)
	if err != nil {
		t.Fatal(err)
	}
	return string(page), f.Cut != nil
}
