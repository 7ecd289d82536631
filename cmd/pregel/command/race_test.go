//go:build race

package command

// raceDetector takes memory of its own, and time.
const raceDetector = true
