// Package peer times programs of another system on the files that ours are timed on,
// in turn with them: what else the machine does meets both, and a ratio of times says
// more than times of two days do. So far there is one such system, the GAP Benchmark Suite
// (Beamer, Asanović, Patterson, arXiv:1508.03619), whose programs the user has built.
package peer

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// A Program is one of ours that GAPBS has programs for.
type Program struct {
	Name       string // of ours
	Weighted   bool   // reads weights, so from a .wsg file
	Undirected bool   // takes no directed graph
	commands   [][]string
	per        float64 // what the times of theirs are divided by: iterations
}

// iterations of PageRank are done, by both, and times are those of one.
const iterations = 20

// Programs lists them. Where GAPBS has several, or one with a parameter that is for the
// user to find, the fastest counts.
func Programs(deltas []int) []Program {
	rank := []string{"-i", strconv.Itoa(iterations), "-t", "0"}
	var paths [][]string
	for _, d := range deltas {
		paths = append(paths, []string{"sssp", "-d", strconv.Itoa(d)})
	}
	return []Program{
		{Name: "bfs", commands: [][]string{{"bfs"}}, per: 1},
		{Name: "lcc", Undirected: true, commands: [][]string{{"tc"}}, per: 1},
		{Name: "pagerank", commands: [][]string{append([]string{"pr"}, rank...), append([]string{"pr_spmv"}, rank...)}, per: iterations},
		{Name: "sssp", Weighted: true, commands: paths, per: 1},
		{Name: "wcc", commands: [][]string{{"cc"}}, per: 1},
	}
}

// A Suite is where the programs of GAPBS are, and how they are run.
type Suite struct {
	Dir     string
	Threads int
	Trials  int // of each program at a time
}

// Find tells which of a program's files is not there.
func (s Suite) Find(p Program) error {
	for _, c := range p.commands {
		if _, err := os.Stat(filepath.Join(s.Dir, c[0])); err != nil {
			return fmt.Errorf("no program %s of GAPBS, which `make` leaves in its folder: %w", c[0], err)
		}
	}
	return nil
}

// Time runs what GAPBS has for a program on a file, and returns the fastest with the
// times of its trials in seconds.
func (s Suite) Time(ctx context.Context, p Program, file string) (command string, trials []float64, err error) {
	best := 0.0
	for _, c := range p.commands {
		times, err := s.run(ctx, c, file)
		if err != nil {
			return "", nil, err
		}
		for i := range times {
			times[i] /= p.per
		}
		if m := Median(times); trials == nil || m < best {
			command, trials, best = strings.Join(c, " "), times, m
		}
	}
	return command, trials, nil
}

func (s Suite) run(ctx context.Context, command []string, file string) ([]float64, error) {
	args := append([]string{"-f", file, "-n", strconv.Itoa(s.Trials)}, command[1:]...)
	c := exec.CommandContext(ctx, filepath.Join(s.Dir, command[0]), args...)
	c.Env = append(os.Environ(), "OMP_NUM_THREADS="+strconv.Itoa(s.Threads))
	var said, complained bytes.Buffer
	c.Stdout, c.Stderr = &said, &complained
	if err := c.Run(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w: %s", c, err, bytes.TrimSpace(complained.Bytes())), context.Cause(ctx))
	}
	times, err := trialTimes(&said)
	if err == nil && len(times) != s.Trials {
		err = fmt.Errorf("found %d lines \"Trial Time:\", want %d", len(times), s.Trials)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c, err)
	}
	return times, nil
}

// trialTimes reads the lines "Trial Time: SECONDS".
func trialTimes(said *bytes.Buffer) (times []float64, err error) {
	for lines := bufio.NewScanner(said); lines.Scan(); {
		text, ok := strings.CutPrefix(lines.Text(), "Trial Time:")
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
