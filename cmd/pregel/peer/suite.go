// Package peer times programs of other systems on the graphs that ours are timed on, in
// turn with them: what else the machine does meets both, and a ratio of times says more
// than times of two days do. The user has built their programs; systems.go has the table
// of what they are, how they are called and how they tell their times. What memory they take
// is looked at while they run (peak.go).
package peer

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"gopregel/pregel/graph"
)

// A Suite is where the programs of a system are, and how they are run.
type Suite struct {
	System  System
	Dir     string
	Threads int
	Trials  int // of each program at a time
}

// An Input is what a program of theirs is run on.
type Input struct {
	File       string
	Undirected bool
	Starts     []uint32 // a source for each trial; none where the graph has no arcs
}

// Find tells which of a program's files is not there.
func (s Suite) Find(p Program) error {
	for _, c := range p.commands {
		if _, err := os.Stat(filepath.Join(s.Dir, c.path)); err != nil {
			return fmt.Errorf("no program %s of %s, which `%s` makes: %w", c.path, s.System.Title, s.System.build, err)
		}
	}
	return nil
}

// Starts are the vertices that theirs and ours start from in a round: those that the
// system draws itself, or one that it is told, for all trials; another in each round.
func (s Suite) Starts(g *graph.Graph, round int) []uint32 {
	if s.System.draws {
		return Sources(g, s.Trials)
	}
	list := Sources(g, round+1)
	if len(list) == 0 {
		return nil
	}
	same := make([]uint32, s.Trials)
	for i := range same {
		same[i] = list[round]
	}
	return same
}

// Time runs what the system has for a program on an input, and returns what the fastest
// has taken.
func (s Suite) Time(ctx context.Context, p Program, in Input) (best Timing, err error) {
	for i, c := range p.commands {
		times, peak, err := s.run(ctx, c, in)
		if err != nil {
			return Timing{}, err
		}
		if x := Median(times) / p.per; i == 0 || x < best.Seconds {
			best = Timing{Seconds: x, Command: c.name(), Peak: peak}
		}
	}
	return best, nil
}

// run returns the times of trials in seconds, and the largest resident size.
func (s Suite) run(ctx context.Context, p command, in Input) (times []float64, peak int64, err error) {
	path := filepath.Join(s.Dir, p.path)
	if filepath.Base(path) == path { // a name alone would be looked for elsewhere
		path = "." + string(filepath.Separator) + path
	}
	c := exec.CommandContext(ctx, path, s.System.arguments(s.Trials, p, in)...)
	c.Env = append(os.Environ(), s.System.threads+"="+strconv.Itoa(s.Threads))
	var said, complained bytes.Buffer
	c.Stdout, c.Stderr = &said, &complained
	if peak, err = follow(c); err != nil {
		return nil, 0, errors.Join(fmt.Errorf("%s: %w: %s", c, err, bytes.TrimSpace(complained.Bytes())), context.Cause(ctx))
	}
	times, err = trialTimes(&said, s.System.time)
	if err == nil && len(times) != s.Trials {
		err = fmt.Errorf("found %d lines %q, want %d", len(times), s.System.time, s.Trials)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", c, err)
	}
	return times, peak, nil
}

// trialTimes reads the lines that begin with the given words: a time in seconds follows.
func trialTimes(said *bytes.Buffer, words string) (times []float64, err error) {
	for lines := bufio.NewScanner(said); lines.Scan(); {
		text, ok := strings.CutPrefix(lines.Text(), words)
		if !ok {
			continue
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(x >= 0) {
			return nil, fmt.Errorf("found %q, want a time in seconds", lines.Text())
		}
		times = append(times, x)
	}
	return times, nil
}

// name is what tells a command from others of its program.
func (c command) name() string {
	return strings.Join(append([]string{cmp.Or(c.short, filepath.Base(c.path))}, c.args...), " ")
}
