//go:build cuda

package driver

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gopregel/pregel/mem"
)

// open opens the first device, or skips the test where there is none.
func open(t *testing.T) *Device {
	t.Helper()
	d, err := Open(0)
	if errors.Is(err, ErrNoDevice) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// within runs f on the device; f may use t.Fatal.
func within(t *testing.T, d *Device, f func()) {
	t.Helper()
	if err := d.Do(func() error { f(); return nil }); err != nil {
		t.Fatal(err)
	}
}

// must takes the result of a call that must not fail.
func must[T any](x T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

func check(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func randomBytes(t *testing.T, n int) []byte {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestDeviceInfo(t *testing.T) {
	d := open(t)
	list, err := Devices()
	check(t, err)
	info := d.Info()
	if info != list[0] || info.Name == "" || info.Major < 3 || info.Memory == 0 || info.Processors < 1 || info.SharedBlock < 48<<10 || info.L2 == 0 || info.Driver < 11000 {
		t.Errorf("%+v, of %+v", info, list)
	}
	if _, err := Open(len(list)); err == nil || errors.Is(err, ErrNoDevice) || !strings.Contains(err.Error(), fmt.Sprint(len(list))) {
		t.Errorf("a device too many: %v", err)
	}
	within(t, d, func() {
		free, total, err := d.Memory()
		if err != nil || free > total || total > info.Memory {
			t.Errorf("%d of %d bytes free, %v", free, total, err)
		}
	})
}

// A mapped file that is cut short while it is copied is reported, whoever copies what is missing,
// and copies after that are as ever.
func TestWriteOfCutFile(t *testing.T) {
	d := open(t)
	path := filepath.Join(t.TempDir(), "cut")
	want := randomBytes(t, 3*rooms*room)
	check(t, os.WriteFile(path, want, 0o644))
	f, err := mem.Map(path)
	check(t, err)
	defer f.Close()
	check(t, os.Truncate(path, 5*room))
	b := new(Buffer)
	within(t, d, func() { b = must(d.Alloc(uint64(len(want)), "bytes"))(t) })
	err = mem.Guarded(func() error { return d.Do(func() error { return b.Write(0, f.Bytes()) }) })
	var fault *mem.FaultError
	if !errors.As(err, &fault) || fault.Path != path || fault.Now != 5*room {
		t.Fatalf("the file of %d bytes was cut to %d: %v", len(want), 5*room, err)
	}
	within(t, d, func() {
		got := make([]byte, len(want))
		check(t, b.Write(0, want), b.Read(0, got))
		if !bytes.Equal(got, want) {
			t.Error("a copy after it differs")
		}
	})
}

// Random pieces are written and read back, at odd places and sizes, up to more
// than all rooms of the staging memory.
func TestWriteRead(t *testing.T) {
	d := open(t)
	const all, size = room * rooms, 3*room*rooms + 12345
	want := randomBytes(t, size)
	within(t, d, func() {
		b := must(d.Alloc(size, "bytes"))(t)
		check(t, b.Write(0, want))
		r := rand.New(rand.NewPCG(uint64(want[0]), 2))
		for _, n := range []int{0, 1, 3, 4, 4097, room - 1, room, room + 1, 3*room + 5, all/2 + 1, all - 1, all, all + 1, 2 * all, 3*all - 1} {
			from := r.IntN(size - n + 1)
			got := make([]byte, n)
			check(t, b.Read(uint64(from), got))
			if !bytes.Equal(got, want[from:from+n]) {
				t.Errorf("%d bytes from %d on differ", n, from)
			}
			to := r.IntN(size - n + 1)
			check(t, b.Write(uint64(to), got))
			copy(want[to:], got)
		}
		last := make([]byte, size)
		check(t, b.Read(0, last))
		if !bytes.Equal(last, want) {
			t.Error("the buffer differs after all writes")
		}
		check(t, b.Free(), b.Free())
		if err := b.Read(0, last[:1]); !errors.Is(err, errFreed) {
			t.Errorf("read of a freed buffer: %v", err)
		}
	})
}

func TestFillAndCopy(t *testing.T) {
	d := open(t)
	const size = 100_003
	want := randomBytes(t, size)
	within(t, d, func() {
		a, b := must(d.Alloc(size, "a"))(t), must(d.Alloc(size, "b"))(t)
		check(t, a.Write(0, want))
		check(t, b.Fill(0, size, 7), b.CopyFrom(11, a, 5, 70_001), b.Fill(13, 101, 255), b.CopyFrom(90_000, b, 11, 10_000))
		expected := bytes.Repeat([]byte{7}, size)
		copy(expected[11:], want[5:5+70_001])
		copy(expected[13:], bytes.Repeat([]byte{255}, 101))
		copy(expected[90_000:], expected[11:11+10_000])
		got := make([]byte, size)
		check(t, b.Read(0, got))
		if !bytes.Equal(got, expected) {
			t.Error("the bytes differ")
		}
	})
}

func TestEmptyBuffer(t *testing.T) {
	d := open(t)
	within(t, d, func() {
		b := must(d.Alloc(0, "nothing"))(t)
		p := must(d.Pin(0))(t)
		if b.Size() != 0 || b.Address() != 0 || len(p.Bytes()) != 0 {
			t.Errorf("size %d, address %d, pinned %d", b.Size(), b.Address(), len(p.Bytes()))
		}
		check(t, b.Write(0, nil), b.Read(0, nil), b.Fill(0, 0, 1), b.CopyFrom(0, b, 0, 0), p.ReadAsync(0, b, 0, 0), b.Free(), p.Free())
	})
}

func TestPinned(t *testing.T) {
	d := open(t)
	const size = 1<<20 + 3
	want := randomBytes(t, size)
	within(t, d, func() {
		b, p := must(d.Alloc(size, "b"))(t), must(d.Pin(2*size))(t)
		copy(p.Bytes(), want)
		check(t, p.WriteAsync(0, b, 0, size), p.ReadAsync(size, b, 1, size-1), d.Sync())
		if !bytes.Equal(p.Bytes()[size:2*size-1], want[1:]) {
			t.Error("the bytes differ")
		}
		check(t, p.Free(), p.Free())
		if err := p.ReadAsync(0, b, 0, 1); !errors.Is(err, errFreed) {
			t.Errorf("freed: %v", err)
		}
	})
}

// A buffer that does not fit is refused with the numbers; the device is well.
func TestOutOfMemory(t *testing.T) {
	d := open(t)
	within(t, d, func() {
		_, total, err := d.Memory()
		check(t, err)
		for _, want := range []uint64{total + 1, math.MaxUint64} {
			_, err = d.Alloc(want, "a giant")
			var oom *OutOfMemory
			if !errors.As(err, &oom) || oom.What != "a giant" || oom.Want != want || oom.Total != total || oom.Free == 0 || oom.Free > total {
				t.Errorf("%d bytes: %v", want, err)
			}
		}
		b := must(d.Alloc(4, "four"))(t)
		got := make([]byte, 4)
		check(t, b.Write(0, []byte("good")), b.Read(0, got))
		if string(got) != "good" {
			t.Errorf("afterwards %q is read", got)
		}
	})
}

func TestDoFromManyGoroutines(t *testing.T) {
	d := open(t)
	errs := make(chan error)
	var running atomic.Int32
	for g := range 20 {
		go func() {
			errs <- d.Do(func() error {
				if running.Add(1) != 1 {
					return errors.New("two functions run at once")
				}
				defer running.Add(-1)
				want := []byte{byte(g), 1, 2}
				b, err := d.Alloc(3, "three")
				if err != nil {
					return err
				}
				got := make([]byte, 3)
				err = d.Do(func() error { return errors.Join(b.Write(0, want), b.Read(0, got)) })
				if err == nil && !bytes.Equal(got, want) {
					err = fmt.Errorf("read %v, want %v", got, want)
				}
				return errors.Join(err, b.Free())
			})
		}()
	}
	for range 20 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// What ends a function otherwise than by return ends its caller in the same
// way, and the device stays usable.
func TestDoPanicAndExit(t *testing.T) {
	d := open(t)
	type mine struct{ n int }
	func() {
		defer func() {
			if p := recover(); p != (mine{3}) {
				t.Errorf("recovered %v", p)
			}
		}()
		d.Do(func() error { return d.Do(func() error { panic(mine{3}) }) })
	}()
	exited := make(chan bool, 1)
	go func() {
		returned := false
		defer func() { exited <- !returned }()
		d.Do(func() error { runtime.Goexit(); return nil })
		returned = true
	}()
	if !<-exited {
		t.Error("Goexit in f is not one in its caller")
	}
	within(t, d, func() { check(t, must(d.Alloc(5, "five"))(t).Fill(0, 5, 1), d.Sync()) })
}

func TestClose(t *testing.T) {
	d := open(t)
	var b *Buffer
	var e *Event
	var p *Pinned
	within(t, d, func() {
		b, e, p = must(d.Alloc(1<<20, "b"))(t), must(d.Event())(t), must(d.Pin(100))(t)
		check(t, b.Fill(0, b.Size(), 1), e.Record())
	})
	check(t, d.Close(), d.Close(), b.Free(), e.Free(), p.Free())
	if err := d.Do(func() error { return nil }); !errors.Is(err, errClosed) {
		t.Errorf("Do: %v", err)
	}
	if _, err := d.Alloc(1, "x"); !errors.Is(err, errClosed) {
		t.Errorf("Alloc: %v", err)
	}
	if err := b.Fill(0, 1, 1); !errors.Is(err, errFreed) || p.Bytes() != nil {
		t.Errorf("Fill: %v; pinned %v", err, p.Bytes())
	}
	d = open(t)
	check(t, d.Do(func() error { return d.Close() }))
	if err := d.Do(func() error { return nil }); !errors.Is(err, errClosed) {
		t.Errorf("Do after Close within: %v", err)
	}
}

// Calls outside of Do are told so.
func TestOutsideDo(t *testing.T) {
	d := open(t)
	if _, err := d.Alloc(1, "x"); err == nil || !strings.Contains(err.Error(), "outside Device.Do") {
		t.Errorf("Alloc: %v", err)
	}
}
