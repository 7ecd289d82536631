package soak

import (
	"context"
	"fmt"

	"gopregel/pregel"
	"gopregel/runtime/cpu"
)

// This file runs trials on a device: the answer there is held to that of one worker of the CPU.

// A Device has engines of what is not the CPU.
type Device interface {
	// Engine returns one with a trial's options, the same one whenever they are the same.
	Engine(e Engine) (pregel.Engine, error)
}

// Parsed are the options of an engine, as engines have them.
func (e *Engine) Parsed() cpu.Options {
	return cpu.Options{Workers: e.Workers, Strict: e.Determinism == "strict",
		Direction: map[string]pregel.Direction{"push": pregel.Push, "pull": pregel.Pull}[e.Direction],
		Schedule:  map[string]pregel.Schedule{"bsp": pregel.BSP, "relaxed": pregel.Relaxed}[e.Schedule]}
}

// engine is what the trial's program runs on.
func (c *checker) engine() (pregel.Engine, error) {
	switch e := &c.Engine; {
	case e.Device == "":
		return cpu.New(e.Parsed()), nil
	case c.device == nil:
		return nil, fmt.Errorf("device: found %s, want none: there is no such engine here", e.Device)
	default:
		return c.device.Engine(*e)
	}
}

// lost tells whether a device fails after a trial has gone wrong there, whatever is asked of it: it is no use
// then to make the trial smaller. It is asked for one edge, without options.
func (o *Options) lost(ctx context.Context, t *Trial, dir string) bool {
	if t.Engine.Device == "" {
		return false
	}
	plain := *t
	plain.Graph.Lines = t.Graph.Lines[:1]
	if source, ok := t.Params["source"]; ok {
		plain.Graph.Lines = []string{source + " " + source}
	}
	plain.Engine = Engine{Workers: 1, Direction: "auto", Determinism: "default", Schedule: "bsp", Order: "none", Device: t.Engine.Device}
	return o.check(ctx, &plain, dir) != nil
}
