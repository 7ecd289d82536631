//go:build race

package scaffold_test

const race = true
