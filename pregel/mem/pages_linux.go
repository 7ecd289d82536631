//go:build linux

package mem

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

const madvHugePage = 14

// adviseHuge asks for huge pages; a kernel without them is no error.
func adviseHuge(b []byte) {
	if len(b) > 0 {
		_ = syscall.Madvise(b, madvHugePage)
	}
}

// A File is a whole file mapped read-only into memory.
type File struct {
	path string
	data []byte
}

// Map maps the file read-only. Its bytes stay valid until Close.
func Map(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", path)
	}
	if info.Size() == 0 {
		return &File{}, nil
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map %s (%d bytes): %w", path, info.Size(), err)
	}
	mapping := &File{path, data}
	mapping.note()
	return mapping, nil
}

// Bytes returns the content of the file; writing to it faults.
func (f *File) Bytes() []byte { return f.data }

// Close unmaps the file. Slices of its bytes must not be used afterwards.
func (f *File) Close() error {
	if f.data == nil {
		return nil
	}
	f.forget()
	data := f.data
	f.data = nil
	return syscall.Munmap(data)
}

// Resident returns how many bytes of its own this process holds in memory: without
// the pages of mapped files, which the system takes back when others need them. It
// is 0 where the system does not tell.
func Resident() uint64 {
	text, err := os.ReadFile("/proc/self/statm") // pages: in all, resident, of those in files or shared
	if err != nil {
		return 0
	}
	var all, resident, shared uint64
	if _, err := fmt.Sscan(string(text), &all, &resident, &shared); err != nil {
		return 0
	}
	return (resident - min(shared, resident)) * uint64(os.Getpagesize())
}

// PeakResident returns the largest resident size of this process so far, in
// bytes. It is not Getrusage's, which begins with that of the process it was
// started by.
func PeakResident() int64 { return peakIn("/proc/self/status") }

// PeakResidentOf is PeakResident of another process, 0 once it has ended.
func PeakResidentOf(pid int) int64 { return peakIn("/proc/" + strconv.Itoa(pid) + "/status") }

func peakIn(file string) int64 {
	status, err := os.ReadFile(file)
	if err != nil {
		return 0
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
