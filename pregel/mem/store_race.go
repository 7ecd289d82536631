//go:build race

package mem

import (
	"sync/atomic"
	"unsafe"
)

// Store writes *p atomically: for the race detector, to which it is intended.
func Store[T Word](p *T, x T) {
	if unsafe.Sizeof(x) == 4 {
		atomic.StoreUint32(bits32(p), *bits32(&x))
		return
	}
	atomic.StoreUint64(bits64(p), *bits64(&x))
}
