//go:build race

package conformance_test

// underRace: the race detector makes the large graphs take minutes.
const underRace = true
