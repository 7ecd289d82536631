package checkpoint

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"gopregel/pregel"
)

// A Store is the folder of one job's checkpoints.
type Store struct {
	Options
	from     *found // to go on from, until its program has begun
	parts    bool   // those of from are filled in
	report   Report
	good     []Point  // of this job, ascending
	stale    []string // damaged files
	last     pregel.Mark
	lastTime time.Time
	stage    func(string) // of writing; for tests
}

// A Report says what a Store has done.
type Report struct {
	Resumed  *Point // where the job has gone on; nil: it has begun at its start
	Newest   *Point // nil: there is none
	Written  int
	Problems []error // what was wrong with files, and what kept others from being written
}

// Open finds what is in the folder, which it makes if it is not there. If the job is
// to be resumed, that is the newest checkpoint that is whole; where there is none, it
// begins at its start. If it is not to be, the folder must have none.
func Open(o Options, resume bool) (*Store, error) {
	s := &Store{Options: o, lastTime: time.Now()}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, err
	}
	list, err := points(o.Dir)
	if err != nil {
		return nil, err
	}
	if !resume && len(list) > 0 {
		return nil, &UnfinishedError{o.Dir, list[len(list)-1]}
	}
	if err := sweep(o.Dir); err != nil {
		return nil, err
	}
	return s, s.find(list)
}

// find takes the newest of the points that is whole.
func (s *Store) find(list []Point) error {
	for len(list) > 0 {
		newest := list[len(list)-1]
		f, err := inspect(newest.File)
		if err == nil {
			return s.take(f, list)
		}
		s.report.Problems = append(s.report.Problems, err)
		s.stale = append(s.stale, newest.File)
		list = list[:len(list)-1]
	}
	if len(s.stale) > 0 {
		return fmt.Errorf("%s has no checkpoint that is whole: %w", s.Dir, errors.Join(s.report.Problems...))
	}
	return nil
}

// take goes on from a checkpoint, the last of those that are left.
func (s *Store) take(f *found, list []Point) error {
	differ := differences(f.Of, s.Of)
	if s.Strict && !f.Exact && f.Engine != s.Engine {
		differ = append(differ, Difference{"engine (determinism is strict, and floats are added up)", f.Engine, s.Engine})
	}
	if f.Bound && f.Engine != s.Engine {
		differ = append(differ, Difference{"engine (the state is that of its memory)", f.Engine, s.Engine})
	}
	if len(differ) > 0 {
		return &MismatchError{f.path, differ}
	}
	p := list[len(list)-1]
	s.from, s.good = f, list
	s.report.Resumed, s.report.Newest = &p, &p
	s.last = pregel.Mark{Run: f.Run, Before: f.Before, Supersteps: f.Supersteps, Pieces: f.Pieces}
	return s.trim() // a process that was killed may not have come to it
}

// Report says what has been done so far.
func (s *Store) Report() Report { return s.report }

// Resume fills in the state of the program that the checkpoint was made of, when it
// begins, and the parts of the Commit before it, when these are asked for. Of every
// other it only looks at the types.
func (s *Store) Resume(blank *pregel.State) (bool, error) {
	if _, _, err := sections(blank); err != nil {
		return false, err
	}
	f := s.from
	commit := blank.Program == pregel.CommitName
	switch {
	case f == nil, commit && !f.hasParts():
		return false, nil
	case !commit && f.hasParts() && !s.parts:
		return false, fmt.Errorf("checkpoint %s is between the phases of a job on the engine %s, on %s it has others", f.path, f.Engine, s.Engine)
	case !commit && blank.Run < f.Run:
		return false, nil
	case !commit && (f.Program != blank.Program || f.Run != blank.Run):
		return false, fmt.Errorf("checkpoint %s is of program %s, number %d of the job; found %s, number %d",
			f.path, f.Program, f.Run+1, blank.Program, blank.Run+1)
	}
	if err := f.fill(blank); err != nil {
		return false, err
	}
	if s.parts = true; f.Program == blank.Program { // not the parts of a program's state alone
		s.from = nil
	}
	s.lastTime = time.Now()
	return true, nil
}

// Keep writes a checkpoint if one is due.
func (s *Store) Keep(at pregel.Mark, state func() (pregel.State, error)) error {
	if !s.Due(at) {
		return nil
	}
	now, err := state()
	if err != nil {
		return err
	}
	err = s.keep(at, &now)
	s.lastTime = time.Now()
	if err == nil || s.Warn == nil {
		return err
	}
	s.report.Problems = append(s.report.Problems, err)
	s.Warn(err)
	return nil
}

// Due tells whether a checkpoint is to be made. There is none of the first values: to
// make them again is as fast as to read them. What is done again is in the checkpoint to
// go on from.
func (s *Store) Due(at pregel.Mark) bool {
	same := at.Run == s.last.Run && at.Before == s.last.Before && at.Supersteps == s.last.Supersteps && at.Pieces == s.last.Pieces
	total := at.Before + at.Supersteps
	switch {
	case s.from != nil, same, total == 0 && at.Pieces == 0:
		return false
	case at.Last:
		return true
	case s.Supersteps > 0 && total-s.last.Before-s.last.Supersteps >= s.Supersteps:
		return true
	}
	return s.Interval > 0 && time.Since(s.lastTime) >= s.Interval
}

func (s *Store) keep(at pregel.Mark, now *pregel.State) error {
	p := pointOf(s.Dir, at.Before+at.Supersteps, at.Pieces)
	if err := s.write(p.File, at, now); err != nil {
		return err
	}
	s.last, s.report.Newest = at, &p
	s.report.Written++
	s.good = append(slices.DeleteFunc(s.good, func(q Point) bool { return q.File == p.File }), p)
	return s.prune()
}

// prune leaves the newest, and takes away what was damaged, as there is better now.
func (s *Store) prune() error {
	var errs []error
	for _, path := range s.stale {
		if path != s.report.Newest.File {
			errs = append(errs, remove(path))
		}
	}
	s.stale = nil
	return errors.Join(append(errs, s.trim())...)
}

func (s *Store) trim() error {
	var errs []error
	for len(s.good) > max(s.Count, 1) {
		errs = append(errs, remove(s.good[0].File))
		s.good = s.good[1:]
		s.reached("pruned")
	}
	return errors.Join(errs...)
}

// Remove takes all checkpoints of the job away, when it is done.
func (s *Store) Remove() error {
	var errs []error
	for _, p := range s.good {
		errs = append(errs, remove(p.File))
	}
	for _, path := range s.stale {
		errs = append(errs, remove(path))
	}
	s.good, s.stale, s.report.Newest = nil, nil, nil
	return errors.Join(errs...)
}
