//go:build !race

package trial

const UnderRace = false
