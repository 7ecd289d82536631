package job

import "time"

// Limits end a run that takes too much. Supersteps have a limit among the parameters, too,
// as programs have a default for it (max_supersteps): the lesser counts.
type Limits struct {
	Memory     string `param:"memory" doc:"what the process may hold, such as 2GiB, without mapped files: a run that would need more is refused before anything is loaded, one that takes more fails at the next barrier, or at the vertex that sends too much. The memory of a GPU has no limit but its own" form:"size"`
	Time       string `param:"time" doc:"how long the program may compute, such as 30s, loading not counted: then the run ends at the next barrier, and the answer reached so far is written. A superstep that goes on for as long again, and for 10s at the least, ends the process" form:"duration"`
	Supersteps int    `param:"supersteps" doc:"after how many supersteps the run is stopped, whatever it has reached; the lesser of this and params.max_supersteps counts; 0: no limit here" min:"0" max:"1e9"`
	NaN        string `param:"nan" doc:"what becomes of a run in which a value is not a number; stop: it fails at the barrier where that first stands, which every superstep then looks for" enum:"allow,stop"`
}

// Bytes returns the limit of memory, 0 for none.
func (l *Limits) Bytes() uint64 { return bytesOf(l.Memory) }

// lower makes the limit of supersteps that of the job, unless its own is lower.
func (l *Limits) lower(most *int) {
	if l.Supersteps > 0 && (*most == 0 || l.Supersteps < *most) {
		*most = l.Supersteps
	}
}

// Duration returns the limit of time, 0 for none.
func (l *Limits) Duration() time.Duration { return durationOf(l.Time) }

// Stopper is the key that has the limit of supersteps which counts.
func (j *Job) Stopper() string {
	if j.Limits.Supersteps > 0 && j.Limits.Supersteps == j.MaxSupersteps {
		return "limits.supersteps"
	}
	return LimitName
}
