package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gopregel/pregel/graphio"
	"gopregel/pregel/graphio/internal/samples"
)

// What changes between Bind and Write is not kept, and nothing is left behind.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := Request{Path: filepath.Join(dir, "g.txt"), Order: "degree"}
	text := random(t, 50)
	write(t, r.Path, text)
	p := find(t, r)
	user, prepared := made(t, r)
	if err := p.Write(t.Context(), user, prepared, nil); err == nil {
		t.Error("written without Bind")
	}
	if err := p.Bind(t.Context()); err != nil {
		t.Fatal(err)
	}
	sameStat(t, r.Path, text)
	if err := p.Write(t.Context(), user, prepared, nil); err == nil || !strings.Contains(err.Error(), "has changed while it was read") {
		t.Errorf("error %v", err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("left behind: %v %v", list, err)
	}
}

// Where no file can be, there is an error and no file.
func TestNoPlace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if p, err := Find(Request{Path: os.DevNull, Order: "degree", Options: graphio.Options{Format: "edgelist"}}); err == nil {
		t.Errorf("a device has the place %s", p.Path)
	}
	if p, err := Find(Request{Path: filepath.Join(dir, "absent.txt"), Order: "degree"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v, %v", p, err)
	}
	r := Request{Path: filepath.Join(dir, "g.txt"), Order: "degree"}
	write(t, r.Path, "1 2\n")
	if err := os.Mkdir(find(t, r).Path, 0o700); err != nil {
		t.Fatal(err)
	}
	if p, err := Find(r); err == nil {
		t.Errorf("a folder lies at %s", p.Path)
	}
	r.Path = filepath.Join(dir, strings.Repeat("x", 245)+".txt") // the longest name there can be has no room for more
	write(t, r.Path, "1 2\n")
	p := find(t, r)
	if err := p.Bind(t.Context()); err != nil {
		t.Fatal(err)
	}
	user, prepared := made(t, r)
	if err := p.Write(t.Context(), user, prepared, nil); err == nil {
		t.Error("written under a name that is too long")
	}
}

// Links lead to one place, unless their names tell another format.
func TestLinks(t *testing.T) {
	t.Parallel()
	dir, other := t.TempDir(), t.TempDir()
	r := Request{Path: filepath.Join(dir, "g.txt"), Order: "degree"}
	write(t, r.Path, "1 2\n")
	same, csv := filepath.Join(other, "g.txt"), filepath.Join(other, "g.csv")
	for _, link := range []string{same, csv} {
		if err := os.Symlink(r.Path, link); err != nil {
			t.Fatal(err)
		}
	}
	want := find(t, r).Path
	if got := find(t, Request{Path: same, Order: "degree"}).Path; got != want {
		t.Errorf("link of the same name: %s, want %s", got, want)
	}
	if got := find(t, Request{Path: csv, Order: "degree"}).Path; got == want || filepath.Dir(got) != filepath.Dir(want) {
		t.Errorf("link of another format: %s, want another file beside %s", got, want)
	}
}

// Several may write and read at once: who reads finds a whole file or none.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	r := Request{Path: filepath.Join(samples.Folder(t), "g.txt"), Order: "degree"}
	write(t, r.Path, random(t, 300))
	user, prepared := made(t, r)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			p, err := Find(r)
			if err != nil {
				t.Error(err)
				return
			}
			if err := p.Bind(t.Context()); err != nil {
				t.Error(err)
			}
			for range 10 {
				if i%2 == 0 {
					if err := p.Write(t.Context(), user, prepared, nil); err != nil {
						t.Error(err)
					}
					continue
				}
				switch got, err := p.Read(t.Context()); {
				case errors.Is(err, fs.ErrNotExist):
				case err != nil:
					t.Error(err)
				default:
					if err := errors.Join(samples.Same(got.Graph, prepared), got.User.Close()); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	hit(t, r)
}
