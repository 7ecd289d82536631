//go:build race

package cpu_test

import "math/rand/v2"

// underRace: the contract runs with one number of workers, more than one: the race
// detector finds no more with others, and takes minutes.
const underRace = true

// numbers of workers to try, of a list that begins with one worker: it is the second alone.
func numbers(list ...int) []int { return list[1:2] }

// some of a list of ways to do the same: any one.
func some[T any](list ...T) []T {
	i := rand.IntN(len(list))
	return list[i : i+1]
}
