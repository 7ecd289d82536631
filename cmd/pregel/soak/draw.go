package soak

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"gopregel/cmd/pregel/job"
	"gopregel/cmd/pregel/output"
	"gopregel/pregel"
	"gopregel/programs"
)

// Draw makes the trial of a seed: the same one for ever, for one version of this
// package. list is what programs there are to choose from. On a device graphs are larger.
func Draw(seed uint64, list []programs.Entry, device string) (*Trial, error) {
	d := drawer{rand.New(rand.NewPCG(seed, 0x50a4)), &Trial{Seed: seed, Params: map[string]string{}}, most}
	if device != "" {
		d.most = mostOnDevice
	}
	entry := list[d.IntN(len(list))]
	d.t.Program = entry.Name
	d.graph()
	if err := d.params(entry); err != nil {
		return nil, err
	}
	d.engine()
	d.t.Output = d.pick("csv", "tsv", "ndjson", "parquet", "csv.gz", "tsv.zst", "ndjson.gz")
	if device != "" {
		d.onDevice(seed, device)
	}
	return d.t, d.allowed(entry)
}

type drawer struct {
	*rand.Rand
	t    *Trial
	most int // how many vertices a graph has, by the power of two
}

func (d *drawer) pick(words ...string) string { return words[d.IntN(len(words))] }

// A graph has up to 2^(most-1) vertices. On a device those are several tiles.
const (
	most         = 10
	mostOnDevice = 14
)

func (d *drawer) graph() {
	g := &d.t.Graph
	g.Directed = d.IntN(2) == 0
	g.IDs, g.Vertices = d.pick("integer", "integer", "string"), "endpoints"
	g.Loops, g.Duplicates = d.pick("keep", "drop"), d.pick("keep", "keep", "min")
	g.File = d.pick(".txt", ".txt.gz", ".edges.zst", ".csv", ".tsv", ".tsv.gz", ".el", ".wel", ".mtx", ".gr", ".gr.zst", ".graph", ".e", ".sg", ".wsg", ".pgr")
	n := 1 + d.IntN(1<<d.IntN(d.most))
	name := d.names(n)
	if g.IDs == "integer" && d.IntN(3) == 0 {
		g.Vertices, name = "range", func(v int) string { return strconv.Itoa(v) }
	}
	m := d.IntN(1 + n*d.IntN(9))
	weight := d.weights()
	for i := range m {
		u, v := d.arc(n, i)
		g.Lines = append(g.Lines, name(u)+" "+name(v)+weight())
		if d.IntN(10) == 0 {
			g.Lines = append(g.Lines, name(v)+" "+name(u)+weight())
		}
	}
	if len(g.Lines) == 0 {
		g.Lines = []string{name(0) + " " + name(n-1) + weight()}
	}
}

// names draws how vertices are called: in a row, apart, up to 2^64, or by words.
func (d *drawer) names(n int) func(v int) string {
	base, step := d.Uint64N(1000), 1+d.Uint64N(1000)
	if d.IntN(4) == 0 {
		base, step = ^uint64(0)-uint64(n)*(1<<40), 1<<40
	}
	if d.IntN(2) == 0 {
		step = 1
	}
	prefix := ""
	if d.t.Graph.IDs == "string" {
		prefix = d.pick("", "v", "Knoten-", "\u00e9")
	}
	return func(v int) string { return prefix + strconv.FormatUint(base+uint64(v)*step, 10) }
}

// weights draws what stands behind a line's ids: nothing, whole numbers, or
// quarters, whose sums are exact in floats; negative ones only where any weight
// will do.
func (d *drawer) weights() func() string {
	least := 0
	if d.t.Program == "mst" {
		least = -20
	}
	switch d.IntN(3) {
	case 0:
		return func() string { return "" }
	case 1:
		largest := 1 + d.IntN(1<<d.IntN(16))
		return func() string { return fmt.Sprintf(" %d", least+d.IntN(largest)) }
	}
	return func() string { return fmt.Sprintf(" %.2f", float64(least+d.IntN(200))/4) }
}

