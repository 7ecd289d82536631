package binary

import (
	"fmt"
	"slices"

	"gopregel/pregel/graph"
)

// decodeHeader reads the header and table at the start of a file of the given
// size. Of a longer file b may be just the first headerLimit bytes.
func decodeHeader(b []byte, size uint64) (*header, error) {
	count, err := decodePreamble(b, size)
	if err != nil {
		return nil, err
	}
	b = b[:headerSize+entrySize*count]
	if got, want := headerSum(b), little.Uint32(b[crcAt:]); got != want {
		return nil, fmt.Errorf("header damaged: checksum %08x, want %08x", got, want)
	}
	h := &header{
		size: little.Uint64(b[16:]), vertices: little.Uint64(b[24:]), arcs: little.Uint64(b[32:]),
		loops: little.Uint64(b[40:]), base: little.Uint64(b[48:]), directed: b[56] == 1,
		weights: graph.WeightKind(b[57]), ids: b[58], features: little.Uint32(b[60:]), blockSize: little.Uint32(b[68:]),
	}
	switch {
	case size < h.size:
		return nil, fmt.Errorf("truncated: %d bytes of %d", size, h.size)
	case size > h.size:
		return nil, fmt.Errorf("%d bytes, want %d: something was appended", size, h.size)
	case b[56] > 1:
		return nil, fmt.Errorf("header: direction %d, want 0 or 1", b[56])
	case b[59] != 0 || nonZero(b[72:crcAt]) >= 0:
		return nil, fmt.Errorf("header: reserved bytes are not zero")
	}
	if err := h.checkFacts(); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if err := h.decodeTable(b[headerSize:]); err != nil {
		return nil, fmt.Errorf("section table: %w", err)
	}
	return h, nil
}

// headerLimit is the most bytes a header with its table takes.
const headerLimit = headerSize + entrySize*maxSections

// decodePreamble checks what must be right before the rest can be understood
// and returns the number of sections.
func decodePreamble(b []byte, size uint64) (sections int, err error) {
	if start := b[:min(len(b), len(magic))]; string(start) != magic[:len(start)] || len(start) == 0 {
		return 0, fmt.Errorf("not a gopregel binary graph: starts with %q, want %q", start, magic)
	}
	if len(b) < headerSize {
		return 0, fmt.Errorf("truncated: %d bytes, the header alone takes %d", size, headerSize)
	}
	switch mark := little.Uint32(b[8:]); mark {
	case orderMark:
	case 0x0D0C0B0A:
		return 0, fmt.Errorf("written in big-endian byte order, want little-endian")
	default:
		return 0, fmt.Errorf("header damaged: byte order mark %08x, want %08x", mark, orderMark)
	}
	if v := little.Uint32(b[12:]); v != version {
		return 0, fmt.Errorf("version %d of the format, this program reads version %d", v, version)
	}
	n := little.Uint32(b[64:])
	switch {
	case n == 0 || n > maxSections:
		return 0, fmt.Errorf("header damaged: %d sections, want 1 to %d", n, maxSections)
	case len(b) < headerSize+entrySize*int(n):
		return 0, fmt.Errorf("truncated: %d bytes, header and section table take %d", size, headerSize+entrySize*n)
	}
	return int(n), nil
}

func (h *header) decodeTable(b []byte) error {
	at := uint64(headerSize + len(b))
	for i := 0; len(b) > 0; i++ {
		s := section{little.Uint32(b), little.Uint32(b[4:]), little.Uint64(b[8:]), little.Uint64(b[16:])}
		switch {
		case little.Uint64(b[24:]) != 0:
			return fmt.Errorf("entry %d: reserved bytes are not zero", i)
		case s.start != padded(at):
			return fmt.Errorf("entry %d: starts at %d, want %d", i, s.start, padded(at))
		case s.start > h.size || s.length > h.size-s.start:
			return fmt.Errorf("entry %d: bytes %d to %d of a file of %d", i, s.start, s.start+s.length, h.size)
		}
		h.sections = append(h.sections, s)
		at = s.start + s.length
		b = b[entrySize:]
	}
	if at != h.size {
		return fmt.Errorf("the last section ends at %d, the file at %d", at, h.size)
	}
	return h.checkSections()
}

// checkSections compares the table with the one that goes with the facts.
func (h *header) checkSections() error {
	var known []uint32
	for _, s := range h.sections {
		if s.kind&ignorable == 0 {
			known = append(known, s.kind)
		}
	}
	_, withIn := h.find(inOffsets)
	want := append(h.kinds(withIn && h.directed), checksums)
	if !slices.Equal(known, want) {
		return fmt.Errorf("sections of kinds %v, want %v", known, want)
	}
	if last := h.sections[len(h.sections)-1]; last.kind != checksums {
		return fmt.Errorf("the last section is of kind %#x, want %d", last.kind, checksums)
	}
	for _, s := range h.sections {
		element, count := h.shape(s.kind)
		length := element * count
		switch {
		case s.kind&ignorable != 0:
			continue
		case s.kind == nameBytes:
			length = s.length
		case s.kind == checksums:
			element, length = 4, 4*(h.blocks()+1)
		}
		if s.length != length || uint64(s.element) != element {
			return fmt.Errorf("section of kind %d: %d bytes in elements of %d, want %d in elements of %d", s.kind, s.length, s.element, length, element)
		}
	}
	return nil
}

// nonZero returns where the first byte that is not zero stands, or -1.
func nonZero(b []byte) int { return slices.IndexFunc(b, func(x byte) bool { return x != 0 }) }
