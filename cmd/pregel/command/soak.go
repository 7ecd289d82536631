package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gopregel/cmd/pregel/soak"
	"gopregel/programs"
)

type soakFlags struct {
	time     time.Duration
	trials   int
	seed     uint64
	programs []string
	keep     string
	device   string
	gpu      int
}

// trialTime is more than a hundred times what a trial takes, which a process that comes
// behind all others (nice) may wait.
const trialTime = 15 * time.Minute

// deviceTrialTime is that on a GPU, where nobody is behind others.
const deviceTrialTime = 2 * time.Minute

func (a *app) soakCommand() *cobra.Command {
	var f soakFlags
	c := &cobra.Command{
		Use:   "soak [TRIAL.json…]",
		Short: "Runs all programs on random graphs until something is wrong",
		Long: `Runs programs on random graphs with random options: ids, loops and duplicates,
the form of the graph's file, workers, direction, determinism, schedule, order,
the form of the answer's file. Each graph is held to its lines and to what comes
back from its file, each answer to its certificate, to the answer of one worker
without any of that, and to what comes back from its file.

The first trial that fails ends it, with exit code 4. It is made as small as it
still fails and kept as soak-SEED.json, and the command that repeats it is shown.
Trials named on the command line are run again.

With --device cuda programs run on a GPU, those that can, on graphs of up to 8192
vertices, and their answers are held to those of one worker of the CPU.`,
		Example: `  pregel soak --for 5m
  pregel soak --for 5m --device cuda
  pregel soak --programs sssp,mst --trials 1000 --seed 7
  pregel soak soak-1234.json`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(c *cobra.Command, args []string) error {
			if !c.Flags().Changed("seed") {
				f.seed = rand.Uint64N(1e12) + 1
			}
			if err := oneOf("device", f.device, []string{"cpu", "cuda"}); err != nil {
				return err
			}
			if len(args) > 0 {
				return a.replay(c.Context(), f, args)
			}
			return a.soak(c.Context(), f)
		},
	}
	c.Flags().DurationVar(&f.time, "for", time.Minute, "how long to look for")
	c.Flags().IntVar(&f.trials, "trials", 0, "end after so many `trials`, should they be done before; 0: no bound")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "the `seed` of the first trial; those after it count up (default: a new one each time)")
	c.Flags().StringSliceVar(&f.programs, "programs", nil, "`names` of programs (default: all)")
	c.Flags().StringVar(&f.keep, "keep", ".", "the `folder` for a trial that fails")
	c.Flags().StringVar(&f.device, "device", "cpu", "what programs run on that can: cpu or cuda; a trial that was kept has its own")
	c.Flags().IntVar(&f.gpu, "gpu", 0, "which GPU, by its number in pregel devices")
	_ = c.MarkFlagDirname("keep")
	return c
}

func (a *app) soak(ctx context.Context, f soakFlags) (err error) {
	list, err := a.chosen(f.programs)
	if err != nil {
		return err
	}
	if f.time <= 0 || f.trials < 0 {
		return input(fmt.Errorf("--for %v, --trials %d: want a time above 0, and trials of at least 0", f.time, f.trials))
	}
	if err := os.MkdirAll(cmp.Or(f.keep, "."), 0o755); err != nil {
		return input(err)
	}
	gpu := &fleet{gpu: f.gpu}
	defer func() { err = errors.Join(err, gpu.Close()) }()
	o := soak.Options{Programs: list, Seed: f.seed, Trials: f.trials, For: f.time, Each: trialTime, Device: gpu}
	if f.device == "cuda" {
		o.On, o.Each = f.device, deviceTrialTime
		if _, err := gpu.Engine(soak.Engine{Device: o.On}); err != nil {
			return input(fmt.Errorf("--device cuda: %w", err))
		}
	}
	fmt.Fprintf(a.out, "trials from seed %d on, for %v\n", f.seed, f.time)
	begin := time.Now()
	done, err := soak.Run(ctx, o)
	var failed *soak.Failure
	switch {
	case errors.As(err, &failed):
		return a.keepTrial(failed, f.keep, done)
	case err != nil:
		return err
	case ctx.Err() != nil:
		return &exit{exitInterrupted, fmt.Errorf("interrupted after %s, all right", plural(done, "trial"))}
	}
	fmt.Fprintf(a.out, "%s in %s, all right\n", plural(done, "trial"), duration(time.Since(begin).Seconds()))
	return nil
}

// chosen are the programs of these names, all for none.
func (a *app) chosen(names []string) ([]programs.Entry, error) {
	if len(names) == 0 {
		return a.programs, nil
	}
	var list []programs.Entry
	for _, name := range names {
		e, err := a.program(name)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

func (a *app) keepTrial(f *soak.Failure, dir string, done int) error {
	path := filepath.Join(dir, fmt.Sprintf("soak-%d.json", f.Found.Seed))
	if err := f.Trial.Write(path); err != nil {
		return errors.Join(f, err)
	}
	return &exit{exitCertificate, fmt.Errorf("after %s, %v\nfound with %s, left with %d; again: pregel soak %s",
		plural(done, "trial"), f, plural(len(f.Found.Graph.Lines), "line"), len(f.Trial.Graph.Lines), path)}
}

// replay runs trials that have been kept.
func (a *app) replay(ctx context.Context, f soakFlags, paths []string) (err error) {
	gpu := &fleet{gpu: f.gpu}
	defer func() { err = errors.Join(err, gpu.Close()) }()
	dir, err := os.MkdirTemp("", "pregel-soak-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for _, path := range paths {
		t, err := soak.Read(path)
		if err != nil {
			return input(err)
		}
		if !slices.ContainsFunc(a.programs, func(e programs.Entry) bool { return e.Name == t.Program }) {
			return input(fmt.Errorf("%s: no program is called %q", path, t.Program))
		}
		if t.Engine.Device != "" {
			if _, err := gpu.Engine(t.Engine); err != nil {
				return input(fmt.Errorf("%s: engine.device: %w", path, err))
			}
		}
		err = t.Check(ctx, a.programs, gpu, dir)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return &exit{exitCertificate, fmt.Errorf("%s: %v\n%w", path, t, err)}
		}
		fmt.Fprintf(a.out, "%s: all right: %s\n", path, strings.TrimSpace(t.String()))
	}
	return nil
}
