//go:build race

package checkpoint_test

// With the race detector processes take long to begin.
const raceEnabled = true
