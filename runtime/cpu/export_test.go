package cpu

import (
	"time"

	"gopregel/pregel"
)

// For is that of the engine's pool.
func (e *Engine) For(n int, f func(i int, w *pregel.Worker)) error { return e.pool.For(n, f) }

// Near is that of the engine's pool.
func (e *Engine) Near(n int, f func(i int, w *pregel.Worker)) error { return e.pool.near(n, f) }

// Expects tells whether the team has not been dismissed.
func (e *Engine) Expects() bool { return e.pool.team.gate.Load()&jobNone == 0 }

// Share has every thin frontier, and what functions push, done in so many shares; 0: as pays.
func (e *Engine) Share(n int) { e.shares = n }

// Bin has every frontier of who arrives thrown into bins; false: as pays.
func (e *Engine) Bin(always bool) { e.binned = always }

// ListWaits has vertices that wait for their priority listed up to so many; 0: as pays.
func (e *Engine) ListWaits(most int) { e.waits = most }

// Sample has phases not timed after a superstep whose phases take less.
func (e *Engine) Sample(below time.Duration) { e.sampled = below }
