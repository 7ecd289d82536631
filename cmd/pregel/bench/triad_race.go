//go:build race

package bench

// The race detector looks at each number, for ten seconds if they are as many as elsewhere,
// and what is measured is its own time.
const triadLength = 1 << 16
