package cuda

import "gopregel/runtime/cuda/driver"

// Energy opens the counter of the energy that the device has used.
func (e *Engine) Energy() (*driver.Energy, error) { return e.device.Energy() }

// Used returns the bytes of the device's memory that the engine holds: the
// resident graph, and buffers that are in use or kept for the next run.
func (e *Engine) Used() uint64 { return e.used }
