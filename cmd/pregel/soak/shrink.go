package soak

import (
	"slices"
)

// Shrink makes a failing trial smaller for as long as it fails: it leaves out lines,
// many at first, then single ones (A. Zeller: delta debugging), and takes options
// back to their plainest. It gives up after so many tries. fails must not change
// the trial.
func Shrink(t *Trial, fails func(*Trial) bool, tries int) *Trial {
	s := &shrinker{best: t, fails: fails, left: tries}
	for before := -1; s.left > 0 && before != s.steps; {
		before = s.steps
		s.plainer()
		for size := max(len(s.best.Graph.Lines)/2, 1); size > 0 && s.left > 0; size /= 2 {
			s.without(size)
		}
	}
	return s.best
}

type shrinker struct {
	best  *Trial
	fails func(*Trial) bool
	left  int
	steps int // that have been taken
}

// try takes a smaller trial if it fails, too.
func (s *shrinker) try(change func(t *Trial) bool) bool {
	next := *s.best
	if s.left <= 0 || !change(&next) {
		return false
	}
	s.left--
	if !s.fails(&next) {
		return false
	}
	s.best = &next
	s.steps++
	return true
}

// without leaves out so many lines at a time. The line that names the source stays.
func (s *shrinker) without(size int) {
	for from := 0; from < len(s.best.Graph.Lines) && s.left > 0; {
		taken := s.try(func(t *Trial) bool {
			lines := t.Graph.Lines
			if len(lines) <= size {
				return false
			}
			t.Graph.Lines = slices.Concat(lines[:from], lines[min(from+size, len(lines)):])
			return len(t.Graph.Lines) > 0 && t.sourceIsThere()
		})
		if !taken {
			from += size
		}
	}
}

// sourceIsThere tells whether the vertex that a parameter names is on a line.
func (t *Trial) sourceIsThere() bool {
	source, ok := t.Params["source"]
	return !ok || slices.ContainsFunc(t.Graph.Lines, func(line string) bool { return firstWord(line) == source })
}

// plainer takes options back.
func (s *shrinker) plainer() {
	for _, o := range []struct {
		field func(*Trial) *string
		plain string
	}{
		{func(t *Trial) *string { return &t.Graph.File }, ".txt"},
		{func(t *Trial) *string { return &t.Graph.Loops }, "keep"},
		{func(t *Trial) *string { return &t.Graph.Duplicates }, "keep"},
		{func(t *Trial) *string { return &t.Engine.Order }, "none"},
		{func(t *Trial) *string { return &t.Engine.Schedule }, "bsp"},
		{func(t *Trial) *string { return &t.Engine.Determinism }, "default"},
		{func(t *Trial) *string { return &t.Engine.Direction }, "auto"},
		{func(t *Trial) *string { return &t.Output }, "csv"},
	} {
		s.try(func(t *Trial) bool {
			field := o.field(t)
			if *field == o.plain {
				return false
			}
			*field = o.plain
			return true
		})
	}
	s.try(func(t *Trial) bool {
		was := t.Engine.Device
		t.Engine.Device, t.Engine.Wide = "", false
		return was != ""
	})
	s.try(func(t *Trial) bool {
		was := t.Engine.Wide
		t.Engine.Wide = false
		return was
	})
	for _, workers := range []int{1, 2} {
		s.try(func(t *Trial) bool {
			if t.Engine.Workers <= workers {
				return false
			}
			t.Engine.Workers = workers
			return true
		})
	}
}
