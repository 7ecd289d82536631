package binary

import (
	stdbinary "encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"gopregel/pregel/graph"
)

const (
	magic     = "\x89PGR\r\n\x1a\n"
	orderMark = 0x0A0B0C0D
	version   = 1

	headerSize  = 128
	entrySize   = 32
	alignment   = 64
	blockSize   = 4 << 20
	maxSections = 64

	crcAt    = headerSize - 4
	required = 0xffff // the features that must be known
)

// The kinds of sections.
const (
	outOffsets  = 1
	outTargets  = 2
	outWeights  = 3
	inOffsets   = 4
	inTargets   = 5
	inWeights   = 6
	idNumbers   = 7
	nameOffsets = 8
	nameBytes   = 9
	checksums   = 16

	ignorable = 1 << 31 // flag of a kind
)

// How ids are stored.
const (
	idsRange = iota
	idsNumbers
	idsNames
)

var (
	little     = stdbinary.LittleEndian
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

// A header is the first bytes of a file, decoded, with its table.
type header struct {
	size      uint64
	vertices  uint64
	arcs      uint64
	loops     uint64
	base      uint64
	directed  bool
	weights   graph.WeightKind
	ids       uint8
	features  uint32
	blockSize uint32
	sections  []section
}

// A section is a run of equal elements in the file.
type section struct {
	kind    uint32
	element uint32
	start   uint64
	length  uint64 // in bytes
}

// padded returns x rounded up to where a section may start.
func padded(x uint64) uint64 { return (x + alignment - 1) &^ (alignment - 1) }

// find returns the section of the given kind.
func (h *header) find(kind uint32) (section, bool) {
	for _, s := range h.sections {
		if s.kind == kind {
			return s, true
		}
	}
	return section{}, false
}

// body is the length of what the checksums cover: all before them.
func (h *header) body() uint64 { return h.sections[len(h.sections)-1].start }

// blocks is the number of checksums.
func (h *header) blocks() uint64 { return (h.body() + blockSize - 1) / blockSize }

// plan sets the sections of a file with the facts of h, and its size. Foreign
// sections, with kinds and lengths, come behind its own.
func (h *header) plan(withIn bool, nameLength uint64, foreign ...section) {
	h.sections = nil
	for _, kind := range h.kinds(withIn) {
		element, count := h.shape(kind)
		length := element * count
		if kind == nameBytes {
			length = nameLength
		}
		h.sections = append(h.sections, section{kind: kind, element: uint32(element), length: length})
	}
	h.sections = append(append(h.sections, foreign...), section{kind: checksums, element: 4})
	at := uint64(headerSize + entrySize*len(h.sections))
	for i := range h.sections {
		s := &h.sections[i]
		s.start = padded(at)
		if s.kind == checksums {
			s.length = 4 * (h.blocks() + 1)
		}
		at = s.start + s.length
	}
	h.size = at
}

// kinds lists the sections a file with the facts of h has, in their order.
func (h *header) kinds(withIn bool) []uint32 {
	kinds := []uint32{outOffsets, outTargets}
	weighted := h.weights != graph.Unweighted
	if weighted {
		kinds = append(kinds, outWeights)
	}
	if withIn {
		kinds = append(kinds, inOffsets, inTargets)
	}
	if withIn && weighted {
		kinds = append(kinds, inWeights)
	}
	switch h.ids {
	case idsNumbers:
		kinds = append(kinds, idNumbers)
	case idsNames:
		kinds = append(kinds, nameOffsets, nameBytes)
	}
	return kinds
}

// shape returns the size of an element of a section and how many it has. The
// length of nameBytes, which the header does not tell, is left 0.
func (h *header) shape(kind uint32) (element, count uint64) {
	switch kind {
	case outOffsets, inOffsets, nameOffsets:
		return 8, h.vertices + 1
	case outTargets, inTargets, outWeights, inWeights:
		return 4, h.arcs
	case idNumbers:
		return 8, h.vertices
	}
	return 1, 0
}

// encode returns the header and its table as they stand in the file.
func (h *header) encode() []byte {
	b := make([]byte, headerSize+entrySize*len(h.sections))
	copy(b, magic)
	little.PutUint32(b[8:], orderMark)
	little.PutUint32(b[12:], version)
	for i, x := range []uint64{h.size, h.vertices, h.arcs, h.loops, h.base} {
		little.PutUint64(b[16+8*i:], x)
	}
	if h.directed {
		b[56] = 1
	}
	b[57], b[58] = byte(h.weights), h.ids
	little.PutUint32(b[60:], h.features)
	little.PutUint32(b[64:], uint32(len(h.sections)))
	little.PutUint32(b[68:], h.blockSize)
	for i, s := range h.sections {
		e := b[headerSize+entrySize*i:]
		little.PutUint32(e, s.kind)
		little.PutUint32(e[4:], s.element)
		little.PutUint64(e[8:], s.start)
		little.PutUint64(e[16:], s.length)
	}
	little.PutUint32(b[crcAt:], headerSum(b))
	return b
}

// headerSum is the checksum of an encoded header and table, itself left out.
func headerSum(b []byte) uint32 {
	return crc32.Update(crc32.Checksum(b[:crcAt], castagnoli), castagnoli, b[headerSize:])
}

// littleEndian reports a host that cannot use the arrays in place.
func littleEndian() error {
	if stdbinary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return fmt.Errorf("binary graphs are little-endian and used in place; this host is big-endian: convert to a text format elsewhere")
	}
	return nil
}

// checkFacts reports facts that no graph has.
func (h *header) checkFacts() error {
	switch {
	case h.features&required != 0:
		return fmt.Errorf("features %#x are unknown to this program: a newer gopregel wrote the file", h.features&required)
	case h.blockSize != blockSize:
		return fmt.Errorf("%d bytes a checksum, want %d", h.blockSize, blockSize)
	case h.vertices > graph.MaxVertices || h.vertices >= math.MaxInt:
		return fmt.Errorf("%d vertices, at most %d fit", h.vertices, uint64(min(graph.MaxVertices, math.MaxInt-1)))
	case h.arcs > h.size/4:
		return fmt.Errorf("%d arcs in a file of %d bytes", h.arcs, h.size)
	case h.loops > h.arcs || !h.directed && (h.arcs-h.loops)%2 != 0:
		return fmt.Errorf("%d self-loops do not go with %d arcs", h.loops, h.arcs)
	case h.weights > graph.Float32:
		return fmt.Errorf("weights of kind %d, want 0 to %d", h.weights, graph.Float32)
	case h.ids > idsNames:
		return fmt.Errorf("ids of kind %d, want 0 to %d", h.ids, idsNames)
	case h.ids != idsRange && h.base != 0:
		return fmt.Errorf("first id %d though ids are not a range", h.base)
	case h.vertices > 0 && h.base > math.MaxUint64-(h.vertices-1):
		return fmt.Errorf("%d ids from %d on pass 2^64-1", h.vertices, h.base)
	}
	return nil
}
