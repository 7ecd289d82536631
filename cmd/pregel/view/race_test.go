//go:build race

package view

// raceDetector has nothing to find in a browser.
const raceDetector = true
