package graph500

import (
	"fmt"
	"io"
	"strings"

	"gopregel/cmd/pregel/bench"
)

// Print writes the lines of Graph500's reference code, in its names and order:
// num_mpi_processes is 1, and what a kernel that was not run would say is left
// out.
func (r *Result) Print(w io.Writer) error {
	p := &printer{w: w}
	p.line("SCALE", "%d", r.Scale)
	p.line("edgefactor", "%d", r.EdgeFactor)
	p.line("NBFS", "%d", r.Roots)
	p.line("graph_generation", "%.6g", r.Generation)
	p.line("num_mpi_processes", "%d", 1)
	p.line("construction_time", "%.6g", r.Construction)
	kernels := r.kernels()
	for _, k := range kernels {
		p.summary(k.prefix, "time", "%.6g", k.Time)
	}
	p.summary("", "nedge", "%.11g", r.Edges)
	for _, k := range kernels {
		p.rates(k.prefix, k.TEPS)
	}
	for _, k := range kernels {
		p.summary(k.prefix, "validate", "%.6g", k.Validate)
	}
	return p.err
}

// PrintMore writes lines that Graph500 does not have: what was run, on what, and
// what it has used. none says why no energy was measured.
func (r *Result) PrintMore(w io.Writer, engine, none string) error {
	p := &printer{w: w}
	p.line("engine", "%s", engine)
	p.line("weights", "%s", r.Weights)
	p.line("prepare", "%s", r.Prepare)
	p.line("validation", "passed by all %d roots", r.Roots)
	for _, k := range r.kernels() {
		if k.Wall != nil {
			p.line(k.prefix+"median_device_time", "%.6g", k.Device.Median)
			p.line(k.prefix+"median_wall_time", "%.6g", k.Wall.Median)
		}
		if u := k.Energy; u != nil {
			p.line(k.prefix+"joules", "%.6g (%d runs in %.3g s, %s)", u.Joules, u.Runs, u.Seconds, u.Meter)
			p.line(k.prefix+"mean_watts", "%.6g", u.Watts)
			p.line(k.prefix+"MTEPS/W", "%.6g", u.MTEPSPerWatt)
		}
	}
	if none != "" {
		p.line("energy", "%s", none)
	}
	return p.err
}

type named struct {
	*Kernel
	prefix string
}

func (r *Result) kernels() (list []named) {
	for _, k := range []named{{r.BFS, "bfs  "}, {r.SSSP, "sssp "}} {
		if k.Kernel != nil {
			list = append(list, k)
		}
	}
	return list
}

// A printer writes lines of a name and a value until writing fails.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(name, format string, args ...any) {
	name += ":"
	if strings.HasSuffix(name, "harmonic_mean_TEPS:") {
		name = fmt.Sprintf("%-29s!", name) // as the reference code marks what counts
	}
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, "%-32s"+format+"\n", append([]any{name}, args...)...)
	}
}

func (p *printer) summary(prefix, what, format string, s bench.Summary) {
	for _, x := range []struct {
		name  string
		value float64
	}{
		{"min", s.Min}, {"firstquartile", s.FirstQuartile}, {"median", s.Median}, {"thirdquartile", s.ThirdQuartile},
		{"max", s.Max}, {"mean", s.Mean}, {"stddev", s.Deviation},
	} {
		p.line(prefix+x.name+"_"+what, format, x.value)
	}
}

func (p *printer) rates(prefix string, r bench.Rates) {
	for _, x := range []struct {
		name  string
		value float64
	}{
		{"min", r.Min}, {"firstquartile", r.FirstQuartile}, {"median", r.Median}, {"thirdquartile", r.ThirdQuartile},
		{"max", r.Max}, {"harmonic_mean", r.HarmonicMean}, {"harmonic_stddev", r.StandardError},
	} {
		p.line(prefix+x.name+"_TEPS", "%.6g", x.value)
	}
}
