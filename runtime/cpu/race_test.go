//go:build race

package cpu_test

// underRace: the contract runs with one number of workers, more than one: the race
// detector finds no more with others, and takes minutes.
const underRace = true
