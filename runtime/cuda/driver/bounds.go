//go:build (cuda || emulate) && cgo

package driver

import "fmt"

// check says whether n bytes from offset on may be touched.
func (b *Buffer) check(verb string, offset, n uint64) error {
	switch {
	case b.freed:
		return fmt.Errorf("%s: buffer %q %w", verb, b.what, errFreed)
	case offset > b.size || n > b.size-offset:
		return fmt.Errorf("%s: %d bytes from byte %d on of buffer %q, which has %d", verb, n, offset, b.what, b.size)
	}
	if err := b.device.usable(); err != nil {
		return fmt.Errorf("%s: buffer %q: %w", verb, b.what, err)
	}
	b.device.work++
	return nil
}

// Work counts what has been asked of the device, copies and launches among it:
// while it stays the same nothing new is under way.
func (d *Device) Work() uint64 { return d.work }

// part returns n bytes from the given one on.
func (p *Pinned) part(verb string, at, n uint64) ([]byte, error) {
	size := uint64(len(p.memory))
	switch {
	case p.freed:
		return nil, fmt.Errorf("%s: pinned memory %w", verb, errFreed)
	case at > size || n > size-at:
		return nil, fmt.Errorf("%s: %d bytes from byte %d on of pinned memory, which has %d", verb, n, at, size)
	}
	return p.memory[at : at+n], nil
}

// check says why a kernel of the module cannot be used.
func (m *Module) check(kernel string) error {
	if m.freed {
		return fmt.Errorf("kernel %s: its module %w", kernel, errFreed)
	}
	if err := m.device.usable(); err != nil {
		return fmt.Errorf("kernel %s: %w", kernel, err)
	}
	m.device.work++
	return nil
}

// fits compares the arguments with the kernel's parameters.
func (k *Kernel) fits(a *Args) error {
	if a.failure() != nil {
		return fmt.Errorf("kernel %s: %w", k.name, a.failure())
	}
	if !k.known {
		return nil
	}
	sizes := a.sizes()
	if len(sizes) != len(k.parameters) {
		return fmt.Errorf("kernel %s: %d arguments given, it has %d parameters", k.name, len(sizes), len(k.parameters))
	}
	for i, n := range k.parameters {
		if sizes[i] != n {
			return fmt.Errorf("kernel %s: argument %d has %d bytes, the parameter has %d", k.name, i, sizes[i], n)
		}
	}
	return nil
}

// reaches holds the buffers among the arguments against those of the device. It
// cannot see the addresses within structs.
func (k *Kernel) reaches(a *Args) error {
	if a == nil {
		return nil
	}
	for i, b := range a.buffers {
		switch {
		case b == nil:
		case b.freed:
			return fmt.Errorf("kernel %s: argument %d: buffer %q %w", k.name, i, b.what, errFreed)
		case b.device != k.module.device:
			return fmt.Errorf("kernel %s: argument %d: buffer %q belongs to another device", k.name, i, b.what)
		}
	}
	return nil
}
