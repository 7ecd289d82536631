package job

import (
	"fmt"

	"gopregel/pregel"
)

// checkSchedule finds a schedule that the program, or another key of engine, does
// not allow.
func (j *Job) checkSchedule(d *document) {
	if why := j.noSchedule(); why != "" {
		d.errs = append(d.errs, &Error{d.at["engine.schedule"], "engine.schedule", fmt.Sprintf("found %s, %s", j.Engine.Schedule, why)})
	}
}

// noSchedule says why the job's schedule cannot be had, "" if it can.
func (j *Job) noSchedule() string {
	e := j.Engine
	relaxed := e.Schedule == pregel.Relaxed.String()
	switch {
	case relaxed && j.Kernel != nil && !j.Kernel.Relaxes:
		return "allowed: auto or bsp, as the kernel does not say that it may be relaxed (program.relaxes)"
	case relaxed && e.Determinism == "strict":
		return "allowed: auto or bsp, as determinism is strict, which uses double buffers"
	case relaxed && e.Direction == "pull":
		return "allowed: auto or bsp, as direction is pull, and what is relaxed is pushed"
	case relaxed && j.Kernel == nil && j.Algorithm != nil && !relaxes(j.Algorithm, false):
		return fmt.Sprintf("allowed: auto or bsp, as %s with these params does not allow its messages to be delivered at once", j.Program)
	case e.Device == "cuda" && j.Algorithm != nil:
		if why := NoDevice(e.Schedule, j.Program, j.Algorithm); why != "" {
			return fmt.Sprintf("allowed: another schedule, or device cpu or auto, as %s", why)
		}
	}
	return ""
}

// NoDevice says why an algorithm cannot run on a CUDA device with a schedule, ""
// if it can.
func NoDevice(schedule, program string, a pregel.Algorithm) string {
	only, ok := a.(pregel.InPlaceAlgorithm)
	switch {
	case schedule == pregel.Relaxed.String() && !relaxes(a, true):
		return program + " has no relaxed form for the GPU"
	case schedule == pregel.BSP.String() && ok && only.InPlace():
		return program + " has no form for the GPU but a relaxed one"
	}
	return ""
}

func relaxes(a pregel.Algorithm, device bool) bool {
	r, ok := a.(pregel.RelaxedAlgorithm)
	return ok && r.Relaxes(device)
}
