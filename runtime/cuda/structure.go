package cuda

import (
	"encoding/binary"

	"gopregel/runtime/cuda/driver"
)

// structure is a C struct in the making.
type structure struct{ b []byte }

func (w *structure) u32(list ...uint32) {
	for _, x := range list {
		w.b = binary.LittleEndian.AppendUint32(w.b, x)
	}
}

func (w *structure) u64(list ...uint64) {
	for _, x := range list {
		w.b = binary.LittleEndian.AppendUint64(w.b, x)
	}
}

func (w *structure) buffers(list ...*driver.Buffer) {
	for _, b := range list {
		if b == nil {
			w.u64(0)
		} else {
			w.u64(b.Address())
		}
	}
}
