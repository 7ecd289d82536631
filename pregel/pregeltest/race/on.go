//go:build race

package race

// On: this is built for the race detector.
const On = true
