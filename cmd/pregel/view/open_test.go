package view

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopregel/pregel/trace"
)

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	good := string(record(t, weighted(t, 10, 1), "uniform", trace.All, shortest(0)))
	lines := strings.SplitAfter(good, "\n")
	folder := t.TempDir()
	for _, c := range []struct{ name, text, want string }{
		{"empty.jsonl", "", "empty.jsonl:1: "},
		{"list.jsonl", "id,rank\n1,0.5\n", "list.jsonl:1: "},
		{"line.jsonl", lines[0] + lines[1] + "{\"kind\":\"superstep\"}\n" + good, "line.jsonl:3: "},
		{"type.jsonl", strings.Replace(good, `"nanoseconds":`, `"nanoseconds":"x","was":`, 1), "nanoseconds"},
		{"not.jsonl.gz", good, "not.jsonl.gz: "},
	} {
		path := filepath.Join(folder, c.name)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if f, err := Open(path); err == nil {
			f.Close()
			t.Errorf("%s: no error", c.name)
		} else if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, want %q in it", c.name, err, c.want)
		}
	}
	if _, err := Open(filepath.Join(folder, "none.jsonl")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Open(folder); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Error(err)
	}
}

// A trace cut off anywhere after its header is good up to there.
func TestCutTraces(t *testing.T) {
	t.Parallel()
	text := record(t, weighted(t, 10, 1), "uniform", trace.All, shortest(0))
	lines := records(text)
	header := len(lines[0])
	for n := header; n < len(text); n += 397 {
		f := openAll(t, t.TempDir(), text[:n])[0]
		whole := bytes.Count(text[:n], []byte("\n"))
		if f.Cut == nil {
			t.Errorf("cut at %d: not noticed", n)
		}
		got, _ := carried(t, written(t, f))
		if have := len(got[0].Records); have != whole && have != whole+1 { // a line may lack its end alone
			t.Errorf("cut at %d: %d records, want %d", n, have, whole)
		}
		f.Close()
	}
}

func TestCompressedTraces(t *testing.T) {
	t.Parallel()
	text := record(t, weighted(t, 10, 1), "uniform", trace.All, shortest(0))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(text)
	_ = z.Close()
	path := filepath.Join(t.TempDir(), "trace.jsonl.gz")
	for _, n := range []int{packed.Len(), packed.Len() / 2} {
		if err := os.WriteFile(path, packed.Bytes()[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err != nil {
			t.Fatalf("%d of %d bytes: %v", n, packed.Len(), err)
		}
		if cut := f.Cut != nil; cut != (n < packed.Len()) {
			t.Errorf("%d of %d bytes: %v", n, packed.Len(), f.Cut)
		}
		spool := f.file.Name()
		f.Close()
		if _, err := os.Stat(spool); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", spool, err)
		}
	}
}
