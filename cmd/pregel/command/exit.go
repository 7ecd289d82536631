package command

import (
	"context"
	"errors"

	"gopregel/pregel"
	"gopregel/pregel/mem"
)

// The exit codes.
const (
	exitOK          = 0
	exitError       = 1 // anything else
	exitInput       = 2 // bad job, input or command line
	exitLimit       = 3 // stopped at max_supersteps, limits.supersteps or limits.time, or above the tolerance
	exitCertificate = 4 // a certificate failed, or two engines differ
	exitInterrupted = 130
)

// An exit is an error with the code it ends the process with.
type exit struct {
	code int
	error
}

func (e *exit) Unwrap() error { return e.error }

// input marks an error as the user's.
func input(err error) error {
	if err == nil {
		return nil
	}
	return &exit{exitInput, err}
}

// code is the exit code for an error.
func (a *app) code(ctx context.Context, err error) int {
	var known *exit
	var fault *mem.FaultError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &fault):
		return exitError
	case errors.As(err, &known) && known.code != exitInput:
		return known.code
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return exitInterrupted
	case known != nil:
		return known.code
	case !a.began: // the command line was not understood
		return exitInput
	}
	return exitError
}

var errInterrupted = errors.New("interrupted")

// interrupted replaces "context canceled", which says nothing to a user.
func interrupted(err error) error {
	var known *exit
	if errors.As(err, &known) && known.code == exitInterrupted {
		return err
	}
	return errInterrupted
}

// failure is the exit for an error of an algorithm: its input is to blame,
// unless it panicked. What a limit of the job has ended says enough without a
// stack.
func failure(err error) error {
	var full *pregel.MemoryError
	if errors.As(err, &full) || errors.Is(err, pregel.ErrNaN) {
		return input(err)
	}
	var at *pregel.VertexError
	if errors.As(err, &at) && at.Stack != "" {
		return errors.Join(err, errors.New(at.Stack))
	}
	var program *pregel.ProgramError
	if errors.As(err, &program) && program.Stack != "" {
		return errors.Join(err, errors.New(program.Stack))
	}
	return input(err)
}
