//go:build !race

package trace

const UnderRace = false

func Some(times int) int { return times }
