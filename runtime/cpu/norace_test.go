//go:build !race

package cpu_test

const underRace = false
