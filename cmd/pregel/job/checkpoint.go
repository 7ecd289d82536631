package job

import (
	"fmt"
	"strconv"
	"time"

	"gopkg.in/yaml.v3"

	"gopregel/pregel"
)

// Checkpoint says where and when the state of the run is kept.
type Checkpoint struct {
	Dir   string `param:"dir" doc:"the folder for the checkpoints of this job alone; relative to the job file. It is made if it is not there" required:"true"`
	Every Every  `param:"every" doc:"how often: a whole number of supersteps, or a duration such as 30s or 5m, looked at when a superstep ends, and within phases that take long"`
	Keep  int    `param:"keep" doc:"how many checkpoints stay, the newest" min:"1" max:"1000"`
}

// Every is a number of supersteps, or a duration.
type Every string

// Supersteps returns the number, 0 for a duration.
func (e Every) Supersteps() int {
	n, err := strconv.Atoi(string(e))
	if err != nil {
		return 0
	}
	return n
}

// Duration returns the duration, 0 for a number of supersteps.
func (e Every) Duration() time.Duration {
	d, err := time.ParseDuration(string(e))
	if err != nil || e.Supersteps() > 0 {
		return 0
	}
	return d
}

// CheckpointDir returns the folder for checkpoints, "" when none are kept.
func (j *Job) CheckpointDir() string { return j.resolve("checkpoint.dir", j.Checkpoint.Dir) }

// durationForm is what time.ParseDuration takes, without a sign.
const durationForm = `^([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$`

// parseInterval reads a value of type Interval.
func parseInterval(n *yaml.Node) (any, bool) {
	if wholeForm.MatchString(n.Value) {
		steps, err := strconv.ParseInt(n.Value, 10, 32)
		return n.Value, err == nil && steps > 0 && !quoted(n)
	}
	d, err := time.ParseDuration(n.Value)
	return n.Value, err == nil && d > 0 && isString(n)
}

// checkCheckpoint finds a program that has none to go on from.
func (j *Job) checkCheckpoint(d *document) {
	if j.Checkpoint.Dir == "" || j.Algorithm == nil {
		return
	}
	if why := j.noCheckpoint(); why != "" {
		d.errs = append(d.errs, &Error{d.at["checkpoint.dir"], "checkpoint.dir", fmt.Sprintf("found %s, allowed: no checkpoints, as %s", j.Checkpoint.Dir, why)})
	}
}

// noCheckpoint says why a run of the job could not go on from a checkpoint, "" if it
// can.
func (j *Job) noCheckpoint() string {
	onCPU, onDevice := pregel.Resumes(j.Algorithm, false), pregel.Resumes(j.Algorithm, true)
	switch {
	case !onCPU && !onDevice:
		return fmt.Sprintf("%s with these params has no state between its phases that a run could go on from", j.Program)
	case j.Engine.Device == "cuda" && !onDevice:
		return j.Program + " has no state on a GPU that a run could go on from; or set engine.device to cpu or auto"
	case j.Engine.Device == "cpu" && !onCPU:
		return j.Program + " has no state on a CPU that a run could go on from"
	}
	return ""
}
