package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/bench"
	"gopregel/cmd/pregel/peer"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs"
	"gopregel/programs/pagerank"
	"gopregel/runtime/cpu"
)

// A peerCall is one call of bench gapbs, gbbs, pbbs or pasgal.
type peerCall struct {
	app       *app
	suite     peer.Suite
	programs  []string
	rounds    int
	certify   int // answers of ours, in each round
	deltas    []int
	prepare   []string // orders of the graph for ours
	precision string
	json      bool
}

// peerCommands are those of the systems that ours is timed beside.
func (a *app) peerCommands() (list []*cobra.Command) {
	for _, s := range peer.Systems([]int{1}) {
		list = append(list, a.peerCommand(s))
	}
	return list
}

func (a *app) peerCommand(s peer.System) *cobra.Command {
	d, words := &peerCall{app: a, suite: peer.Suite{System: s}}, peerWords[s.Name]
	c := &cobra.Command{
		Use:     s.Name + words.use,
		Short:   words.short,
		Long:    words.long + "\n\n" + peerTimes,
		Example: words.example,
		Args:    arguments(1, math.MaxInt),
		RunE:    func(c *cobra.Command, args []string) error { return d.run(c.Context(), args) },
	}
	f := c.Flags()
	f.StringVar(&d.suite.Dir, "dir", "", "the folder with the suite's programs")
	f.StringSliceVar(&d.programs, "programs", nil, "the algorithms, by name, with parameters of ours (default "+strings.Join(s.Default, ",")+")")
	f.IntVar(&d.suite.Trials, "runs", cmp.Or(s.Runs, 16), "runs of each in a round")
	f.IntVar(&d.rounds, "rounds", 3, "how often both are timed")
	f.IntVar(&d.certify, "certify-runs", 1, "certify the answers of so many runs of ours in each round, the last; 0: none")
	f.IntSliceVar(&d.deltas, "deltas", []int{16, 32, 64}, "widths of its steps of sssp, of which the best counts")
	f.StringSliceVar(&d.prepare, "prepare", nil, "time ours on prepared graphs too: "+strings.Join(pregel.Orders, ", "))
	f.IntVarP(&d.suite.Threads, "workers", "j", 0, "threads of both; 0: one for each processor")
	f.StringVar(&d.precision, "precision", pagerank.Float64, "of our pagerank's numbers: float64 or float32")
	f.BoolVar(&d.json, "json", false, "print a JSON object")
	for _, name := range words.without {
		_ = f.MarkHidden(name)
	}
	return c
}

