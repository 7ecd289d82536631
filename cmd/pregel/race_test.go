//go:build race

package main

// raceDetector takes memory of its own.
const raceDetector = true
