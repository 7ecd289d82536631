package command

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/checkpoint"
	"gopregel/runtime/cuda"
)

// A checkpointReport says what became of a job's checkpoints.
type checkpointReport struct {
	Dir      string       `json:"dir"`
	Resumed  *pointReport `json:"resumed"` // null: the run began at the start
	Written  int          `json:"written"`
	Newest   *pointReport `json:"newest"` // that is left; null: none
	Problems []string     `json:"problems"`

	asked bool // to resume
}

type pointReport struct {
	File       string `json:"file"`
	Supersteps int    `json:"supersteps"`
	Pieces     int    `json:"pieces"` // done of the phase under way
}

func (p *pointReport) String() string { return after(p.Supersteps, p.Pieces) }

// after says how far a run was.
func after(supersteps, pieces int) string {
	text := plural(supersteps, "superstep")
	if pieces > 0 {
		text += " and " + plural(pieces, "piece") + " of the next"
	}
	return text
}

func reportOf(p *checkpoint.Point) *pointReport {
	if p == nil {
		return nil
	}
	return &pointReport{p.File, p.Supersteps, p.Pieces}
}

func (c *checkpointReport) String() string {
	text := ""
	switch {
	case c.Resumed != nil:
		text = "resumed after " + c.Resumed.String() + ", "
	case c.asked:
		text = "none to resume from, "
	}
	text += fmt.Sprintf("%d written to %s", c.Written, c.Dir)
	if c.Newest != nil {
		text += ", the newest after " + c.Newest.String()
	} else if c.Written > 0 || c.Resumed != nil {
		text += ", taken away at the end"
	}
	for _, p := range c.Problems {
		text += "; " + p
	}
	return text
}

// checkCheckpoints finds before the graph is loaded what forbids the run.
func (r *run) checkCheckpoints() error {
	dir := r.job.CheckpointDir()
	switch {
	case dir == "" && r.resume:
		return input(errors.New("--resume: the job keeps no checkpoints (checkpoint.dir)"))
	case dir == "" || r.resume:
		return nil
	}
	newest, err := checkpoint.Newest(dir)
	if err == nil && newest != nil {
		err = &checkpoint.UnfinishedError{Dir: dir, Newest: *newest}
	}
	return r.checkpointError(err)
}

func (r *run) checkpointError(err error) error {
	if err == nil {
		return nil
	}
	var unfinished *checkpoint.UnfinishedError
	if errors.As(err, &unfinished) {
		err = fmt.Errorf("%w: go on with --resume, or take them away", err)
	}
	return input(r.job.Errorf("checkpoint.dir", "%w", err))
}

// openCheckpoints makes the store of the job's checkpoints, and finds the one to go
// on from. g is the graph that the program runs on.
func (r *run) openCheckpoints(g *graph.Graph) (err error) {
	if r.job.Checkpoint.Dir == "" {
		return nil
	}
	c := r.job.Checkpoint
	r.checkpoints, err = checkpoint.Open(checkpoint.Options{
		Dir: r.job.CheckpointDir(), Supersteps: c.Every.Supersteps(), Interval: c.Every.Duration(), Count: c.Keep,
		Of: factsOf(r.job, g), Engine: r.engine.identity(), Strict: r.job.Engine.Determinism == "strict",
		Warn: func(err error) { r.app.warn("no checkpoint could be written: %v", err) },
	}, r.resume)
	if err != nil {
		return r.checkpointError(err)
	}
	found := r.checkpoints.Report()
	for _, problem := range found.Problems {
		r.app.warn("%v; the one before it, after %s, is used", problem, reportOf(found.Resumed))
	}
	return nil
}

// identity is what sums of floats may hang on: the kind of engine, and which GPU.
func (c *choice) identity() string {
	if c.device == nil {
		return c.Name()
	}
	return c.Name() + ", " + c.device.Info().Name
}

// factsOf is all that the rest of a run depends on. A limit of supersteps is not
// among it, so that a run which was stopped there can go on.
func factsOf(j *job.Job, g *graph.Graph) []checkpoint.Fact {
	list := append(sourceFacts(), checkpoint.Fact{Name: "program", Value: j.Program})
	if k, ok := j.Algorithm.(*cuda.KernelProgram); ok {
		list = append(list, checkpoint.Fact{Name: "program.kernel", Value: fmt.Sprintf("%s, values %s, messages %s, combine %s, edge %s, along %s, silent %v, sha256 %x",
			k.Name, k.Value, k.Message, k.Combine, k.Edge, k.Along, k.Silent, sha256.Sum256([]byte(k.Source)))})
	}
	for _, f := range j.Params() {
		if f.Name != job.LimitName {
			list = append(list, checkpoint.Fact{Name: "params." + f.Name, Value: f.Text()})
		}
	}
	text := fmt.Sprintf("%s with %s, sha256 %x", plural(g.N(), "vertex"), plural(g.Arcs(), "arc"), g.Digest(j.Engine.Workers))
	return append(list, checkpoint.Fact{Name: "graph", Value: text}, checkpoint.Fact{Name: "prepare.order", Value: j.Prepare.Order},
		checkpoint.Fact{Name: "engine.determinism", Value: j.Engine.Determinism}, checkpoint.Fact{Name: "engine.schedule", Value: j.Engine.Schedule})
}

// reportCheckpoints notes what the store has done.
func (r *run) reportCheckpoints() {
	if r.checkpoints == nil {
		return
	}
	done := r.checkpoints.Report()
	c := &checkpointReport{Dir: r.checkpoints.Dir, Resumed: reportOf(done.Resumed), Written: done.Written, Newest: reportOf(done.Newest),
		Problems: []string{}, asked: r.resume}
	for _, p := range done.Problems {
		c.Problems = append(c.Problems, p.Error())
	}
	r.report.Checkpoint = c
}

// finished takes the checkpoints away when the answer is there and complete.
func (r *run) finished() error {
	if r.checkpoints == nil {
		return nil
	}
	return r.checkpoints.Remove()
}

// goOn says how a run that has ended too early can be resumed.
func (r *run) goOn() string {
	if r.checkpoints == nil {
		return ""
	}
	newest := r.checkpoints.Report().Newest
	if newest == nil {
		return "; there is no checkpoint yet"
	}
	return fmt.Sprintf("; --resume goes on after %s, from %s", reportOf(newest), newest.File)
}

// checkpointer is the store as a job wants it.
func (r *run) checkpointer() pregel.Checkpointer {
	if r.checkpoints == nil {
		return nil
	}
	return r.checkpoints
}
