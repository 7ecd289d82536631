//go:build cuda

package driver

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// faultEnv names the kernel that is to fault, in a process of its own.
const faultEnv = "GOPREGEL_DRIVER_FAULT"

// alone runs one test in another process.
func alone(t *testing.T, test string, environment ...string) string {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run", "^"+test+"$", "-test.v", "-test.timeout", "120s")
	c.Env = append(os.Environ(), environment...)
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+test) {
		t.Errorf("%s with %v: %v\n%s", test, environment, err, out)
	}
	return string(out)
}

// A kernel that faults loses the context, no more. It is run in a process of its
// own: as long as one has other contexts open, CUDA gives it no new one.
func TestFault(t *testing.T) {
	t.Parallel()
	if _, err := Devices(); errors.Is(err, ErrNoDevice) {
		t.Skip(err)
	}
	for _, kernel := range []string{"null", "misaligned", "trap", "null with another device open"} {
		t.Run(kernel, func(t *testing.T) { t.Log(alone(t, "TestFaultyProcess", faultEnv+"="+kernel)) })
	}
}

// TestFaultyProcess is the other process of TestFault: the error says what has
// happened, what the device held refuses to work, the device can be closed, and
// opened anew, or the error says to start the process again.
func TestFaultyProcess(t *testing.T) {
	kernel, shared := strings.CutSuffix(os.Getenv(faultEnv), " with another device open")
	if kernel == "" {
		t.Skip("part of TestFault")
	}
	d := open(t)
	if shared {
		other := open(t)
		b := must(alloc(other))(t)
		defer func() {
			err := other.Do(func() error { return b.Write(0, []byte{1}) })
			var e *Error
			if err != nil && !(errors.As(err, &e) && e.Fatal()) {
				t.Errorf("the other device: %v", err)
			}
			t.Logf("the other device after the fault: %v", err)
		}()
	}
	within(t, d, func() { fault(t, d, kernel) })
	check(t, d.Close(), d.Close())
	if _, err := d.Alloc(1, "x"); !errors.Is(err, errClosed) {
		t.Errorf("Alloc after Close: %v", err)
	}
	again, err := Open(0)
	if errors.Is(err, ErrRestart) {
		t.Logf("opened again: %v", err)
		return
	}
	check(t, err)
	t.Log("opened again: well")
	defer again.Close()
	within(t, again, func() {
		b := must(again.Alloc(3, "b"))(t)
		got := make([]byte, 3)
		check(t, b.Write(0, []byte("new")), b.Read(0, got))
		if string(got) != "new" {
			t.Errorf("read %q", got)
		}
	})
}

func alloc(d *Device) (b *Buffer, err error) {
	err = d.Do(func() error { b, err = d.Alloc(4, "four"); return err })
	return b, err
}

// fault runs the kernel and looks at the device afterwards.
func fault(t *testing.T, d *Device, kernel string) {
	find := load(t, d)
	k, add := find(kernel), find("add")
	b, p, v := must(d.Alloc(100, "held"))(t), must(d.Pin(100))(t), must(d.Event())(t)
	target := b
	if kernel == "null" {
		target = nil
	}
	one := Shape{Blocks: 1, Threads: 1}
	err := errors.Join(k.Launch(one, NewArgs().Buffer(target)), d.Sync())
	var e *Error
	if !errors.As(err, &e) || !e.Fatal() || errors.Is(err, ErrLost) || !strings.Contains(err.Error(), "cuStreamSynchronize()") {
		t.Fatalf("the fault: %v", err)
	}
	if want := map[string]int{"null": 700, "misaligned": 716}[kernel]; want != 0 && e.Code != want {
		t.Errorf("the fault: %v, want code %d", err, want)
	}
	t.Logf("the fault: %v", err)
	for what, err := range lostCalls(d, b, p, v, add) {
		if !errors.Is(err, ErrLost) || !errors.As(err, &e) || !e.Fatal() {
			t.Errorf("%s after the fault: %v", what, err)
		}
	}
	check(t, b.Free(), p.Free(), v.Free(), k.module.Unload(), b.Free())
	if err := b.Fill(0, 1, 1); !errors.Is(err, errFreed) {
		t.Errorf("Fill of what has been freed: %v", err)
	}
}

