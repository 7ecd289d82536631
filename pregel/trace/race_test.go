//go:build race

package trace

// UnderRace: what differs in sizes and random draws alone, or has one goroutine, is done to
// its full extent by the tests without the race detector.
const UnderRace = true

// Some of so many draws.
func Some(times int) int { return max(times/8, 1) }
