package bench

import (
	"os"
	"runtime/debug"
)

// beginPeak gives unused memory back to the system and, where Linux lets it,
// forgets the largest resident size of the process so far. It tells whether it has:
// else mem.PeakResident is that of the whole process so far.
func beginPeak() bool {
	debug.FreeOSMemory()
	return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil
}