// lostCalls are all calls that a lost device refuses.
func lostCalls(d *Device, b *Buffer, p *Pinned, v *Event, k *Kernel) map[string]error {
	_, _, memory := d.Memory()
	_, alloc := d.Alloc(1, "x")
	_, empty := d.Alloc(0, "x")
	_, pin := d.Pin(1)
	_, event := d.Event()
	_, load := d.Load([]byte("x"))
	_, find := k.module.Kernel("add")
	_, resident := k.Resident(32, 0)
	_, done := v.Done()
	_, since := v.Since(v)
	return map[string]error{
		"Memory": memory, "Alloc": alloc, "Alloc of nothing": empty, "Pin": pin, "Event": event, "Load": load, "Module.Kernel": find,
		"Resident": resident, "Done": done, "Since": since, "Sync": d.Sync(), "Record": v.Record(), "Wait": v.Wait(),
		"Write": b.Write(0, []byte{1}), "Read": b.Read(0, make([]byte, 1)), "Fill": b.Fill(0, 1, 1), "CopyFrom": b.CopyFrom(0, b, 2, 1),
		"ReadAsync": p.ReadAsync(0, b, 0, 1), "WriteAsync": p.WriteAsync(0, b, 0, 1),
		"AllowShared": k.AllowShared(1), "Launch": k.Launch(Shape{Blocks: 1, Threads: 1}, NewArgs().Buffer(b)),
	}
}

// Once a fault is known, nothing is asked of CUDA any more: this needs no device.
func TestLostDevice(t *testing.T) {
	t.Parallel()
	d := &Device{alive: map[resource]struct{}{}}
	first := &Error{Call: "cuStreamSynchronize()", Code: 719, Name: "CUDA_ERROR_LAUNCH_FAILED"}
	d.note(&Error{Code: 701}) // leaves the context well
	check(t, d.usable())
	d.note(first)
	d.note(&Error{Call: "cuMemFree()", Code: 700})
	b, p, v := &Buffer{device: d, at: 512, size: 100, what: "held"}, &Pinned{device: d, memory: make([]byte, 100)}, &Event{device: d}
	m := &Module{device: d}
	for _, r := range []resource{b, p, v, m} {
		d.keep(r)
	}
	for what, err := range lostCalls(d, b, p, v, &Kernel{module: m, name: "add"}) {
		var e *Error
		if !errors.Is(err, ErrLost) || !errors.As(err, &e) || e != first || !strings.Contains(err.Error(), "close it and open it again") {
			t.Errorf("%s: %v", what, err)
		}
	}
	check(t, b.Free(), p.Free(), v.Free(), m.Unload())
	for what, err := range map[string]error{
		"read": b.Read(0, make([]byte, 1)), "record": v.Record(), "read to": p.ReadAsync(0, b, 0, 1),
		"launch": (&Kernel{module: m}).Launch(Shape{Blocks: 1, Threads: 1}, nil),
	} {
		if !errors.Is(err, errFreed) {
			t.Errorf("%s after Free: %v", what, err)
		}
	}
	if len(d.alive) != 0 || b.Address() != 0 || p.Bytes() != nil {
		t.Errorf("%d are left, address %d, pinned %d", len(d.alive), b.Address(), len(p.Bytes()))
	}
}

// What an earlier fault leaves behind, Open explains.
func TestOpeningAfterFault(t *testing.T) {
	t.Parallel()
	sticky := fmt.Errorf("while opening: %w", &Error{Call: "cuCtxCreate(SCHED_AUTO, 0)", Code: 700, Name: "CUDA_ERROR_ILLEGAL_ADDRESS"})
	if err := opening(sticky); !errors.Is(err, ErrRestart) || !errors.Is(err, sticky) || !strings.Contains(err.Error(), "start the process again") {
		t.Error(err)
	}
	full := &Error{Call: "cuCtxCreate(SCHED_AUTO, 0)", Code: 2}
	if err := opening(full); err != error(full) {
		t.Error(err)
	}
	if err := opening(nil); err != nil {
		t.Error(err)
	}
}
