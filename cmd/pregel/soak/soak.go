package soak

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"gopregel/programs"
)

// Options say how long to look.
type Options struct {
	Programs []programs.Entry
	Seed     uint64        // of the first trial; those after it count up
	Trials   int           // 0: until For is over
	For      time.Duration // 0: until Trials are done
	Each     time.Duration // a trial that takes longer has failed
	On       string        // a device that programs run on which can: cuda; "": the CPU
	Device   Device        // its engines
	Progress func(t *Trial, done int)
}

// A Failure is a trial that has gone wrong.
type Failure struct {
	Trial *Trial // as small as it was found to fail
	Found *Trial // as it was drawn
	Err   error  // of Trial
}

func (f *Failure) Error() string { return fmt.Sprintf("%v\n%v", f.Trial, f.Err) }

// Unwrap returns what was wrong.
func (f *Failure) Unwrap() error { return f.Err }

// shrinkTries bounds how often a failing trial is run again, shrinkTime for how long: a trial that hangs is
// not given its time again and again.
const (
	shrinkTries = 2000
	shrinkTime  = 4 * time.Minute
)

// Run checks trial after trial, and returns how many were right. A Failure ends it.
func Run(ctx context.Context, o Options) (done int, err error) {
	dir, err := os.MkdirTemp("", "pregel-soak-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	end := time.Now().Add(o.For)
	for seed := o.Seed; ctx.Err() == nil && (o.Trials == 0 || done < o.Trials) && (o.For == 0 || time.Now().Before(end)); seed++ {
		t, err := Draw(seed, o.Programs, o.On)
		if err != nil {
			return done, err
		}
		if o.Progress != nil {
			o.Progress(t, done)
		}
		switch err := o.check(ctx, t, dir); {
		case untried(err):
			return done, err
		case err != nil && ctx.Err() == nil:
			return done, o.failure(ctx, t, dir, err)
		}
		done++
	}
	return done, nil
}

// check gives the trial its time. One that does not even end at a barrier then is
// found by who watches this process.
func (o *Options) check(ctx context.Context, t *Trial, dir string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, o.Each, fmt.Errorf("not done after %v", o.Each))
	defer cancel()
	err := t.Check(ctx, o.Programs, o.Device, dir)
	if err != nil && t.Engine.Device != "" && o.Device != nil {
		err = errors.Join(err, o.Device.Close())
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func (o *Options) failure(ctx context.Context, t *Trial, dir string, err error) error {
	f := &Failure{Trial: t, Found: t, Err: err}
	end := time.Now().Add(shrinkTime)
	f.Trial = Shrink(t, func(next *Trial) bool {
		if time.Now().After(end) {
			return false
		}
		again := o.check(ctx, next, dir)
		if again == nil || untried(again) || ctx.Err() != nil {
			return false
		}
		f.Err = again
		return true
	}, shrinkTries)
	return f
}
