//go:build cuda

package cuda

// GiveUp frees the resident graph and the spare buffers: what Used tells then is
// lost.
func (e *Engine) GiveUp() error {
	return e.device.Do(func() error {
		if e.graph != nil {
			e.graph.free()
			e.graph = nil
		}
		e.drain()
		return nil
	})
}
