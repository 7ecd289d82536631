package bench

import (
	"os"
	"runtime/debug"

	"gopregel/pregel/mem"
)

// beginPeak gives unused memory back to the system, what runs of another program have
// left for the next (mem.Give) included, and, where Linux lets it,
// forgets the largest resident size of the process so far. It tells whether it has:
// else mem.PeakResident is that of the whole process so far.
func beginPeak() bool {
	mem.Drop()
	debug.FreeOSMemory()
	return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil
}
