//go:build !cuda

package driver

// Energy is the counter of the energy that one device has used.
type Energy struct{}

// Energy opens the device's counter.
func (d *Device) Energy() (*Energy, error) { return nil, ErrNotBuilt }

// Joules returns what the device has used since its driver was loaded.
func (e *Energy) Joules() (float64, error) { return 0, ErrNotBuilt }

// Close ends the use of the counter; a second call does nothing.
func (e *Energy) Close() error { return nil }
