//go:build !race

package view

const raceDetector = false
