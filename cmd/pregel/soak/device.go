package soak

import (
	"errors"
	"fmt"

	"gopregel/pregel"
	"gopregel/runtime/cpu"
)

// This file runs trials on a device: the answer there is held to that of one worker of the CPU.

// A Device has engines of what is not the CPU.
type Device interface {
	// Engine returns one with a trial's options. It may close those that it gave before.
	Engine(e Engine) (pregel.Engine, error)
	// Close closes all. A trial has failed, and the engine may have with it: the next is a new one.
	Close() error
}

// noEngine is why a trial was not tried: there is no engine for it. It has not failed.
type noEngine struct{ error }

func (n noEngine) Unwrap() error { return n.error }

// untried tells whether an error is of that kind.
func untried(err error) bool {
	var none noEngine
	return errors.As(err, &none)
}

// Parsed are the options of an engine, as engines have them.
func (e *Engine) Parsed() cpu.Options {
	return cpu.Options{Workers: e.Workers, Strict: e.Determinism == "strict",
		Direction: map[string]pregel.Direction{"push": pregel.Push, "pull": pregel.Pull}[e.Direction],
		Schedule:  map[string]pregel.Schedule{"bsp": pregel.BSP, "relaxed": pregel.Relaxed}[e.Schedule]}
}

// engine is what the trial's program runs on.
func (c *checker) engine() (pregel.Engine, error) {
	e := &c.Engine
	switch {
	case e.Device == "":
		return cpu.New(e.Parsed()), nil
	case c.device == nil:
		return nil, noEngine{fmt.Errorf("device: found %s, and there is no such engine here", e.Device)}
	}
	there, err := c.device.Engine(*e)
	if err != nil {
		return nil, noEngine{fmt.Errorf("device %s: %w", e.Device, err)}
	}
	return there, nil
}

// runsOf counts what an engine has run on its device, where it does.
func runsOf(e pregel.Engine) (runs int, counted bool) {
	if e, ok := e.(interface{ Runs() int }); ok {
		return e.Runs(), true
	}
	return 0, false
}
