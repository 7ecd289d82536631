package soak

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"gopregel/cmd/pregel/output"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphio"
	"gopregel/programs"
	"gopregel/runtime/cpu"
)

// Check runs the trial, with its files in the given folder, which it leaves empty, on an engine of d
// if it is one for a device. An error says what is wrong; that of the context is no failure.
func (t *Trial) Check(ctx context.Context, list []programs.Entry, d Device, dir string) (err error) {
	c := &checker{Trial: t, ctx: ctx, device: d, dir: dir}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
		if c.user != nil {
			err = errors.Join(err, c.user.Close())
		}
		err = errors.Join(err, empty(dir))
	}()
	i := slices.IndexFunc(list, func(e programs.Entry) bool { return e.Name == t.Program })
	if i < 0 {
		return fmt.Errorf("no program is called %q", t.Program)
	}
	c.entry = list[i]
	for _, step := range []func() error{c.read, c.plain, c.run, c.compare, c.keep} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// checker is a trial under way.
type checker struct {
	*Trial
	ctx    context.Context
	device Device
	dir    string
	entry  programs.Entry

	text *graph.Graph // read from the lines
	user *graph.Graph // read from the file that was written of it
	want *pregel.Answer
	got  *pregel.Answer
}

func (c *checker) options() graphio.Options {
	g := &c.Graph
	o := graphio.Options{Workers: c.Engine.Workers, Directed: graphio.Undirected}
	if g.Directed {
		o.Directed = graphio.Directed
	}
	if g.IDs == "string" {
		o.IDs = graphio.IDsString
	}
	if g.Vertices == "range" {
		o.Vertices = graphio.VerticesRange
	}
	if g.Loops == "drop" {
		o.Loops = graph.DropLoops
	}
	if g.Duplicates == "min" {
		o.Duplicates = graph.MinDuplicates
	}
	return o
}

// read reads the lines, holds the graph to them, and takes it through the file.
func (c *checker) read() (err error) {
	path := filepath.Join(c.dir, "lines.txt")
	if err := os.WriteFile(path, []byte(strings.Join(c.Graph.Lines, "\n")+"\n"), 0o644); err != nil {
		return err
	}
	if c.text, err = graphio.Read(c.ctx, path, c.options()); err != nil {
		return fmt.Errorf("reading the lines: %w", err)
	}
	if err := c.sameAsLines(c.text); err != nil {
		return fmt.Errorf("the graph is not that of its lines: %w", err)
	}
	file := filepath.Join(c.dir, "graph"+c.Graph.File)
	if format, _, _ := graphio.FormatOf(file); format == "dimacs" && !c.text.Directed() {
		file = filepath.Join(c.dir, "graph.pgr") // there an edge is two arcs, and stays two
	}
	if err := graphio.Write(c.ctx, file, c.text, graphio.WriteOptions{Workers: c.Engine.Workers}); err != nil {
		file = filepath.Join(c.dir, "graph.pgr") // which holds all that others refuse
		if err := graphio.Write(c.ctx, file, c.text, graphio.WriteOptions{Workers: c.Engine.Workers}); err != nil {
			return fmt.Errorf("writing the graph: %w", err)
		}
	}
	o := c.options()
	o.Loops, o.Duplicates, o.Vertices = graph.KeepLoops, graph.KeepDuplicates, graphio.VerticesByFormat
	switch format, _, _ := graphio.FormatOf(file); format {
	case "edgelist", "csv", "tsv":
		o.Vertices = c.options().Vertices
	case "el":
	default:
		o.Directed = graphio.DirectionFromFile
	}
	if c.user, err = graphio.Read(c.ctx, file, o); err != nil {
		return fmt.Errorf("reading %s: %w", filepath.Base(file), err)
	}
	if err := sameGraph(c.user, c.text); err != nil {
		return fmt.Errorf("what comes back from %s: %w", filepath.Base(file), err)
	}
	return nil
}

// plain runs the program on one worker, superstep by superstep, on the graph as it
// was read from text.
func (c *checker) plain() (err error) {
	if c.want, err = c.execute(c.text, cpu.New(cpu.Options{Workers: 1, Strict: true, Schedule: pregel.BSP})); err != nil {
		return fmt.Errorf("on one worker: %w", err)
	}
	return c.certify(c.text, c.want, "on one worker")
}

// run runs it as the trial says.
func (c *checker) run() (err error) {
	engine, err := c.engine()
	if err != nil {
		return err
	}
	before, counted := runsOf(engine)
	if c.got, err = c.execute(c.user, engine); err != nil {
		return err
	}
	if after, _ := runsOf(engine); counted && after == before {
		return fmt.Errorf("nothing has run on %s", c.Engine.Device)
	}
	return c.certify(c.user, c.got, "")
}

