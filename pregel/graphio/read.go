package graphio

import (
	"context"
	"fmt"
	"os"

	"gopregel/pregel/graph"
	"gopregel/pregel/parallel"
)

// Read reads the graph in the file. What the file leaves open, and what is to
// become of loops and duplicates, o says. Errors name the file, and the line
// where there is one (FileError).
func Read(ctx context.Context, path string, o Options) (*graph.Graph, error) {
	return read(ctx, path, o, defaultLimits)
}

// limits are what tests make small.
type limits struct {
	block       int    // bytes of a block of text
	headerSlack uint64 // vertices that a header may announce beyond 16 for each arc
	rangeSlack  uint64 // the same for a range up to the greatest id
}

var defaultLimits = limits{block: defaultBlock, headerSlack: 1 << 26, rangeSlack: 1 << 20}

// A request is one call of Read.
type request struct {
	Options
	limits
	path     string
	progress *progress
	texts    []*text // open
}

func read(ctx context.Context, path string, o Options, l limits) (*graph.Graph, error) {
	f, err := formatFor(path, o)
	if err != nil {
		return nil, err
	}
	r := &request{Options: o, limits: l, path: path, progress: &progress{tell: o.Progress}}
	r.Workers = parallel.Workers(o.Workers)
	defer func() {
		for _, t := range r.texts {
			t.close()
		}
	}()
	g, err := f.read(ctx, r)
	if err != nil {
		return nil, err
	}
	if o.Weights == WeightsHash {
		return g.WithHashWeights()
	}
	return g, nil
}

// formatFor returns the format of the file and checks what can be checked
// before it is opened.
func formatFor(path string, o Options) (f Format, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return f, err
	}
	if info.IsDir() {
		return f, &FileError{Path: path, Problem: "is a directory, not a graph file"}
	}
	if o.WeightType != "" && o.WeightType != "int32" && o.WeightType != "float32" {
		return f, fmt.Errorf("weight type %q, want int32 or float32", o.WeightType)
	}
	if o.Weights == WeightsHash && o.IDs == IDsString {
		return f, fmt.Errorf("%s: splitmix64 weights are made of numeric ids, and the ids are to be strings", path)
	}
	name := o.Format
	if name == "" {
		if name, _, err = FormatOf(path); err != nil {
			return f, err
		}
	}
	if f, err = formatNamed(name); err != nil {
		return f, err
	}
	if !f.CanRead {
		return f, fmt.Errorf("%s: the format %s can only be written", path, name)
	}
	return f, nil
}
