package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/bench"
	"gopregel/cmd/pregel/job"
	"gopregel/cmd/pregel/peer"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs"
	"gopregel/programs/pagerank"
	"gopregel/runtime/cpu"
)

// A gapbsCall is one call of bench gapbs.
type gapbsCall struct {
	app       *app
	suite     peer.Suite
	programs  []string
	rounds    int
	deltas    []int
	precision string
	json      bool
}

func (a *app) gapbsCommand() *cobra.Command {
	d := &gapbsCall{app: a}
	c := &cobra.Command{
		Use:   "gapbs GRAPH.sg…",
		Short: "Times programs in turn with those of the GAP Benchmark Suite",
		Long: `Times bfs, pagerank, sssp and wcc in turn with what the GAP Benchmark Suite has for
them, on the same files with the same number of threads: its bfs, the faster of its
pr and pr_spmv, its sssp with the best of --deltas, its cc. The suite is not part
of this: build it with its own make, and name its folder by --dir. Graphs are in
its serialised form, which its converter writes; sssp is timed if a file of the same name
with weights, .wsg, lies beside.

Times are medians of --runs runs, both from the sources that the suite draws, by the
clock of each, of the algorithm alone: of theirs what it prints as trial time, of ours
the whole algorithm with the columns of its answer. A round is both, one after the other; the ratio is
ours to theirs in the same round, the median of all rounds. Two things differ: GAPBS has
ranks in float32, ours are float64 unless --precision says otherwise; and ours are the
same whatever the workers do, with the least of several parents. For sssp GAPBS has
distances alone: so has sssp:parents=false, sssp has parents too.

lcc, which takes long, is timed if --programs names it, beside their tc: on undirected
graphs, both list every triangle; theirs counts them, ours adds them up for each vertex.`,
		Example: "  pregel bench gapbs kron20.sg road.sg --dir ../gapbs",
		Args:    arguments(1, math.MaxInt),
		RunE:    func(c *cobra.Command, args []string) error { return d.run(c.Context(), args) },
	}
	f := c.Flags()
	f.StringVar(&d.suite.Dir, "dir", "", "the folder with the suite's programs")
	f.StringSliceVar(&d.programs, "programs", []string{"bfs", "pagerank", "sssp:parents=false", "wcc"}, "the algorithms, by name, with parameters of ours")
	f.IntVar(&d.suite.Trials, "runs", 16, "runs of each in a round")
	f.IntVar(&d.rounds, "rounds", 3, "how often both are timed")
	f.IntSliceVar(&d.deltas, "deltas", []int{16, 32, 64}, "widths of its steps of sssp, of which the best counts")
	f.IntVarP(&d.suite.Threads, "workers", "j", 0, "threads of both; 0: one for each processor")
	f.StringVar(&d.precision, "precision", pagerank.Float64, "of our pagerank's numbers: float64 or float32")
	f.BoolVar(&d.json, "json", false, "print a JSON object")
	return c
}

// check finds what is wrong with the flags, and returns what is timed.
func (d *gapbsCall) check() (list []pair, err error) {
	for _, x := range []struct {
		flag  string
		value int
	}{{"runs", d.suite.Trials}, {"rounds", d.rounds}, {"deltas", slices.Min(append(d.deltas, d.rounds))}} {
		if x.value < 1 {
			return nil, input(fmt.Errorf("--%s: found %d, allowed: a whole number, at least 1", x.flag, x.value))
		}
	}
	if err := oneOf("precision", d.precision, []string{pagerank.Float64, pagerank.Float32}); err != nil {
		return nil, err
	}
	if d.suite.Dir == "" {
		return nil, input(errors.New("--dir is missing: the folder with the suite's programs"))
	}
	for _, text := range d.programs {
		p, err := d.pair(text)
		if err != nil {
			return nil, err
		}
		if err := d.suite.Find(p.theirs); err != nil {
			return nil, input(fmt.Errorf("--dir: %w", err))
		}
		list = append(list, p)
	}
	return list, nil
}

// A pair is a program of ours, perhaps with parameters, and what GAPBS has for it.
type pair struct {
	ours   programs.Entry
	theirs peer.Program
}

func (d *gapbsCall) pair(text string) (p pair, err error) {
	list := peer.Programs(d.deltas)
	var known []string
	for _, q := range list {
		known = append(known, q.Name)
	}
	name, _, _ := strings.Cut(text, ":")
	if err := oneOf("programs", name, known); err != nil {
		return p, err
	}
	p.theirs = list[slices.Index(known, name)]
	p.ours, err = d.app.variant(text)
	return p, err
}

func (d *gapbsCall) run(ctx context.Context, files []string) error {
	list, err := d.check()
	if err != nil {
		return err
	}
	e := cpu.New(cpu.Options{Workers: d.suite.Threads})
	d.suite.Threads = e.Workers
	rows := []peer.Row{}
	for _, file := range files {
		of, err := d.compare(ctx, e, file, list)
		if rows = append(rows, of...); err != nil {
			return errors.Join(err, d.print(rows)) // what has been timed is not lost
		}
	}
	return d.print(rows)
}

func (d *gapbsCall) print(rows []peer.Row) error {
	switch {
	case d.json:
		return writeJSON(d.app.out, rows)
	case len(rows) == 0:
		return nil
	}
	return peer.Print(d.app.out, rows)
}

// compare times the programs on one graph: those that read weights on the file beside,
// if there is one.
func (d *gapbsCall) compare(ctx context.Context, e *cpu.Engine, file string, list []pair) (rows []peer.Row, err error) {
	stem, ok := strings.CutSuffix(file, ".sg")
	if !ok {
		return nil, input(fmt.Errorf("%s: found the ending %q, want .sg", file, filepath.Ext(file)))
	}
	for _, weighted := range []bool{false, true} {
		if weighted {
			file = stem + ".wsg"
			if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
				break
			}
		}
		of := slices.DeleteFunc(slices.Clone(list), func(p pair) bool { return p.theirs.Weighted != weighted })
		if len(of) == 0 {
			continue
		}
		g, err := d.read(ctx, file)
		if err != nil {
			return rows, err
		}
		for _, p := range of {
			if p.theirs.Undirected && g.Directed() {
				return rows, input(fmt.Errorf("%s: %s: found a directed graph, want an undirected one, which alone GAPBS has a program for", file, p.ours.Name))
			}
			row, err := d.suite.Compare(ctx, p.theirs, file, d.rounds, func() (float64, string, error) { return d.ours(ctx, e, g, p.ours) })
			if err != nil {
				return rows, err
			}
			row.Graph, row.Program = filepath.Base(stem), p.ours.Name
			rows = append(rows, row)
		}
	}
	return rows, nil
}

func (d *gapbsCall) read(ctx context.Context, file string) (*graph.Graph, error) {
	bars := newProgress(d.app.err, d.app.terminal)
	defer bars.close()
	return readFile(ctx, file, readOptions(&job.Graph{}, d.suite.Threads), bars)
}

// ours times a program of ours.
func (d *gapbsCall) ours(ctx context.Context, e *cpu.Engine, g *graph.Graph, p programs.Entry) (seconds float64, unit string, err error) {
	o := bench.Options{Runs: d.suite.Trials, Precision: d.precision, Workers: d.suite.Threads}
	for _, v := range peer.Sources(g, o.Runs) {
		o.Sources = append(o.Sources, pregel.ID(g.IDs().Text(v)))
	}
	rows, err := bench.Run(ctx, g, e, []programs.Entry{p}, o)
	if err != nil {
		return 0, "", err
	}
	return rows[0].Median, rows[0].Unit, nil
}
