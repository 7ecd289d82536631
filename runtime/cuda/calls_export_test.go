//go:build emulate && !cuda

package cuda

// FailCalls has the emulated driver ask f before each call; nil: nobody.
func (e *Engine) FailCalls(f func(call string) error) { e.device.Fail = f }
