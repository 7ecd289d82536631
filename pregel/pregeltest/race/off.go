//go:build !race

package race

// On says that this is built for the race detector.
const On = false
