package graphio

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.txt": "1 2\n", "n.e": "1 2\n", "n.v": "1\n2\n", "only.e": "1 2\n",
		"n.properties": "graph.n.vertex-file = n.v\ngraph.n.edge-file = n.e\ngraph.n.directed = true\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string][]string{
		"a.txt": {"a.txt"}, "only.e": {"only.e"}, "n.e": {"n.properties", "n.v", "n.e"}, "n.properties": {"n.properties", "n.v", "n.e"},
	} {
		list, err := Files(filepath.Join(dir, name), Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, path := range list {
			got = append(got, filepath.Base(path))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for _, name := range []string{"absent.txt", "a.unknown"} {
		if list, err := Files(filepath.Join(dir, name), Options{}); err == nil {
			t.Errorf("%s: %v, want an error", name, list)
		}
	}
}
