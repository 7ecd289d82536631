//go:build race

package mem

import "bytes"

// nonsense and blank are what arrays are filled with and compared to by the block: byte
// by byte the race detector would look at each, which took half of the time of some tests.
var nonsense, blank = bytes.Repeat([]byte{0xa5}, 1<<12), bytes.Repeat([]byte{0xff}, 1<<12)

// spoil fills an array that nobody may read, so that who does is found out.
func spoil[T any](s []T) {
	for b := Raw(s); len(b) > 0; {
		b = b[copy(b, nonsense):]
	}
}

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
