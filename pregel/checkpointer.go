package pregel

import "fmt"

// A Checkpointer keeps the state of a job at barriers, and gives it to the same job
// in another process. Programs and phases that were complete by then are done
// again, but for those before a Commit; the one that was under way goes on.
type Checkpointer interface {
	// Resume is asked when a program begins, with a state that shows its types, Run
	// and Before. If that program is to go on from a kept state, Resume fills this in and
	// returns true.
	Resume(blank *State) (bool, error)
	// Keep is called at the barriers of programs that have a state, and at commits.
	Keep(at Mark, state func() (State, error)) error
}

// A Mark is a place in a job.
type Mark struct {
	Run, Before int // as in State
	Supersteps  int // completed by the program under way
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

// checkpoint has the limits of the next run ask the job's Checkpointer.
func (j *Job) checkpoint(l *Limits) {
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
		return j.Checkpoints.Keep(Mark{Run: j.runs, Before: j.supersteps, Supersteps: supersteps, Last: last}, func() (State, error) {
			s, err := state()
			s.Run, s.Before = j.runs, j.supersteps
			return s, err
		})
	}
}

// commitName is what a Commit is called where a program would stand.
const commitName = "commit"

// Commit notes, between the phases of an algorithm, that all the rest of it depends
// on is in the given parts: pointers to variables of fixed size, or to slices of
// such. Another process that was given the same parts by Continue goes on from here.
// It does nothing where nobody keeps checkpoints.
func (j *Job) Commit(parts ...any) error {
	if j.Checkpoints == nil {
		return nil
	}
	s := State{Program: commitName, Run: j.runs, Before: j.supersteps, Kept: parts, Exact: true}
	err := j.Checkpoints.Keep(Mark{Run: j.runs, Before: j.supersteps, Commit: true}, func() (State, error) { return s, nil })
	if err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// Continue fills the parts by those of the Commit that the job is to go on from, and
// tells whether there is one. It is called before the first phase.
func (j *Job) Continue(parts ...any) (bool, error) {
	if j.Checkpoints == nil {
		return false, nil
	}
	s := State{Program: commitName, Kept: parts}
	ok, err := j.Checkpoints.Resume(&s)
	if ok && err == nil {
		j.runs, j.supersteps = s.Run, s.Before
	}
	return ok, err
}
