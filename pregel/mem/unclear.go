package mem

import (
	"strings"
	"unsafe"
)

// unclear returns memory of the heap as it is: make would clear what has been used
// before, which takes as long as to fill a column of an answer. strings.Builder is what
// of the standard library asks for memory so. Nobody has the string that shares it.
func unclear(size int) []byte {
	var b strings.Builder
	b.Grow(size)
	b.WriteByte(0) // the data of an empty string may be anywhere
	return unsafe.Slice(unsafe.StringData(b.String()), size)
}
