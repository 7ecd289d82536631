package atomicfile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"gopregel/pregel/atomicfile"
)

// BenchmarkCommit writes a small file, such as the trace of a short run, so that it is
// there whole or not at all, also after a loss of power; and as it comes.
func BenchmarkCommit(b *testing.B) {
	text := bytes.Repeat([]byte("a line of a trace\n"), 100)
	path := filepath.Join(b.TempDir(), "t.jsonl")
	b.Run("atomicfile", func(b *testing.B) {
		for b.Loop() {
			f, err := atomicfile.Create(path)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := f.Write(text); err != nil {
				b.Fatal(err)
			}
			if err := f.Commit(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			if err := os.WriteFile(path, text, 0o644); err != nil {
				b.Fatal(err)
			}
		}
	})
}
