//go:build cuda

package driver

import (
	"bytes"
	"encoding/binary"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// value shows what CUDA reads as argument i.
func (a *Args) value(i int) []byte {
	at := unsafe.Pointer(a.pointers())
	pointers := unsafe.Slice((*unsafe.Pointer)(at), argSlots)
	return unsafe.Slice((*byte)(pointers[i]), a.size[i])
}

func TestArgs(t *testing.T) {
	a := NewArgs().Uint32(7).Uint64(1 << 40).Float32(1.5).Float64(-2.5).Bytes([]byte("hello")).Buffer(nil).Buffer(&Buffer{at: 4096})
	a.SetUint32(0, 8)
	a.SetUint64(1, 1<<41)
	a.SetFloat64(3, 3.5)
	a.SetBytes(4, []byte("HELLO"))
	a.SetBuffer(5, &Buffer{at: 512})
	runtime.GC()
	want := [][]byte{
		binary.NativeEndian.AppendUint32(nil, 8), binary.NativeEndian.AppendUint64(nil, 1<<41),
		binary.NativeEndian.AppendUint32(nil, math.Float32bits(1.5)), binary.NativeEndian.AppendUint64(nil, math.Float64bits(3.5)),
		[]byte("HELLO"), binary.NativeEndian.AppendUint64(nil, 512), binary.NativeEndian.AppendUint64(nil, 4096),
	}
	for i, w := range want {
		if got := a.value(i); !bytes.Equal(got, w) {
			t.Errorf("argument %d is %v, want %v", i, got, w)
		}
	}
	if a.failure() != nil || !slices.Equal(a.sizes(), []int{4, 8, 4, 8, 5, 8, 8}) {
		t.Errorf("sizes %v, %v", a.sizes(), a.failure())
	}
	for _, at := range a.at {
		if at%8 != 0 {
			t.Errorf("a value starts at byte %d", at)
		}
	}
	if n := testing.AllocsPerRun(100, func() { a.SetUint32(0, 9); a.SetUint64(1, 10); a.SetBuffer(5, nil) }); n != 0 {
		t.Errorf("%v allocations to replace arguments", n)
	}
}

func TestArgsErrors(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]func(a *Args){
		"argument 3 is replaced, there are 2": func(a *Args) { a.SetUint32(3, 1) },
		"argument -1 is replaced":             func(a *Args) { a.SetUint32(-1, 1) },
		"has 4 bytes, its replacement 8":      func(a *Args) { a.SetBuffer(0, nil) },
		"argument 2: more than 4096 bytes":    func(a *Args) { a.Bytes(make([]byte, 4096)); a.Uint32(1) },
		"has 8 bytes, its replacement 2":      func(a *Args) { a.SetBytes(1, make([]byte, 2)); a.SetUint32(0, 1) },
		"argument 512: more than 4096 bytes of ": func(a *Args) {
			for range 600 {
				a.Uint32(1)
			}
		},
	} {
		a := NewArgs().Uint32(1).Uint64(2)
		f(a)
		if err := a.failure(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Arguments are held against what the driver says of a kernel's parameters.
func TestArgumentsFit(t *testing.T) {
	t.Parallel()
	k := &Kernel{name: "f", known: true, parameters: []int{8, 4}}
	for want, a := range map[string]*Args{
		"": NewArgs().Buffer(nil).Uint32(1),
		"kernel f: 0 arguments given, it has 2 parameters":      nil,
		"kernel f: 1 arguments given, it has 2 parameters":      NewArgs().Buffer(nil),
		"kernel f: argument 1 has 8 bytes, the parameter has 4": NewArgs().Buffer(nil).Uint64(1),
		"kernel f: 3 arguments given, it has 2 parameters":      NewArgs().Buffer(nil).Uint32(1).Uint32(1),
		"kernel f: argument 0 has 4 bytes, the parameter has 8": NewArgs().Uint32(1).Uint32(1),
	} {
		if err := k.fits(a); want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A launch with a buffer that has been freed, or is another device's, is refused.
func TestArgumentsReach(t *testing.T) {
	t.Parallel()
	d := new(Device)
	k := &Kernel{name: "f", module: &Module{device: d}}
	good, freed, foreign := &Buffer{device: d, at: 512, what: "good"}, &Buffer{device: d, what: "gone"}, &Buffer{device: new(Device), at: 512, what: "theirs"}
	freed.freed = true
	replaced, number := NewArgs().Buffer(freed), NewArgs().Uint32(1).Buffer(freed)
	replaced.SetBuffer(0, good)
	number.SetUint64(1, 7)
	late := NewArgs().Uint32(1).Buffer(good)
	late.SetBuffer(1, freed)
	for _, c := range []struct {
		a    *Args
		want string
	}{
		{nil, ""}, {NewArgs(), ""}, {NewArgs().Buffer(nil).Buffer(good).Uint64(512), ""}, {replaced, ""}, {number, ""},
		{NewArgs().Uint32(1).Buffer(freed), `kernel f: argument 1: buffer "gone" has been freed`},
		{late, `kernel f: argument 1: buffer "gone" has been freed`},
		{NewArgs().Buffer(foreign), `kernel f: argument 0: buffer "theirs" belongs to another device`},
	} {
		if err := k.reaches(c.a); c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
