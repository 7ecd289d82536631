package command

import (
	"errors"
	"fmt"
	"slices"

	"gopregel/cmd/pregel/soak"
	"gopregel/pregel"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// This file opens the engines of soak --device cuda: a few at a time, as each has memory of the GPU of its own.

// fleet has engines of one GPU, those of the options that were asked for last.
type fleet struct {
	gpu     int
	members []member // the one asked for last is the last
}

// A member is an engine and the options of the trials that it is for.
type member struct {
	options soak.Engine
	engine  *cuda.Engine
}

const (
	// fleetWorkers are those of the host, for what of a program is not the GPU's.
	fleetWorkers = 2
	// fleetMost is how many engines are open, at most: an H200 had no memory for a context more when six
	// processes had opened some twenty each.
	fleetMost = 3
)

// Engine returns the engine of a trial.
func (f *fleet) Engine(e soak.Engine) (pregel.Engine, error) {
	if e.Device != "cuda" {
		return nil, fmt.Errorf("found %q, allowed: cuda", e.Device)
	}
	e.Workers, e.Order = fleetWorkers, ""
	if i := slices.IndexFunc(f.members, func(m member) bool { return m.options == e }); i >= 0 {
		have := f.members[i]
		f.members = append(slices.Delete(f.members, i, i+1), have)
		return have.engine, nil
	}
	if len(f.members) == fleetMost {
		oldest := f.members[0].engine
		f.members = slices.Delete(f.members, 0, 1)
		if err := oldest.Close(); err != nil {
			return nil, err
		}
	}
	o := e.Parsed()
	made, err := cuda.Open(cuda.Options{Device: f.gpu, Direction: o.Direction, Strict: o.Strict, Schedule: o.Schedule,
		Wide: e.Wide, Host: cpu.New(o), Cache: kernelCache()})
	if err != nil {
		return nil, err
	}
	f.members = append(f.members, member{e, made})
	return made, nil
}

// Close closes all engines that are open.
func (f *fleet) Close() (err error) {
	for _, m := range f.members {
		err = errors.Join(err, m.engine.Close())
	}
	f.members = nil
	return err
}
