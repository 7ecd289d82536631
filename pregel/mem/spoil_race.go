//go:build race

package mem

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"unsafe"
)

// spoil fills an array that nobody may read, so that who does is found out. The race
// detector is told of it at once: of bytes one by one it took half the time of some tests.
func spoil[T any](s []T) {
	if b := Raw(s); len(b) > 0 {
		runtime.RaceWriteRange(unsafe.Pointer(&b[0]), len(b))
		overwrite(b)
	}
}

//go:norace
func overwrite(b []byte) {
	const nonsense = 0xa5
	for ; len(b) >= 8; b = b[8:] {
		binary.NativeEndian.PutUint64(b, nonsense*0x0101010101010101)
	}
	for i := range b {
		b[i] = nonsense
	}
}

var blank = bytes.Repeat([]byte{0xff}, 1<<12)

// checkBlank panics if a bit is not a one: who takes the array relies on it.
func checkBlank[T any](s []T) {
	for b := Raw(s); len(b) > 0; {
		n := min(len(b), len(blank))
		if !bytes.Equal(b[:n], blank[:n]) {
			panic("mem: GiveBlank of an array that is not blank")
		}
		b = b[n:]
	}
}
