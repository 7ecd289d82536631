//go:build race

package graphio_test

// underRace: the race detector learns as much from a few graphs of each form.
const underRace = true
