package command

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strings"

	"gopregel/cmd/pregel/plan"
	"gopregel/pregel"
	"gopregel/pregel/mem"
)

// keepSmall has the collector heed limits.memory, or what addresses there are, until
// the function it returns is called. A sixteenth is left to what is not the collector's.
func (r *run) keepSmall() (end func()) {
	limit := r.job.Limits.Bytes()
	if has := plan.HostMemory(os.DirFS("/")); has.By == plan.AddressSpace && (limit == 0 || has.Available < limit) {
		limit = max(has.Available, 1)
	}
	if limit == 0 {
		return func() {}
	}
	before := debug.SetMemoryLimit(-1) // GOMEMLIMIT, which may be less
	debug.SetMemoryLimit(min(before, int64(limit-limit/16)))
	return func() { debug.SetMemoryLimit(before) }
}

// bounds are the job's limits, as the programs of a run get them.
func (r *run) bounds() pregel.Bounds {
	l := &r.job.Limits
	return pregel.Bounds{
		Time: l.Duration(), Memory: l.Bytes(), Messages: forMessages(plan.HostMemory(os.DirFS("/"))), NaN: l.NaN == "stop",
		Grace: max(l.Duration(), r.app.grace), Stuck: r.stuck,
	}
}

// forMessages is how large the process may become by messages: a sixteenth of what
// there is stays free. Addresses that lists have grown out of are not given back, and
// lists grow in steps, so of those a third has to do. 0: nothing is known.
func forMessages(has plan.Memory) uint64 {
	switch has.By {
	case "":
		return 0
	case plan.AddressSpace:
		return mem.Resident() + has.Available/3
	}
	return mem.Resident() + has.Available - has.Available/16
}

// stuck ends the process: a superstep that does not end cannot be stopped.
func (r *run) stuck(err error) {
	text := fmt.Sprintf("%v, limits.time being %s; nothing is written", err, r.job.Limits.Time)
	var at *pregel.StuckError
	if errors.As(err, &at) {
		text += "\n" + at.Stack
	}
	r.bars.close()
	r.app.tell("%s", strings.TrimSpace(text))
	r.app.exit(exitError)
}

// limited is the exit for an answer that a limit has kept from its end.
func (r *run) limited() error {
	var text string
	switch r.answer.Stop.Reason {
	case pregel.MaxSupersteps:
		text = fmt.Sprintf("stopped at %s, %d, before the end", r.job.Stopper(), r.job.Supersteps())
	case pregel.TimeLimit:
		text = fmt.Sprintf("stopped by limits.time, %s, after %s, with %s still awake", r.job.Limits.Time,
			plural(r.answer.Stop.Supersteps, "superstep"), plural(r.awake, "vertex"))
	default:
		return nil
	}
	text += "; the answer is what was reached"
	if r.check != nil {
		text += ", which has no certificate"
	}
	return &exit{exitLimit, errors.New(text + r.goOn())}
}

// stalled is the exit for an answer whose metric has not come to its tolerance,
// though the program was done.
func (r *run) stalled() error {
	s := r.answer.Stop
	if m := s.Metric; s.Reason == pregel.Halted && m.Tolerance > 0 && m.Value > m.Tolerance {
		return &exit{exitLimit, fmt.Errorf("the %s falls no further than %.3g, and the tolerance is %.3g; the answer is what was reached", m.Name, m.Value, m.Tolerance)}
	}
	return nil
}

// numbers finds a NaN in the answer, for algorithms that have values beside those
// of their programs.
func (r *run) numbers() error {
	if r.job.Limits.NaN != "stop" {
		return nil
	}
	t := &r.answer.Table
	for _, c := range t.Columns {
		for i, x := range c.Floats {
			if !math.IsNaN(x) {
				continue
			}
			where := fmt.Sprintf("row %d", i+1)
			if t.PerVertex {
				where = "vertex " + r.graph.IDs().Text(uint32(i))
			}
			r.answer = nil
			return input(fmt.Errorf("program %s, at its end, %s: %w: column %s", r.job.Program, where, pregel.ErrNaN, c.Name))
		}
	}
	return nil
}
