//go:build !cuda && !emulate

package driver

import (
	"errors"
	"testing"
)

// Without the tag all that could do something says that it cannot.
func TestNotBuilt(t *testing.T) {
	t.Parallel()
	var (
		d Device
		b Buffer
		p Pinned
		e Event
		m Module
		k Kernel
	)
	_, devices := Devices()
	_, open := Open(0)
	_, compile := Compile("x.cu", "", CompileOptions{Arch: "sm_90"})
	_, compiler := Compiler()
	_, _, memory := d.Memory()
	_, alloc := d.Alloc(1, "x")
	_, pin := d.Pin(1)
	_, event := d.Event()
	_, load := d.Load(nil)
	_, kernel := m.Kernel("x")
	_, resident := k.Resident(32, 0)
	_, done := e.Done()
	_, since := e.Since(&e)
	for what, err := range map[string]error{
		"Devices": devices, "Open": open, "Compile": compile, "Compiler": compiler, "Memory": memory, "Alloc": alloc,
		"Pin": pin, "Event": event, "Load": load, "Kernel": kernel, "Resident": resident, "Done": done, "Since": since,
		"Do":    d.Do(func() error { t.Error("Do runs its function"); return nil }),
		"Sync":  d.Sync(),
		"Write": b.Write(0, nil), "Read": b.Read(0, nil), "Each": b.Each(0, 0, nil), "Fill": b.Fill(0, 0, 0), "CopyFrom": b.CopyFrom(0, &b, 0, 0),
		"ReadAsync": p.ReadAsync(0, &b, 0, 0), "WriteAsync": p.WriteAsync(0, &b, 0, 0),
		"Record": e.Record(), "Wait": e.Wait(),
		"AllowShared": k.AllowShared(1), "Launch": k.Launch(Shape{Blocks: 1, Threads: 1}, NewArgs().Uint32(1)),
	} {
		if !errors.Is(err, ErrNotBuilt) {
			t.Errorf("%s: %v, want ErrNotBuilt", what, err)
		}
	}
	for what, err := range map[string]error{"Device": d.Close(), "Buffer": b.Free(), "Pinned": p.Free(), "Event": e.Free(), "Module": m.Unload()} {
		if err != nil {
			t.Errorf("freeing a %s: %v", what, err)
		}
	}
}
