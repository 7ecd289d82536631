package cpu

import "gopregel/pregel"

// Brief is that of the engine's pool.
func (e *Engine) Brief(n int, f func(i int, w *pregel.Worker)) error { return e.pool.Brief(n, f) }

// Share has every thin frontier done in so many shares; 0: as pays.
func (e *Engine) Share(n int) { e.shares = n }
