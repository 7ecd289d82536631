// Package cache keeps the prepared form of a graph in a file beside that of the
// graph, for later runs.
//
// The file is a .pgr file (binary.WritePrepared) of the graph as it was read,
// with its renumbered form. So whoever has it needs nothing of the graph's own
// file, which may be a text, compressed, or several files.
//
// # What it is bound to
//
// The file has a key: the version of this form, the program that wrote it, the
// order with its version, all that says how the graph is read, and the SHA-256
// of each file that was read. A file with another key is not used. Content is
// looked at, not times and sizes: times are too coarse to tell two writes that
// follow each other, and tools set them back. It costs little beside reading
// the graph, and a copied or touched graph keeps its cache. The content is
// summed before the graph is read and again before the cache is written, so that
// a file which changes meanwhile is not taken for what was read.
//
// How the graph is read is in the name, too, as a sum: jobs that read one file
// in two ways do not drive each other's cache out.
package cache

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphio"
	"gopregel/pregel/graphio/binary"
)

// form is the version of what these files hold; it goes up when a file of the
// former one would be misread.
const form = 1

// A Request says which prepared graph is meant.
type Request struct {
	Path    string // of the graph
	Options graphio.Options
	Order   string
	Program string // who reads and prepares, and in which version
}

// A Place is where a prepared graph is kept or would be.
type Place struct {
	Path    string
	files   []string // of the graph
	head    string   // of the key: what is known without looking into the files
	key     string   // "": not Bound
	workers int
}

// Find tells where the prepared form of a graph is to lie: beside the file that
// the path names, links followed. It opens no file but a header that names
// others. Pipes, devices and whatever else is no plain file have no such place.
func Find(r Request) (*Place, error) {
	files, err := graphio.Files(r.Path, r.Options)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if info, err := os.Stat(file); err != nil {
			return nil, err
		} else if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: not a regular file", file)
		}
	}
	own, err := filepath.EvalSymlinks(r.Path)
	if err != nil {
		return nil, err
	}
	if r.Options.Format == "" { // by the name, and links may have others than the file
		r.Options.Format, _, _ = graphio.FormatOf(r.Path)
	}
	way := reading(r.Options)
	sum := sha256.Sum256([]byte(way))
	p := &Place{
		Path:    fmt.Sprintf("%s.%s.%x.pgr", own, r.Order, sum[:4]),
		files:   files,
		head:    fmt.Sprintf("form %d\nprogram %q\norder %s %d\nreading %s\n", form, r.Program, r.Order, graph.OrderVersion, way),
		workers: r.Options.Workers,
	}
	if info, err := os.Lstat(p.Path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", p.Path)
	}
	return p, nil
}

// reading writes all options that shape a graph.
func reading(o graphio.Options) string {
	return fmt.Sprintf("format=%q directed=%d ids=%d vertices=%d weights=%d type=%q loops=%d duplicates=%d",
		o.Format, o.Directed, o.IDs, o.Vertices, o.Weights, o.WeightType, o.Loops, o.Duplicates)
}

// Exists tells whether something lies at the place.
func (p *Place) Exists() bool {
	_, err := os.Lstat(p.Path)
	return !errors.Is(err, fs.ErrNotExist)
}

// Bind reads the graph's files for their sums. It must be called before the
// graph is read that Write is to get; Read calls it.
func (p *Place) Bind(ctx context.Context) error {
	if p.key != "" {
		return nil
	}
	key, err := p.content(ctx)
	p.key = key
	return err
}

// content returns the key of the files as they are now.
func (p *Place) content(ctx context.Context) (string, error) {
	key := p.head
	for _, file := range p.files {
		sum, size, err := digest(ctx, file, p.workers)
		if err != nil {
			return "", err
		}
		key += fmt.Sprintf("file %q %d %x\n", filepath.Base(file), size, sum)
	}
	return key, nil
}

// Read maps what lies at the place. A file of another key is a StaleError; one
// that is damaged, another error.
func (p *Place) Read(ctx context.Context) (*binary.Prepared, error) {
	if err := p.Bind(ctx); err != nil {
		return nil, err
	}
	return binary.ReadPrepared(ctx, p.Path, p.accept, p.workers)
}

func (p *Place) accept(key string) error {
	if key == p.key {
		return nil
	}
	got, want := strings.Split(key, "\n"), strings.Split(p.key, "\n")
	for i, why := range []string{"its form is another one", "another version of the program wrote it", "it is of another order", "it was read with other options"} {
		if i >= len(got) || got[i] != want[i] {
			return &StaleError{why}
		}
	}
	return &StaleError{"the graph's file has changed since"}
}

// A StaleError says why a whole file is not the one that is wanted.
type StaleError struct{ Why string }

func (e *StaleError) Error() string { return e.Why }

// Write puts the graph and its renumbered form in place of what lies there. It
// refuses if the graph's files are not as they were when Bind was called.
func (p *Place) Write(ctx context.Context, user, prepared *graph.Graph, progress func(done, total int64)) error {
	if p.key == "" {
		return errors.New("cache: Write without Bind")
	}
	now, err := p.content(ctx)
	switch {
	case err != nil:
		return err
	case now != p.key:
		return errors.New("the graph's file has changed while it was read")
	}
	o := binary.WriteOptions{Progress: progress, Workers: p.workers}
	return binary.WritePrepared(ctx, p.Path, binary.Prepared{User: user, Graph: prepared, Key: p.key}, o)
}
