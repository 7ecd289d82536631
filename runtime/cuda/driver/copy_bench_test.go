//go:build cuda

package driver

import (
	"errors"
	"fmt"
	"testing"

	"gopregel/pregel/mem"
)

// BenchmarkCopy is what a copy from and to the host takes, in memory that has been written before, and in
// memory that is new.
//
//	go test -tags cuda -run - -bench Copy ./runtime/cuda/driver
func BenchmarkCopy(b *testing.B) {
	d, err := Open(0)
	if errors.Is(err, ErrNoDevice) {
		b.Skip(err)
	}
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	for _, size := range []int{1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 28} {
		kept := make([]byte, size)
		for _, x := range []struct {
			name string
			host func() []byte
			copy func(*Buffer, uint64, []byte) error
		}{
			{"read", func() []byte { return kept }, (*Buffer).Read},
			{"read, new", func() []byte { return make([]byte, size) }, (*Buffer).Read},
			{"read, taken", func() []byte { return mem.Take[byte](size) }, (*Buffer).Read},
			{"write", func() []byte { return kept }, (*Buffer).Write},
		} {
			b.Run(fmt.Sprintf("%s/%d", x.name, size), func(b *testing.B) {
				b.SetBytes(int64(size))
				err := d.Do(func() error {
					buffer, err := d.Alloc(uint64(size), "copies")
					if err != nil {
						return err
					}
					defer buffer.Free()
					for b.Loop() {
						b.StopTimer()
						host := x.host()
						b.StartTimer()
						if err := x.copy(buffer, 0, host); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}
