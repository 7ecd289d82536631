//go:build !race

package graphio_test

const underRace = false
