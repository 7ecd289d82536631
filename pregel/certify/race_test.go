//go:build race

package certify_test

// some of so many draws: those of small graphs, which one goroutine checks, find nothing for the
// race detector, and are tried in full without it.
func some(times int) int { return max(times/8, 1) }
