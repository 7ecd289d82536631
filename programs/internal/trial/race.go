//go:build race

package trial

// UnderRace tells whether this is built for the race detector, which makes all take some
// twenty times as long. What has one worker, or differs in sizes alone, is left to the tests
// without it.
const UnderRace = true
