package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"gopregel/cmd/pregel/job"
	"gopregel/cmd/pregel/plan"
	"gopregel/pregel"
	"gopregel/pregel/mem"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// A choice is the engine that a job runs on.
type choice struct {
	pregel.Engine
	device *cuda.Engine // nil: the CPU
	why    string       // of `device: auto`: what has decided; "" when the job names the device
}

func (c *choice) close() {
	if c != nil && c.device != nil {
		_ = c.device.Close() // the run is over, and its answer is on the host
	}
}

var schedules = map[string]pregel.Schedule{"bsp": pregel.BSP, "relaxed": pregel.Relaxed}

var directions = map[string]pregel.Direction{"push": pregel.Push, "pull": pregel.Pull}

func newCPU(j *job.Job) *cpu.Engine {
	return cpu.New(cpu.Options{
		Workers:   j.Engine.Workers,
		Direction: directions[j.Engine.Direction],
		Strict:    j.Engine.Determinism == "strict",
		Schedule:  schedules[j.Engine.Schedule],
	})
}

func newCUDA(j *job.Job) (*cuda.Engine, error) {
	return cuda.Open(cuda.Options{
		Device:    j.Engine.GPU,
		Direction: directions[j.Engine.Direction],
		Strict:    j.Engine.Determinism == "strict",
		Schedule:  schedules[j.Engine.Schedule],
		Host:      newCPU(j),
		Cache:     kernelCache(),
	})
}

// newEngine makes the engine that a job asks for. `device: auto` takes the GPU
// if this binary can use one, one is there and the program has a form for it;
// whether memory suffices is known later (fit).
func (a *app) newEngine(j *job.Job) (*choice, error) {
	switch j.Engine.Device {
	case "cpu":
		return &choice{Engine: newCPU(j)}, nil
	case "auto":
		if why := noGPU(j); why != "" && j.Kernel == nil {
			return &choice{Engine: newCPU(j), why: a.say(why)}, nil
		}
	}
	if _, err := driver.Devices(); err != nil {
		return nil, deviceError(j, err)
	}
	if !cuda.Supports(j.Algorithm) {
		return nil, input(j.Errorf("engine.device", "found cuda, but the program %s has no form for the GPU: set it to cpu or auto", j.Program))
	}
	e, err := newCUDA(j)
	if err != nil {
		return nil, deviceError(j, err)
	}
	c := &choice{Engine: e, device: e}
	if j.Engine.Device == "auto" {
		c.why = "it has room and the program a form for it"
	}
	return c, nil
}

// noGPU says why a job cannot run on a GPU, "" if it can.
func noGPU(j *job.Job) string {
	list, err := driver.Devices()
	switch {
	case errors.Is(err, driver.ErrNotBuilt):
		return "this pregel is built without CUDA"
	case errors.Is(err, driver.ErrNoDevice), err == nil && len(list) == 0:
		return "this host has no CUDA device"
	case err != nil:
		return err.Error()
	case !slices.ContainsFunc(list, func(i driver.Info) bool { return i.Ordinal == j.Engine.GPU }):
		return fmt.Sprintf("there is no GPU %d", j.Engine.GPU)
	case !cuda.Supports(j.Algorithm):
		return j.Program + " has no form for the GPU"
	}
	if j.Checkpoint.Dir != "" && !pregel.Resumes(j.Algorithm, true) {
		return j.Program + " has no checkpoints on a GPU"
	}
	return job.NoDevice(j.Engine.Schedule, j.Program, j.Algorithm)
}

// deviceError says where the job asks for a device that cannot be had.
func deviceError(j *job.Job, err error) error {
	field, hint := "engine.device", ""
	switch {
	case j.Kernel != nil:
		field, hint = "program.kernel", "; a kernel runs on a GPU only"
	case errors.Is(err, driver.ErrNotBuilt):
		hint = "; or set engine.device to cpu or auto"
	}
	return input(j.Errorf(field, "%w%s", err, hint))
}

// fit finds out, before the run, whether its memory suffices; with `device:
// auto` a job that does not fit on the GPU goes to the CPU. Sizes that are no
// more than estimated decide nothing but that, unless the job limits its memory.
func fit(j *job.Job, c *choice, s plan.Size) error {
	if c.device != nil {
		err := fitDevice(j, c, s)
		var short *shortage
		switch auto := j.Engine.Device == "auto" && j.Kernel == nil; {
		case errors.As(err, &short) && auto:
			c.close()
			*c = choice{Engine: newCPU(j), why: short.Error()}
		case err != nil:
			return err
		}
	}
	need, has := plan.Host(j.Algorithm, s, j.Engine, c.device != nil), hostMemory(j)
	if s.Certainty == plan.Estimated {
		if j.Limits.Bytes() == 0 {
			return nil
		}
		need.Total -= need.Total / 20 // what an estimate may be off
	}
	if has.By != "" && need.Total > has.Available {
		return input(j.Errorf("graph", "%w; see pregel plan", &shortage{"the host", need.Total, has.Available, has.By}))
	}
	return nil
}

// A shortage says that a job does not fit into memory.
type shortage struct {
	where      string
	need, free uint64
	by         string
}

func (s *shortage) Error() string {
	return fmt.Sprintf("too little memory on %s: %s are needed, %s are free (%s)", s.where, size(s.need), size(s.free), s.by)
}

// fitDevice asks again for an exact size, when the graph is loaded, where the
// first was none.
func fitDevice(j *job.Job, c *choice, s plan.Size) error {
	if s.Certainty != plan.Exact {
		return nil
	}
	free, err := c.device.Free()
	if err != nil {
		return err
	}
	if need := plan.Device(j, s); need.Total > free {
		return input(j.Errorf("graph", "%w; see pregel plan", &shortage{"the GPU", need.Total, free, c.device.Info().Name}))
	}
	return nil
}

// hostMemory is what the system, or the job's own limit, leaves to it.
func hostMemory(j *job.Job) plan.Memory {
	has := plan.HostMemory(os.DirFS("/"))
	limit := j.Limits.Bytes()
	if limit == 0 {
		return has
	}
	debug.FreeOSMemory() // what loading has left behind is not taken
	if left := limit - min(limit, mem.Resident()); has.By == "" || left < has.Available {
		return plan.Memory{Available: left, By: "limits.memory: " + j.Limits.Memory}
	}
	return has
}

// kernelCache is the folder for compiled kernels, "" where there can be none.
func kernelCache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	dir = filepath.Join(dir, "pregel", "kernels")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return ""
	}
	return dir
}
