package job

import (
	"fmt"

	"gopregel/pregel"
)

// Trace says what record of the run is kept.
type Trace struct {
	Path     string `param:"path" doc:"the file for the record of the run, JSON Lines, also .gz or .zst; relative to the job file. It is written however the run ends"`
	Values   string `param:"values" doc:"the values of vertices that it has: of all, after each superstep; of those that changed; none. With values supersteps are those of bsp, and slower" enum:"none,all,changed"`
	Sample   int    `param:"sample" doc:"values of so many vertices at most; 0: of all" min:"0"`
	Messages string `param:"messages" doc:"who sent what to whom; auto: where values are traced, of graphs of 10000 vertices and 100000 arcs at most, up to 100000 messages" enum:"auto,none"`
}

func newTrace() Trace { return Trace{Values: "none", Messages: "auto"} }

// TracePath returns the path of the trace, "" when there is none.
func (j *Job) TracePath() string { return j.resolve("trace.path", j.Trace.Path) }

// checkTrace finds keys that need others, and makes the schedule one that has
// values to show.
func (j *Job) checkTrace(d *document) {
	fail := func(key, format string, args ...any) {
		d.errs = append(d.errs, &Error{d.at[key], key, fmt.Sprintf(format, args...)})
	}
	t := j.Trace
	switch {
	case t.Path == "" && t.Values != "none":
		fail("trace.values", "found %s, but there is no trace.path; allowed: none, or a path beside it", t.Values)
	case t.Values == "none" && t.Sample > 0:
		fail("trace.sample", "found %d, but trace.values is none; allowed: 0, or values all or changed beside it", t.Sample)
	case t.Values == "none":
	case j.Engine.Schedule == pregel.Relaxed.String():
		fail("trace.values", "found %s, allowed: none, as engine.schedule is relaxed, and values in place belong to no superstep", t.Values)
	case j.Engine.Device == "cuda" && j.Algorithm != nil && NoDevice(pregel.BSP.String(), j.Program, j.Algorithm) != "":
		fail("trace.values", "found %s, allowed: none, or engine.device cpu or auto, as %s, and values in place belong to no superstep",
			t.Values, NoDevice(pregel.BSP.String(), j.Program, j.Algorithm))
	default:
		j.Engine.Schedule = pregel.BSP.String()
	}
}
