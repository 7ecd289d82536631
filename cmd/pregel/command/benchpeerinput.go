package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphio"
)

// peerInput is a graph as ours and theirs read it.
type peerInput struct {
	call *peerCall
	path string
	stem string // of the path
	from string // the file that was read last: that of the path, or one of weights beside it
	dir  string // of files made for theirs; "" before there are any
}

func (d *peerCall) open(path string) (*peerInput, error) {
	ext := filepath.Ext(path)
	if d.suite.System.Name == "gapbs" && ext != ".sg" {
		return nil, input(fmt.Errorf("%s: found the ending %q, want .sg", path, ext))
	}
	return &peerInput{call: d, path: path, stem: strings.TrimSuffix(path, ext)}, nil
}

// close removes what was made.
func (in *peerInput) close() error {
	if in.dir == "" {
		return nil
	}
	return os.RemoveAll(in.dir)
}

// read returns the graph, if with weights perhaps that of the file beside; nil if there
// are none.
func (in *peerInput) read(ctx context.Context, weighted bool) (*graph.Graph, error) {
	bars := newProgress(in.call.app.err, in.call.app.terminal)
	defer bars.close()
	in.from = in.path
	options := readOptions(&job.Graph{}, in.call.suite.Threads)
	if !weighted || filepath.Ext(in.path) != ".sg" { // which has no weights
		g, err := readFile(ctx, in.path, options, bars)
		if err != nil || !weighted || g.Weighted() != graph.Unweighted {
			return g, err
		}
	}
	beside := in.stem + ".wsg"
	if !exists(beside) {
		return nil, nil
	}
	in.from = beside
	return readFile(ctx, beside, options, bars)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// file returns the name of a file of the graph with the given ending: one that is there,
// or one that is made.
func (in *peerInput) file(ctx context.Context, g *graph.Graph, ending string) (string, error) {
	beside := in.stem + ending
	if beside == in.path || in.call.suite.System.Name == "gapbs" || notOlder(beside, in.from) {
		return beside, nil
	}
	if in.dir == "" {
		dir, err := os.MkdirTemp("", "pregel-bench-")
		if err != nil {
			return "", err
		}
		in.dir = dir
	}
	made := filepath.Join(in.dir, filepath.Base(beside))
	if exists(made) {
		return made, nil
	}
	err := graphio.Write(ctx, made, g, graphio.WriteOptions{AllowLoss: true, Workers: in.call.suite.Threads})
	return made, err
}

// notOlder tells whether a file is there and as new as another.
func notOlder(path, than string) bool {
	a, err := os.Stat(path)
	b, other := os.Stat(than)
	return err == nil && other == nil && !a.ModTime().Before(b.ModTime())
}
