package peer

import (
	"math"

	"gopregel/pregel/graph"
)

// This file is the vertices that GAPBS's programs start from, so that ours start there,
// too: from some vertices of a web nearly all is reached, from others nothing, and times
// from others say little of the programs.

// Sources are the vertices of the first n runs of a program of GAPBS on a graph: numbers
// by MT19937-64 from a fixed seed, the lower 32 bits of each, those left out that would
// make some vertices likelier than others, or have no out-arcs (SourcePicker and UniDist
// of the suite, which say so in C++). There are none where no vertex has out-arcs.
func Sources(g *graph.Graph, n int) []uint32 {
	if g.Arcs() == 0 {
		return nil
	}
	random, vertices := newTwister(27491095), uint64(g.N())
	bound := uint32(math.MaxUint64 - math.MaxUint64%vertices) // of 0 there is none
	if math.MaxUint64%vertices == vertices-1 {
		bound = 0
	}
	list := make([]uint32, 0, n)
	for len(list) < n {
		x := uint32(random.next())
		if bound != 0 && x >= bound {
			continue
		}
		if v := x % uint32(vertices); g.Out().Degree(v) > 0 {
			list = append(list, v)
		}
	}
	return list
}

// twister is MT19937-64 (Nishimura, Tables of 64-bit Mersenne Twisters, ACM TOMACS 10,
// 2000).
type twister struct {
	state [312]uint64
	at    int
}

func newTwister(seed uint64) *twister {
	t := &twister{at: 312}
	t.state[0] = seed
	for i := range t.state[1:] {
		t.state[i+1] = 6364136223846793005*(t.state[i]^t.state[i]>>62) + uint64(i+1)
	}
	return t
}

func (t *twister) next() uint64 {
	const size, half, low = 312, 156, 1<<31 - 1
	if t.at == size {
		t.at = 0
		for i := range t.state {
			x := t.state[i]&^low | t.state[(i+1)%size]&low
			t.state[i] = t.state[(i+half)%size] ^ x>>1 ^ x&1*0xB5026F5AA96619E9
		}
	}
	x := t.state[t.at]
	t.at++
	x ^= x >> 29 & 0x5555555555555555
	x ^= x << 17 & 0x71D67FFFEDA60000
	x ^= x << 37 & 0xFFF7EEE000000000
	return x ^ x>>43
}
