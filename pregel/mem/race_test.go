//go:build race

package mem_test

// With the race detector SumRows does nothing.
const raceEnabled = true