// arc draws the ends of an arc in one of several shapes, by the trial's seed.
func (d *drawer) arc(n, i int) (u, v int) {
	switch d.t.Seed % 5 {
	case 0: // a path and its shortcuts
		u = i % n
		return u, (u + 1 + d.IntN(2)) % n
	case 1: // a hub
		return d.IntN(2) * d.IntN(n), d.IntN(n)
	case 2: // a grid
		side := 1
		for side*side < n {
			side++
		}
		u = d.IntN(n)
		return u, min(n-1, u+[]int{1, side}[d.IntN(2)])
	case 3: // skewed
		return d.IntN(1 + d.IntN(n)), d.IntN(1 + d.IntN(n))
	}
	return d.IntN(n), d.IntN(n)
}

// params draws the parameters that a program has: those that are named here, of
// the others the default.
func (d *drawer) params(e programs.Entry) error {
	fields, err := job.Parameters(e)
	if err != nil {
		return err
	}
	amounts := map[string][]string{
		"damping": {"0", "0.5", "0.85", "0.95"}, "tolerance": {"1e-6", "1e-9"}, "iterations": {"0", "1", "2", "9"},
		"delta": {"0", "1", "7.5", "1000"}, "parents": {"true", "true", "false"},
	}
	for _, f := range fields {
		switch {
		case f.Type == job.Vertex:
			d.t.Params[f.Name] = firstWord(d.t.Graph.Lines[d.IntN(len(d.t.Graph.Lines))])
		case f.Enum != nil:
			d.t.Params[f.Name] = d.pick(f.Enum...)
		case amounts[f.Name] != nil:
			d.t.Params[f.Name] = d.pick(amounts[f.Name]...)
		}
	}
	return nil
}

func (d *drawer) engine() {
	d.t.Engine = Engine{
		Workers: 1 + d.IntN(5), Direction: d.pick("auto", "auto", "push", "pull"), Determinism: d.pick("default", "strict"),
		Schedule: d.pick("auto", "bsp", "relaxed"), Order: d.pick("none", "none", "degree", "locality", "tiles"),
	}
}

// trialsAtOnce are how many trials in a row have one engine of a device, which takes time and memory to open.
const trialsAtOnce = 16

// onDevice draws the engine of a device.
func (d *drawer) onDevice(seed uint64, device string) {
	e, several := &d.t.Engine, drawer{rand.New(rand.NewPCG(seed/trialsAtOnce, 0xde71ce)), &Trial{}, 0}
	several.engine()
	e.Direction, e.Determinism, e.Schedule = several.t.Engine.Direction, several.t.Engine.Determinism, several.t.Engine.Schedule
	e.Device, e.Wide = device, several.IntN(3) == 0
}

// allowed takes back options that the program does not allow beside others, as a
// job file would refuse them.
func (d *drawer) allowed(e programs.Entry) error {
	a, err := d.t.algorithm(e)
	if err != nil {
		return err
	}
	if d.t.Params["precision"] == "float32" { // finer ones it may never reach
		d.t.Params["tolerance"] = "1e-5"
	}
	o := &d.t.Engine
	if there, ok := a.(pregel.DeviceAlgorithm); !ok || !there.OnDevice() {
		o.Device, o.Wide = "", false
	}
	relaxed, ok := a.(pregel.RelaxedAlgorithm)
	if o.Schedule == "relaxed" && (o.Determinism == "strict" || o.Direction == "pull" || !ok || !relaxed.Relaxes(o.Device != "")) {
		o.Schedule = "auto"
	}
	if !pregel.Renumberable(a) {
		o.Order = "none"
	}
	if _, _, err := output.FormatOf("a." + d.t.Output); err != nil {
		d.t.Output = "csv"
	}
	return nil
}

// algorithm is the program with the trial's parameters.
func (t *Trial) algorithm(e programs.Entry) (pregel.Algorithm, error) {
	a := e.New()
	fields, err := job.Describe(a)
	if err != nil {
		return nil, err
	}
	for name, text := range t.Params {
		i := slices.IndexFunc(fields, func(f job.Field) bool { return f.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("the program %s has no parameter %s", e.Name, name)
		}
		if err := fields[i].Set(text); err != nil {
			return nil, fmt.Errorf("parameter %s: %w", name, err)
		}
	}
	return a, nil
}
