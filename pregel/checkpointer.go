package pregel

import "fmt"

// A Checkpointer keeps the state of a job at barriers, and gives it to the same job
// in another process. Programs and phases that were complete by then are done
// again, but for those before the last Commit; the one that was under way goes on.
type Checkpointer interface {
	// Resume is asked when a program begins, with a state that shows its types, Run
	// and Before. If that program is to go on from a kept state, Resume fills this in and
	// returns true. Continue asks it, too, with a state of parts alone.
	Resume(blank *State) (bool, error)
	// Due tells whether Keep would keep a state now. One worker asks at a time, while
	// nothing is kept.
	Due(at Mark) bool
	// Keep is called at the barriers of programs that have a state, at commits, and
	// between the pieces of a phase where one is due.
	Keep(at Mark, state func() (State, error)) error
}

// A Mark is a place in a job.
type Mark struct {
	Run, Before int // as in State
	Supersteps  int // completed by the program under way
	Pieces      int // done of the phase under way (Job.Pieces)
	// Last: the run is about to end, though it could go on.
	Last bool
	// Commit: it is no barrier of a program, but a Commit of the job's.
	Commit bool
}

// A ResumableAlgorithm can say whether a job of it, with its parameters and on a
// CUDA device or not, has checkpoints to go on from.
type ResumableAlgorithm interface {
	Resumes(device bool) bool
}

// Resumes tells whether an algorithm has checkpoints to go on from.
func Resumes(a Algorithm, device bool) bool {
	r, ok := a.(ResumableAlgorithm)
	return ok && r.Resumes(device)
}

// checkpoint has the limits of the next run ask the job's Checkpointer. A run that
// ends at a limit of its own (ends) is not the last of the job.
func (j *Job) checkpoint(l *Limits, ends func(supersteps int) bool) {
	if j.Checkpoints == nil {
		return
	}
	l.Resume = func(blank *State) (bool, error) {
		blank.Run, blank.Before = j.runs, j.supersteps
		ok, err := j.Checkpoints.Resume(blank)
		j.supersteps = blank.Before // rounds in place may have been more or fewer this time
		return ok, err
	}
	l.Keep = func(supersteps int, last bool, state func() (State, error)) error {
		last = last && !ends(supersteps)
		j.left = j.left || last
		return j.Checkpoints.Keep(Mark{Run: j.runs, Before: j.supersteps, Supersteps: supersteps, Last: last}, func() (State, error) {
			s, err := state()
			s.Run, s.Before = j.runs, j.supersteps
			j.held.note(&s)
			return s, err
		})
	}
}

// CommitName is what a Commit is called where a program would stand.
const CommitName = "commit"

// A commit is what was named by the last Commit.
type commit struct {
	ready       func()
	parts       []any
	run, before int
}

// note puts the parts into a state.
func (c *commit) note(s *State) {
	if c.ready != nil {
		c.ready()
	}
	s.Parts, s.PartsRun, s.PartsBefore = c.parts, c.run, c.before
}

// state is a state of the parts alone.
func (c *commit) state() (State, error) {
	s := State{Program: CommitName, Run: c.run, Before: c.before, Exact: true}
	c.note(&s)
	return s, nil
}

// Commit notes, between the phases of an algorithm, that all the rest of it depends
// on is in the given parts: pointers to variables of fixed size, or to slices of
// such. Another process that was given the same parts by Continue goes on from here.
// They are kept with the states of programs that come after, too, and when the job is
// ended before a phase; so between a phase that changes the parts and the next
// phase or program there must be a Commit. It does nothing where nobody keeps
// checkpoints, and looks at no part where none is due.
func (j *Job) Commit(parts ...any) error { return j.CommitBy(nil, parts...) }

// CommitBy is Commit with a function that is called each time before the parts are
// looked at, to bring them up to date.
func (j *Job) CommitBy(ready func(), parts ...any) error {
	if j.Checkpoints == nil {
		return nil
	}
	j.held = commit{ready, parts, j.runs, j.supersteps}
	return j.keepParts(Mark{})
}

// keepParts keeps the parts of the last Commit.
func (j *Job) keepParts(at Mark) error {
	at.Run, at.Before, at.Commit = j.held.run, j.held.before, true
	if err := j.Checkpoints.Keep(at, j.held.state); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// leave keeps the parts of the last Commit when a run has ended before its time,
// unless the program under way has kept its own state.
func (j *Job) leave(stop Stop) error {
	early := stop.Reason == Cancelled || stop.Reason == MaxSupersteps || stop.Reason == TimeLimit
	if !early || j.left || j.held.parts == nil {
		return nil
	}
	j.left = true
	return j.keepParts(Mark{Last: true})
}

// Continue fills the parts by those of the Commit that the job is to go on from, and
// tells whether there is one. It is called before the first phase.
func (j *Job) Continue(parts ...any) (bool, error) {
	if j.Checkpoints == nil {
		return false, nil
	}
	s := State{Program: CommitName, Parts: parts}
	ok, err := j.Checkpoints.Resume(&s)
	if ok && err == nil {
		j.runs, j.supersteps = s.PartsRun, s.PartsBefore
	}
	return ok, err
}
