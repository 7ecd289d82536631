package graphgen

import (
	"math/bits"

	"gopregel/pregel/graph"
)

// A stream is a sequence of random numbers that can be read at any place:
// number i is output i+1 of SplitMix64 started at the stream's key. Streams of
// one seed differ in what they are for.
//
// G. Steele, D. Lea, C. Flood: Fast splittable pseudorandom number generators,
// OOPSLA 2014.
type stream uint64

// What the streams of a seed are for. These numbers are part of every graph:
// they must never change.
const (
	forEdges     = 1
	forLabels    = 2
	forNoise     = 3
	forCliques   = 4
	forPairs     = 5
	forDistances = 6
	forWeights   = 7
	forOrients   = 8
)

const golden = 0x9E3779B97F4A7C15

func newStream(seed, purpose uint64) stream {
	return stream(graph.SplitMix64(graph.SplitMix64(seed) ^ purpose<<56))
}

func (s stream) at(i uint64) uint64 { return graph.SplitMix64(uint64(s) + i*golden) }

// below returns a number below n, uniform to within n/2^64.
func (s stream) below(i, n uint64) uint64 {
	hi, _ := bits.Mul64(s.at(i), n)
	return hi
}

// A permutation of 0..2^bits-1 that is computed, not stored: a few rounds of
// steps that can each be undone modulo 2^bits (adding a key, multiplying by an
// odd number, xoring the upper half onto the lower), as in the finalisers of
// hash functions.
type permutation struct {
	mask  uint32
	shift uint
	keys  [rounds]struct{ add, mul uint32 }
}

const rounds = 4

func newPermutation(seed uint64, bits int) *permutation {
	p := &permutation{mask: uint32(1)<<bits - 1, shift: uint(bits+1) / 2}
	s := newStream(seed, forLabels)
	for r := range p.keys {
		x := s.at(uint64(r))
		p.keys[r].add = uint32(x)
		p.keys[r].mul = uint32(x>>32) | 1
	}
	return p
}

func (p *permutation) of(x uint32) uint32 {
	for _, k := range p.keys {
		x = (x + k.add) * k.mul & p.mask
		x ^= x >> p.shift
	}
	return x
}