func (c *checker) execute(g *graph.Graph, e pregel.Engine) (*pregel.Answer, error) {
	a, err := c.algorithm(c.entry)
	if err != nil {
		return nil, err
	}
	j := &pregel.Job{Graph: g, Engine: e, MaxSupersteps: 1 << 20}
	if c.Engine.Order == "none" || g != c.user {
		return a.Run(c.ctx, j)
	}
	p, err := pregel.Prepare(c.ctx, g, c.Engine.Order, c.Engine.Workers)
	if err != nil {
		return nil, err
	}
	return p.Run(c.ctx, a, j)
}

func (c *checker) certify(g *graph.Graph, answer *pregel.Answer, where string) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if r := answer.Stop.Reason; r != pregel.Halted && r != pregel.Converged && c.Params["iterations"] == "0" {
		return fmt.Errorf("%s: %v", where, answer.Stop)
	}
	a, err := c.algorithm(c.entry)
	if err != nil {
		return err
	}
	check, ok := a.(pregel.Certifier)
	if !ok {
		return nil
	}
	if err := check.Certify(c.ctx, g, &answer.Table); err != nil {
		return fmt.Errorf("certificate failed %s: %w", where, err)
	}
	return nil
}

// exact are the programs that are known to add up no floats, or in a fixed order.
var exact = []string{"bfs", "cdlp", "lcc", "mst", "scc", "sssp", "wcc"}

// compare holds the two answers together. Float sums in another order differ by
// rounding, and then perhaps in when they have converged. A renumbered graph may
// have another minimum forest, of the same weight, which its certificate says.
func (c *checker) compare() error {
	if c.Program == "mst" && c.Engine.Order != "none" {
		return nil
	}
	share := 0.0
	switch {
	case c.Params["precision"] == "float32":
		share = 1e-2
	case c.Params["tolerance"] == "1e-6":
		share = 1e-4
	case c.Program == "pagerank":
		share = 1e-7
	case !slices.Contains(exact, c.Program):
		share = 1e-6
	}
	if err := SameTable(&c.got.Table, &c.want.Table, c.text.IDs(), share); err != nil {
		return fmt.Errorf("otherwise than on one worker: %w", err)
	}
	return nil
}

// keep writes the answer and certifies what is read back.
func (c *checker) keep() error {
	path := filepath.Join(c.dir, "answer."+c.Output)
	if err := output.Write(c.ctx, path, "", c.user.IDs(), &c.got.Table); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	table, err := output.Read(c.ctx, path, "", c.user.IDs(), &c.got.Table)
	if err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	if err := SameTable(table, &c.got.Table, c.user.IDs(), 0); err != nil {
		return fmt.Errorf("what comes back from answer.%s: %w", c.Output, err)
	}
	return nil
}

// SameTable finds where numbers of two tables differ, floats by more than a share of the larger. What is empty is so in
// both: a file of no arcs says nothing of the kind of weights, nor then of distances.
func SameTable(got, want *pregel.Table, ids graph.IDs, share float64) error {
	if len(got.Columns) != len(want.Columns) || got.Rows() != want.Rows() {
		return fmt.Errorf("%d columns of %d rows, want %d of %d", len(got.Columns), got.Rows(), len(want.Columns), want.Rows())
	}
	for i, c := range want.Columns {
		for row := range c.Len() {
			x, y := cell(got.Columns[i], row), cell(c, row)
			if x == y || !math.IsInf(x-y, 0) && math.Abs(x-y) <= share*max(math.Abs(x), math.Abs(y)) {
				continue
			}
			where := fmt.Sprintf("row %d", row+1)
			if want.PerVertex {
				where = "vertex " + ids.Text(uint32(row))
			}
			return fmt.Errorf("column %s, %s: %v, want %v", c.Name, where, x, y)
		}
	}
	return nil
}

// cell is a number of a column, +Inf if it is empty; those beyond 2^53 do not occur
// here.
func cell(c pregel.Column, i int) float64 {
	switch {
	case c.Empty(i):
		return math.Inf(1)
	case c.Vertices != nil:
		return float64(c.Vertices[i])
	case c.Counts != nil:
		return float64(c.Counts[i])
	case c.Ints != nil:
		return float64(c.Ints[i])
	}
	return c.Floats[i]
}

func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".pregel-") {
			err = errors.Join(err, fmt.Errorf("a temporary file is left: %s", e.Name()))
		}
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}
