//go:build cuda

package driver

import (
	"errors"
	"strings"
	"testing"
)

// On a host without a device both ways to one say so, and what to do; the
// program has not been ended by package cu.
func TestNoDevice(t *testing.T) {
	t.Parallel()
	_, err := Devices()
	if err == nil {
		alone(t, "TestNoDevice", "CUDA_VISIBLE_DEVICES=-1") // without those that there are
		return
	}
	if !errors.Is(err, ErrNoDevice) || !strings.Contains(err.Error(), "nvidia-smi") || !strings.Contains(err.Error(), "device: cpu") {
		t.Errorf("Devices: %v", err)
	}
	var e *Error
	if !errors.As(err, &e) || e.Call != "cuInit(0)" || e.Code == 0 || !strings.HasPrefix(e.Name, "CUDA_ERROR_") || e.Text == "" {
		t.Errorf("Devices: %#v", e)
	}
	if d, err := Open(0); d != nil || !errors.Is(err, ErrNoDevice) {
		t.Errorf("Open: %v, %v", d, err)
	}
}

// Buffers are checked before anything is called: this needs no device.
func TestRangesOfBuffers(t *testing.T) {
	t.Parallel()
	b := &Buffer{size: 10, what: "ranks", device: new(Device)}
	p := &Pinned{memory: make([]byte, 10)}
	big := ^uint64(0)
	for want, err := range map[string]error{
		`write: 3 bytes from byte 8 on of buffer "ranks", which has 10`:  b.Write(8, make([]byte, 3)),
		`read: 11 bytes from byte 0 on of buffer "ranks"`:                b.Read(0, make([]byte, 11)),
		`read: 2 bytes from byte 9 on of buffer "ranks"`:                 b.Each(9, 2, nil),
		`fill: 18446744073709551615 bytes from byte 5 on`:                b.Fill(5, big, 1),
		`fill: 1 bytes from byte 18446744073709551615 on`:                b.Fill(big, 1, 1),
		`copy to: 11 bytes from byte 0 on`:                               b.CopyFrom(0, b, 0, 11),
		`copy from: 5 bytes from byte 6 on`:                              b.CopyFrom(0, b, 6, 5),
		`copy within buffer "ranks": 5 bytes from 0 on to 4 overlap`:     b.CopyFrom(4, b, 0, 5),
		`copy from buffer "other" to "ranks": they belong`:               b.CopyFrom(0, &Buffer{size: 9, what: "other", device: new(Device)}, 0, 1),
		`read to: 4 bytes from byte 7 on of pinned memory, which has 10`: p.ReadAsync(7, b, 0, 4),
		`read: 4 bytes from byte 7 on of buffer "ranks"`:                 p.ReadAsync(0, b, 7, 4),
		`write from: 11 bytes from byte 0 on of pinned memory`:           p.WriteAsync(0, b, 0, 11),
		`write: 4 bytes from byte 7 on of buffer`:                        p.WriteAsync(0, b, 7, 4),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	for _, err := range []error{b.Write(10, nil), b.Read(3, nil), b.Fill(10, 0, 1), b.CopyFrom(3, b, 3, 0), p.ReadAsync(10, b, 10, 0)} {
		if err != nil {
			t.Errorf("nothing to do: %v", err)
		}
	}
	b.freed = true
	if err := b.Fill(0, 1, 1); !errors.Is(err, errFreed) {
		t.Errorf("freed: %v", err)
	}
}
