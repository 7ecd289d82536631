package binary

import (
	"bytes"
	"context"
	"hash/crc32"

	"gopregel/pregel/graph"
)

// OpenBytes opens what could be the content of a file, looking at all of it.
func OpenBytes(data []byte) (*graph.Graph, error) {
	return open(context.Background(), data, nil, ReadOptions{Verify: VerifyAlways, Workers: 1})
}

// DecodeGAPBS reads what could be the content of a .sg or .wsg file.
func DecodeGAPBS(data []byte, ext string) (*graph.Graph, error) {
	return decodeGAPBS(context.Background(), data, ext, 1)
}

// Seal makes the checksums of a changed file right again, as far as it can be
// understood.
func Seal(data []byte) {
	if len(data) < headerSize {
		return
	}
	if n := int(little.Uint32(data[64:])); n <= maxSections && len(data) >= headerSize+entrySize*n {
		little.PutUint32(data[crcAt:], headerSum(data[:headerSize+entrySize*n]))
	}
	h, err := decodeHeader(data, uint64(len(data)))
	if err != nil {
		return
	}
	sums := data[h.body() : h.size-4]
	for b := range h.blocks() {
		little.PutUint32(sums[4*b:], crc32.Checksum(data[b*blockSize:min((b+1)*blockSize, h.body())], castagnoli))
	}
	little.PutUint32(data[h.size-4:], crc32.Checksum(sums, castagnoli))
}

// Sampled tells which blocks of a file of the given length Auto looks at.
func Sampled(body uint64) []uint64 {
	h := &header{sections: []section{{start: body}}}
	return h.someBlocks()
}

// WithForeignSection encodes a directed, unweighted graph with one more section.
func WithForeignSection(g *graph.Graph, kind uint32, length int) []byte {
	h := describe(g, 1)
	h.plan(false, 0)
	last := &h.sections[len(h.sections)-1]
	foreign := section{kind: kind, element: 1, length: uint64(length)}
	h.sections = append(h.sections[:len(h.sections)-1], foreign, *last)
	at := uint64(headerSize + entrySize*len(h.sections))
	for i := range h.sections {
		h.sections[i].start = padded(at)
		at = h.sections[i].start + h.sections[i].length
	}
	h.size = at
	var b bytes.Buffer
	s := &sink{ctx: context.Background(), w: &b}
	s.bytes(h.encode())
	for _, c := range h.sections {
		s.pad(c.start)
		if c.kind == kind {
			s.bytes(bytes.Repeat([]byte{0xee}, length))
			continue
		}
		s.section(c.kind, g, graph.CSR{})
	}
	return b.Bytes()
}
