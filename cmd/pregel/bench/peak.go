package bench

import (
	"bytes"
	"os"
	"runtime/debug"
	"strconv"

	"gopregel/pregel/mem"
)

// A peak tells the largest resident size of the process since it was begun.
type peak struct{ whole bool }

// beginPeak gives unused memory back to the system and, where Linux lets it,
// forgets the largest size so far.
func beginPeak() peak {
	debug.FreeOSMemory()
	return peak{whole: os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) != nil}
}

// bytes returns the largest size; of the whole process so far where that could
// not be forgotten, 0 where the system does not tell.
func (p peak) bytes() int64 {
	if p.whole {
		return mem.PeakResident()
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return mem.PeakResident()
	}
	return highWater(status)
}

// highWater finds VmHWM in the status of a process.
func highWater(status []byte) int64 {
	_, rest, _ := bytes.Cut(status, []byte("\nVmHWM:"))
	line, _, _ := bytes.Cut(rest, []byte("kB"))
	kilobytes, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 10, 64)
	if err != nil {
		return 0
	}
	return kilobytes * 1024
}
