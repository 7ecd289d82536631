//go:build !linux

package mem

import "os"

func adviseHuge([]byte) {}

// A File is a whole file in memory; on this system it is read, not mapped.
type File struct {
	data []byte
}

// Map reads the file.
func Map(path string) (*File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return &File{data: data}, nil
}

// Bytes returns the content of the file; it must not be written to.
func (f *File) Bytes() []byte { return f.data }

// Close releases the content.
func (f *File) Close() error {
	f.data = nil
	return nil
}

// PeakResident returns 0: this system does not tell.
func PeakResident() int64 { return 0 }
