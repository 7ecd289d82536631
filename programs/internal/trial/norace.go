//go:build !race

package trial

// UnderRace tells whether this is built for the race detector.
const UnderRace = false
