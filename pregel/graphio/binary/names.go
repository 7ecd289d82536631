package binary

import (
	"fmt"
	"sync/atomic"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// Strings are kept as the offsets of their ends in one run of bytes, as arcs
// are in CSR.

func nameLength(names []string) uint64 {
	var sum uint64
	for _, s := range names {
		sum += uint64(len(s))
	}
	return sum
}

const nameBuffer = 1 << 18

func (s *sink) nameOffsets(names []string) {
	buffer := make([]byte, 8, nameBuffer) // the first offset, 0
	var sum uint64
	for _, name := range names {
		if len(buffer)+8 > nameBuffer {
			s.bytes(buffer)
			buffer = buffer[:0]
		}
		sum += uint64(len(name))
		buffer = little.AppendUint64(buffer, sum)
	}
	s.bytes(buffer)
}

func (s *sink) names(names []string) {
	buffer := make([]byte, 0, nameBuffer)
	for _, name := range names {
		if len(buffer)+len(name) > nameBuffer {
			s.bytes(buffer)
			buffer = buffer[:0]
		}
		buffer = append(buffer, name...)
	}
	s.bytes(buffer)
}

// readNames makes the table of strings over the bytes of a file.
func readNames(offsets []uint64, text []byte, workers int) (graph.IDs, error) {
	n := len(offsets) - 1
	if offsets[0] != 0 || offsets[n] != uint64(len(text)) {
		return graph.IDs{}, fmt.Errorf("string ids take bytes %d to %d, want 0 to %d", offsets[0], offsets[n], len(text))
	}
	names := mem.Make[string](n)
	var failed atomic.Pointer[error]
	parallel.Range(workers, n, 1<<14, func(_, lo, hi int) {
		for v := lo; v < hi; v++ {
			from, to := offsets[v], offsets[v+1]
			if from > to || to > uint64(len(text)) {
				err := fmt.Errorf("string id of vertex %d takes bytes %d to %d of %d", v, from, to, len(text))
				failed.CompareAndSwap(nil, &err)
				return
			}
			names[v] = mem.String(text[from:to])
		}
	})
	if err := failed.Load(); err != nil {
		return graph.IDs{}, *err
	}
	return graph.NameIDs(names)
}
