//go:build !race

package cpu_test

const underRace = false

func numbers(list ...int) []int { return list }

func some[T any](list ...T) []T { return list }
