//go:build emulate && !cuda && cgo

package driver

// Sequences does nothing: here everything is done at once.
type Sequences struct{}

// NewSequences makes one.
func (d *Device) NewSequences() *Sequences { return &Sequences{} }

// Collect begins with a sequence.
func (d *Device) Collect(*Sequences) error { return d.usable() }

func (d *Device) flush() error { return nil }

func (d *Device) settle() {}