// check finds what is wrong with the flags, and returns what is timed.
func (d *peerCall) check() (list []pair, err error) {
	for _, x := range []struct {
		flag         string
		value, least int
	}{{"runs", d.suite.Trials, 1}, {"rounds", d.rounds, 1}, {"deltas", slices.Min(append(d.deltas, d.rounds)), 1}, {"certify-runs", d.certify, 0}} {
		if x.value < x.least {
			return nil, input(fmt.Errorf("--%s: found %d, allowed: a whole number, at least %d", x.flag, x.value, x.least))
		}
	}
	if n, s := d.suite.Trials, d.suite.System; s.Runs > 0 && n != s.Runs {
		return nil, input(fmt.Errorf("--runs: found %d, allowed: %d, as many as %s does", n, s.Runs, s.Title))
	}
	for _, order := range d.prepare {
		if err := oneOf("prepare", order, pregel.Orders); err != nil {
			return nil, err
		}
	}
	if err := oneOf("precision", d.precision, []string{pagerank.Float64, pagerank.Float32}); err != nil {
		return nil, err
	}
	if d.suite.Dir == "" {
		return nil, input(errors.New("--dir is missing: the folder with the suite's programs"))
	}
	systems := peer.Systems(d.deltas)
	d.suite.System = systems[slices.IndexFunc(systems, func(s peer.System) bool { return s.Name == d.suite.System.Name })]
	asked := d.programs
	if len(asked) == 0 {
		asked = d.suite.System.Default
	}
	for _, text := range asked {
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

// A pair is a program of ours, perhaps with parameters, and what the system has for it.
type pair struct {
	ours   programs.Entry
	theirs peer.Program
}

func (d *peerCall) pair(text string) (p pair, err error) {
	var known []string
	for _, q := range d.suite.System.Programs {
		known = append(known, q.Name)
	}
	name, _, _ := strings.Cut(text, ":")
	if err := oneOf("programs", name, known); err != nil {
		return p, err
	}
	p.theirs = d.suite.System.Programs[slices.Index(known, name)]
	p.ours, err = d.app.variant(text)
	return p, err
}

func (d *peerCall) run(ctx context.Context, files []string) error {
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

func (d *peerCall) print(rows []peer.Row) error {
	switch {
	case d.json:
		return writeJSON(d.app.out, rows)
	case len(rows) == 0:
		return nil
	}
	return peer.Print(d.app.out, rows)
}

// compare times the programs on one graph.
func (d *peerCall) compare(ctx context.Context, e *cpu.Engine, file string, list []pair) (rows []peer.Row, err error) {
	in, err := d.open(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	for _, weighted := range []bool{false, true} { // one graph at a time
		of := slices.DeleteFunc(slices.Clone(list), func(p pair) bool { return p.theirs.Weighted != weighted })
		if len(of) == 0 {
			continue
		}
		g, err := in.read(ctx, weighted)
		if err != nil {
			return rows, err
		}
		if g == nil {
			continue
		}
		for _, p := range of {
			if kind := p.theirs.Graphs; kind != peer.Any && g.Directed() != (kind == peer.Directed) {
				if len(d.programs) == 0 {
					continue
				}
				return rows, input(fmt.Errorf("%s: %s: found a graph that is not %s, which alone %s has a program for", file, p.ours.Name, kind, d.suite.System.Title))
			}
			theirs, err := in.file(ctx, g, p.theirs.Input)
			if err != nil {
				return rows, err
			}
			list, err := d.orders(ctx, e, g, p, file, theirs)
			if rows = append(rows, list...); err != nil {
				return rows, err
			}
		}
	}
	if len(rows) == 0 {
		return nil, input(fmt.Errorf("%s: found nothing to time: the programs want weights, or another direction", file))
	}
	return rows, nil
}

// orders times one program of theirs beside ours on the graph as it is, and in each order asked for.
func (d *peerCall) orders(ctx context.Context, e *cpu.Engine, g *graph.Graph, p pair, file, theirs string) (rows []peer.Row, err error) {
	for _, order := range slices.Concat([]string{""}, d.prepare) {
		if order != "" && !pregel.Renumberable(p.ours.New()) {
			continue
		}
		var made *pregel.Prepared
		if order != "" {
			if made, err = pregel.Prepare(ctx, g, order, d.suite.Threads); err != nil {
				return rows, err
			}
		}
		row, err := d.suite.Compare(ctx, p.theirs, g, theirs, d.rounds, func(starts []uint32) (peer.Timing, error) { return d.ours(ctx, e, g, p.ours, order, made, starts) })
		if err != nil {
			return rows, err
		}
		row.Graph, row.Program = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), p.ours.Name
		rows = append(rows, row)
	}
	return rows, nil
}

// ours times a program of ours, on a prepared graph if there is one.
func (d *peerCall) ours(ctx context.Context, e *cpu.Engine, g *graph.Graph, p programs.Entry, order string, made *pregel.Prepared, starts []uint32) (peer.Timing, error) {
	o := bench.Options{Runs: d.suite.Trials, Certify: d.certify, Precision: d.precision, Workers: d.suite.Threads}
	if made != nil {
		o.Orders, o.OnlyPrepared, o.Prepared = []string{order}, true, made
	}
	for _, v := range starts {
		o.Sources = append(o.Sources, pregel.ID(g.IDs().Text(v)))
	}
	rows, err := bench.Run(ctx, g, e, []programs.Entry{p}, o)
	if err != nil {
		return peer.Timing{}, err
	}
	return peer.Timing{Seconds: rows[0].Median, Unit: rows[0].Unit, Peak: rows[0].Peak, Certified: rows[0].Certified, Prepare: rows[0].Prepare}, nil
}
