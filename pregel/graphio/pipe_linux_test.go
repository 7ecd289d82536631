package graphio

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What cannot be read twice, a pipe, is read once.
func TestPipe(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "g.txt")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{strings.Repeat("1 2\n2 3\n", 10000), ""} {
		go func() {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := f.WriteString(text); err != nil {
				t.Error(err)
			}
			f.Close()
		}()
		g := mustReadIn(t, path, Options{Workers: 3}, limits{block: 100})
		if int(g.Arcs()) != len(text)/4 {
			t.Errorf("%d arcs, want %d", g.Arcs(), len(text)/4)
		}
	}
}
