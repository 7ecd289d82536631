// Package race tells tests whether they run under the race detector, which makes all take some
// ten to twenty times as long. It finds out what goroutines share: what one goroutine does, or
// differs in sizes, types and random draws alone, is tried in full by the same tests without it.
//
// It imports nothing of this module, so that tests within any package may use it.
package race

import "math/rand/v2"

// Times are so many draws, or with the race detector an eighth of them.
func Times(n int) int {
	if On {
		n = max(n/8, 1)
	}
	return n
}

// Workers are numbers of workers to try, of a list that begins with one: with the race detector
// the second alone, as it finds nothing with one worker, and no more with others.
func Workers(list ...int) []int {
	if On {
		list = list[1:2]
	}
	return list
}

// Some of a list of ways to do the same: with the race detector any one.
func Some[T any](list ...T) []T {
	if On {
		i := rand.IntN(len(list))
		list = list[i : i+1]
	}
	return list
}
