package job_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// FuzzParse: no text makes the parser panic, and a job that it accepts is
// written in a form that it reads as the same job.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/errors/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(archive.Files[0].Data), "params.steps=3")
	}
	corpus, err := os.ReadFile("testdata/corpus.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(corpus)) {
		f.Add(line, "graph.path=h.txt")
	}
	f.Add(everything, "engine={workers: 2}")
	f.Fuzz(func(t *testing.T, text, set string) {
		if j, err := parse(text, set); err == nil {
			checkEncode(t, j)
		}
		if j, err := parse(text); err == nil {
			checkEncode(t, j)
		}
	})
}

func checkEncode(t *testing.T, j interface{ Encode() ([]byte, error) }) {
	t.Helper()
	first, err := j.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := parse(string(first))
	if err != nil {
		t.Fatalf("%v\n%s", err, first)
	}
	second, err := again.Encode()
	if err != nil || !bytes.Equal(first, second) {
		t.Fatalf("%v\n%s\n%s", err, first, second)
	}
}
