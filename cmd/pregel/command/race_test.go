//go:build race

package command

// raceDetector takes memory of its own.
const raceDetector = true
