package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// A report is what a run says of itself: as JSON with these keys, which stay as
// they are, or as text.
type report struct {
	Program        string            `json:"program"`
	Graph          graphReport       `json:"graph"`
	Prepare        *prepareReport    `json:"prepare"` // null: the graph is taken as it is
	Engine         engineReport      `json:"engine"`
	Params         map[string]any    `json:"params"`
	Checkpoint     *checkpointReport `json:"checkpoint"` // null: none are kept
	Stop           stopReport        `json:"stop"`
	Times          timesReport       `json:"times_seconds"`
	Device         *gpuReport        `json:"gpu_seconds"`      // null: the CPU
	EdgesPerSecond *float64          `json:"edges_per_second"` // edges of the graph, each counted once, by the time to compute
	ArcsPerSecond  *float64          `json:"arcs_per_second"`  // arcs along which was sent or read, in all supersteps; null: not counted
	PeakBytes      int64             `json:"peak_bytes"`       // of memory
	Summary        facts             `json:"summary"`
	Rows           int               `json:"rows"`
	Top            json.RawMessage   `json:"top"`
	Output         *string           `json:"output"`   // the answer's file
	Trace          *string           `json:"trace"`    // the trace's file
	Verified       *bool             `json:"verified"` // null: not asked for, or not done

	arcs       uint64
	paramsText string
	wanted     bool // an output was asked for
	top        *topTable
}

type graphReport struct {
	Name     string `json:"name"`
	Vertices int    `json:"vertices"`
	Edges    uint64 `json:"edges"`
	Directed bool   `json:"directed"`
	Weights  string `json:"weights"` // none, int32 or float32
}

type engineReport struct {
	Device      string  `json:"device"`
	GPU         *string `json:"gpu"` // its name; null: the CPU
	Workers     int     `json:"workers"`
	Direction   string  `json:"direction"`
	Determinism string  `json:"determinism"`
	Schedule    string  `json:"schedule"`
	Why         *string `json:"why"` // what has decided for the device; null: the job names it
}

// report describes the engine.
func (c *choice) report(j *job.Job) engineReport {
	r := engineReport{Device: c.Name(), Workers: c.Pool().Workers(), Direction: j.Engine.Direction, Determinism: j.Engine.Determinism,
		Schedule: j.Engine.Schedule}
	if c.device != nil {
		name := c.device.Info().Name
		r.GPU = &name
	}
	if c.why != "" {
		r.Why = &c.why
	}
	return r
}

func (e engineReport) String() string {
	text := e.Device + ", " + plural(e.Workers, "worker")
	if e.GPU != nil {
		text = e.Device + ", " + *e.GPU
	}
	if e.Schedule != "auto" {
		text += ", " + e.Schedule
	}
	if e.Why != nil {
		text += " (auto: " + *e.Why + ")"
	}
	return text
}

// gpuReport is in seconds, measured on the device.
type gpuReport struct {
	Upload   float64 `json:"upload"`
	Compute  float64 `json:"compute"`
	Download float64 `json:"download"`
}

// times returns the device's times of the run, nil on the CPU.
func (c *choice) times() *gpuReport {
	if c.device == nil {
		return nil
	}
	t := c.device.Timing()
	return &gpuReport{t.Upload.Seconds(), t.Device.Seconds(), t.Download.Seconds()}
}

type stopReport struct {
	Reason     pregel.Reason `json:"reason"`
	Supersteps int           `json:"supersteps"`
	Metric     *metricReport `json:"metric"`
	text       string
}

type metricReport struct {
	Name      string `json:"name"`
	Value     number `json:"value"`
	Tolerance number `json:"tolerance"`
}

// timesReport is in seconds; null is what was not done.
type timesReport struct {
	Load    *float64 `json:"load"`
	Prepare *float64 `json:"prepare"` // or, where a cache has it, to read that and the graph's file for its sum
	Cache   *float64 `json:"cache"`   // to look for a prepared graph in vain, and to keep the one that was made
	Compute *float64 `json:"compute"`
	Write   *float64 `json:"write"`
	Verify  *float64 `json:"verify"`
}

// A number is null in JSON where it is infinite or none.
type number float64

// MarshalJSON writes the number.
func (x number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(x))
}

// facts are an object whose members keep their order.
type facts []pregel.Fact

// MarshalJSON writes the object.
func (list facts) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		value := f.Value
		if x, ok := value.(float64); ok {
			value = number(x)
		}
		pair, err := json.Marshal(map[string]any{f.Name: value})
		if err != nil {
			return nil, err
		}
		b.Write(pair[1 : len(pair)-1])
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func describeGraph(name string, g *graph.Graph) graphReport {
	return graphReport{Name: name, Vertices: g.N(), Edges: g.Edges(), Directed: g.Directed(), Weights: g.Weighted().String()}
}

func (g graphReport) String() string {
	direction, weights := "undirected", "unweighted"
	if g.Directed {
		direction = "directed"
	}
	if g.Weights != "none" {
		weights = g.Weights + " weights"
	}
	return fmt.Sprintf("%s: %s, %s, %s, %s", g.Name, plural(g.Vertices, "vertex"), plural(g.Edges, "edge"), direction, weights)
}

func (p *report) writeJSON(w io.Writer) error {
	var err error
	if p.Top, err = p.top.json(); err != nil {
		return err
	}
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

func (p *report) writeText(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	line("graph", "%s", p.Graph)
	line("program", "%s", strings.TrimSpace(p.Program+" "+p.paramsText))
	if p.Prepare != nil {
		line("prepared", "%s", p.Prepare)
	}
	line("engine", "%s", p.Engine)
	line("stop", "%s", p.Stop.text)
	if p.Checkpoint != nil {
		line("checkpoints", "%s", p.Checkpoint)
	}
	line("time", "%s", p.Times)
	if t := p.Device; t != nil {
		line("on the GPU", "upload %s, compute %s, download %s", duration(t.Upload), duration(t.Compute), duration(t.Download))
	}
	if p.EdgesPerSecond != nil {
		text := short(*p.EdgesPerSecond) + "edges/s"
		if p.ArcsPerSecond != nil {
			text += "; " + short(*p.ArcsPerSecond) + "arcs/s in supersteps"
		}
		line("speed", "%s", text)
	}
	if p.PeakBytes > 0 {
		line("memory", "%s at its peak", size(uint64(p.PeakBytes)))
	}
	for _, f := range p.Summary {
		line(f.Name, "%s", factText(f.Value))
	}
	switch {
	case p.Output != nil:
		line("output", "%s, %s", *p.Output, plural(p.Rows, "row"))
	case p.wanted:
		line("output", "none is written")
	}
	if p.Trace != nil {
		line("trace", "%s", *p.Trace)
	}
	if p.Verified != nil {
		line("certificate", "%s", map[bool]string{true: "holds", false: "FAILED"}[*p.Verified])
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return p.top.text(w)
}

// String lists the times of what was done.
func (t timesReport) String() string {
	var words []string
	for _, part := range []struct {
		name    string
		seconds *float64
	}{{"load", t.Load}, {"prepare", t.Prepare}, {"cache", t.Cache}, {"compute", t.Compute}, {"write", t.Write}, {"verify", t.Verify}} {
		if part.seconds != nil {
			words = append(words, part.name+" "+duration(*part.seconds))
		}
	}
	return strings.Join(words, ", ")
}
