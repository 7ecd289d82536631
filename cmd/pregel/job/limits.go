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

// Duration returns the limit of time, 0 for none.
func (l *Limits) Duration() time.Duration { return durationOf(l.Time) }

// Supersteps returns the limit of supersteps that counts, 0 for none.
func (j *Job) Supersteps() int {
	if l := j.Limits.Supersteps; l > 0 && (j.MaxSupersteps == 0 || l < j.MaxSupersteps) {
		return l
	}
	return j.MaxSupersteps
}

// Stopper is the key that has the limit of supersteps which counts.
func (j *Job) Stopper() string {
	if j.Supersteps() != j.MaxSupersteps {
		return "limits.supersteps"
	}
	return LimitName
}
