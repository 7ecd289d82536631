package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gopregel/pregel/graphio"
	"gopregel/pregel/graphio/internal/samples"
)

// A file that is whole but of something else is not used, though it lies at the
// place, and the error says what is wrong.
func TestStale(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "g.txt")
	text := random(t, 100)
	write(t, path, text)
	r := Request{Path: path, Order: "degree", Program: "one"}
	place := find(t, r)
	for want, other := range map[string]Request{
		"another version of the program wrote it": {Path: path, Order: "degree", Program: "two"},
		"it is of another order":                  {Path: path, Order: "locality", Program: "one"},
		"it was read with other options":          {Path: path, Order: "degree", Program: "one", Options: graphio.Options{Directed: graphio.Undirected}},
	} {
		stale(t, r, keep(t, other), place, want)
	}
	kept := keep(t, r)
	hit(t, r)
	for want, change := range map[string]func(head string) string{
		"its form is another one": func(h string) string { return strings.Replace(h, "form 1\n", "form 2\n", 1) },
		"it is of another order":  func(h string) string { return strings.Replace(h, "order degree 1\n", "order degree 2\n", 1) },
	} {
		now := find(t, r)
		now.head = change(now.head)
		if now.head == kept.head {
			t.Fatal("nothing is changed")
		}
		var wrong *StaleError
		if _, err := now.Read(t.Context()); !errors.As(err, &wrong) || wrong.Why != want {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	sameStat(t, path, text)
	stale(t, r, kept, place, "the graph's file has changed since")
	if !strings.Contains(kept.key, "g.txt") {
		t.Errorf("key %q", kept.key)
	}
}

// stale puts a kept file at a place where it does not belong.
func stale(t *testing.T, r Request, kept, place *Place, want string) {
	t.Helper()
	if kept.Path != place.Path {
		if err := os.Rename(kept.Path, place.Path); err != nil {
			t.Fatal(err)
		}
	}
	var wrong *StaleError
	if _, err := find(t, r).Read(t.Context()); !errors.As(err, &wrong) || wrong.Why != want {
		t.Errorf("error %v, want %q", err, want)
	}
}

// sameStat changes a digit of the text and leaves size and time as they are.
func sameStat(t *testing.T, path, text string) {
	t.Helper()
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	digit := byte('1' + (text[len(text)-2]-'1'+1)%9)
	write(t, path, text[:len(text)-2]+string(digit)+"\n")
	if err := os.Chtimes(path, time.Time{}, before.ModTime()); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		t.Fatalf("size or time differ: %v", err)
	}
}

// Of several files each counts.
func TestStaleLDBC(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{
		"n.e": "1 2\n2 3\n", "n.v": "1\n2\n3\n9\n",
		"n.properties": "graph.n.vertex-file = n.v\ngraph.n.edge-file = n.e\ngraph.n.directed = true\n",
	}
	changed := map[string]string{"n.e": "1 2\n3 2\n", "n.v": "1\n2\n3\n8\n", "n.properties": strings.Replace(files["n.properties"], "true", "false", 1)}
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	r := Request{Path: filepath.Join(dir, "n.properties"), Order: "degree"}
	keep(t, r)
	for name, text := range changed {
		hit(t, r)
		write(t, filepath.Join(dir, name), text)
		var wrong *StaleError
		if _, err := find(t, r).Read(t.Context()); !errors.As(err, &wrong) {
			t.Errorf("%s has changed: %v", name, err)
		}
		write(t, filepath.Join(dir, name), files[name])
	}
}

func TestDamaged(t *testing.T) {
	t.Parallel()
	dir := samples.Folder(t)
	r := Request{Path: filepath.Join(dir, "g.txt"), Order: "degree"}
	write(t, r.Path, random(t, 200))
	place := keep(t, r)
	good, err := os.ReadFile(place.Path)
	if err != nil {
		t.Fatal(err)
	}
	refuse := func(what string, b []byte) {
		t.Helper()
		write(t, place.Path, string(b))
		var whole *StaleError
		if _, err := find(t, r).Read(t.Context()); err == nil || errors.As(err, &whole) || errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("%s: %v", what, err)
		}
	}
	for i := range 50 {
		refuse(fmt.Sprintf("cut at %d/50", i), good[:len(good)*i/50])
		b := []byte(string(good))
		b[rand.IntN(len(b))] ^= 1 << rand.IntN(8)
		refuse("a bit flipped", b)
	}
	refuse("cut by one", good[:len(good)-1])
	write(t, place.Path, string(good))
	hit(t, r)
}
