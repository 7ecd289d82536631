package mem

import (
	"encoding/binary"
	"unsafe"
)

// Bits is which of 64 are true: bit i is that of list[i].
func Bits(list *[64]bool) (set uint64) {
	bytes := (*[64]byte)(unsafe.Pointer(list)) // 1 where it is true
	for i := 0; i < 64; i += 8 {
		// Byte k, times 2^(56-7k), is bit 56+k of the product, and no two meet on the way.
		set |= binary.LittleEndian.Uint64(bytes[i:]) * 0x0102040810204080 >> 56 << i
	}
	return set
}
