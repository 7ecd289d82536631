//go:build race

package graph

// UnderRace: what one goroutine does is tried to its full extent without the race detector.
const UnderRace = true
