//go:build !race

package certify_test

func some(times int) int { return times }
