//go:build !linux

package mem

import (
	"os"
	"runtime"
)

func adviseHuge([]byte) {}

// A File is a whole file in memory; on this system it is read, not mapped.
type File struct {
	path string
	data []byte
}

// Map reads the file.
func Map(path string) (*File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return &File{path, data}, nil
}

// Bytes returns the content of the file; it must not be written to.
func (f *File) Bytes() []byte { return f.data }

// Close releases the content.
func (f *File) Close() error {
	f.data = nil
	return nil
}

// Resident returns how much memory the Go runtime holds; this system does not tell
// what is resident.
func Resident() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys - m.HeapReleased
}

// PeakResident returns 0: this system does not tell.
func PeakResident() int64 { return 0 }

// PeakResidentOf returns 0, too.
func PeakResidentOf(int) int64 { return 0 }
