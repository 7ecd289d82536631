package command

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphio"
	"gopregel/pregel/graphio/binary"
)

func (a *app) infoCommand() *cobra.Command {
	from := job.DefaultGraph()
	var asJSON, verify bool
	var workers int
	c := &cobra.Command{
		Use:   "info GRAPH",
		Short: "Describes a graph file",
		Long: `Describes a graph file. The flags say how it is read, as the keys of graph in a
job file do.`,
		Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			bars := newProgress(a.err, a.terminal)
			defer bars.close()
			o := readOptions(&from, workers)
			if verify {
				if err := verifyGraph(c.Context(), args[0], o); err != nil {
					return err
				}
			}
			g, err := readFile(c.Context(), args[0], o, bars)
			if err != nil {
				return err
			}
			info := newGraphInfo(args[0], o.Format, g)
			info.verified = verify
			bars.close()
			if asJSON {
				return writeJSON(a.out, info)
			}
			return info.write(a.out)
		},
	}
	addFields(c, from.Fields())
	c.Flags().BoolVar(&asJSON, "json", false, "describe it as a JSON object")
	c.Flags().BoolVar(&verify, "verify", false, "check every byte of a .pgr file first")
	c.Flags().IntVarP(&workers, "workers", "j", 0, "threads; 0: one for each processor")
	return c
}

func writeJSON(w io.Writer, x any) error {
	text, err := json.MarshalIndent(x, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

func verifyGraph(ctx context.Context, path string, o graphio.Options) error {
	format, _, err := graphio.FormatOf(path)
	if o.Format != "" {
		format, err = o.Format, nil
	}
	if err == nil && format != "pgr" {
		err = fmt.Errorf("%s: only .pgr files have checksums to verify, this one is of the format %s", path, format)
	}
	if err != nil {
		return input(err)
	}
	return input(binary.Verify(ctx, path, o.Workers))
}

// A graphInfo is what info says of a graph.
type graphInfo struct {
	Path        string      `json:"path"`
	Format      string      `json:"format"`
	Compression string      `json:"compression,omitempty"`
	FileBytes   int64       `json:"file_bytes"`
	Vertices    int         `json:"vertices"`
	Edges       uint64      `json:"edges"`
	Arcs        uint64      `json:"arcs"`
	Directed    bool        `json:"directed"`
	Weights     weightsInfo `json:"weights"`
	IDs         idsInfo     `json:"ids"`
	OutDegree   degreeInfo  `json:"out_degree"`
	InDegree    *degreeInfo `json:"in_degree,omitempty"` // of a directed graph
	Isolated    int         `json:"isolated"`            // vertices without arcs
	Loops       uint64      `json:"self_loops"`
	Duplicates  uint64      `json:"duplicates"` // edges beyond the first between the same ends
	Bytes       uint64      `json:"memory_bytes"`

	verified bool
}

type weightsInfo struct {
	Kind string   `json:"kind"`
	Min  *float64 `json:"min,omitempty"`
	Max  *float64 `json:"max,omitempty"`
}

type idsInfo struct {
	Kind  string `json:"kind"` // range, numbers or strings
	First string `json:"first"`
	Last  string `json:"last"`
}

type degreeInfo struct {
	Min       uint64  `json:"min"`
	Mean      float64 `json:"mean"`
	Max       uint64  `json:"max"`
	MaxVertex string  `json:"max_vertex"`
}

func newGraphInfo(path, format string, g *graph.Graph) *graphInfo {
	info := &graphInfo{
		Path: path, Format: format, Vertices: g.N(), Edges: g.Edges(), Arcs: g.Arcs(), Directed: g.Directed(),
		Weights: describeWeights(g.Out().Weights), IDs: describeIDs(g.IDs()), Loops: g.Loops(), Bytes: g.Bytes(),
	}
	if name, compression, err := graphio.FormatOf(path); err == nil {
		info.Compression = compression
		if format == "" {
			info.Format = name
		}
	}
	if file, err := os.Stat(path); err == nil {
		info.FileBytes = file.Size()
	}
	info.count(g)
	return info
}

func (info *graphInfo) write(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	line("file", "%s, %s, %s", info.Path, info.form(), size(uint64(info.FileBytes)))
	direction := "undirected"
	if info.Directed {
		direction = "directed"
	}
	line("graph", "%s, %s, %s", plural(info.Vertices, "vertex"), plural(info.Edges, "edge"), direction)
	line("arcs", "%s", count(info.Arcs))
	line("weights", "%s", info.Weights)
	line("ids", "%s", info.IDs)
	name := "degrees"
	if info.InDegree != nil {
		name = "out-degrees"
	}
	line(name, "%s", info.OutDegree)
	if info.InDegree != nil {
		line("in-degrees", "%s", *info.InDegree)
	}
	line("isolated", "%s", plural(info.Isolated, "vertex"))
	line("self-loops", "%s", count(info.Loops))
	line("duplicates", "%s", plural(info.Duplicates, "edge"))
	line("memory", "%s", size(info.Bytes))
	if info.verified {
		line("verified", "every byte")
	}
	return out.Flush()
}

func (info *graphInfo) form() string {
	if info.Compression != "" {
		return info.Format + " in " + info.Compression
	}
	return info.Format
}

func (w weightsInfo) String() string {
	if w.Min == nil {
		return w.Kind
	}
	return fmt.Sprintf("%s from %g to %g", w.Kind, *w.Min, *w.Max)
}

func (i idsInfo) String() string {
	if i.First == "" && i.Last == "" {
		return i.Kind
	}
	return fmt.Sprintf("%s from %s to %s", i.Kind, i.First, i.Last)
}

func (d degreeInfo) String() string {
	if d.MaxVertex == "" {
		return "none"
	}
	return fmt.Sprintf("%s to %s, mean %.3g; the greatest is that of vertex %s", count(d.Min), count(d.Max), d.Mean, d.MaxVertex)
}
