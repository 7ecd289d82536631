package plan

import (
	"hash/maphash"
	"math"
	"math/bits"
)

// A sketch estimates how many different numbers it was given.
//
// Result: within 3 · 1.04/√16384, about 2.5 %, in all but a few of a thousand
// cases. Method: HyperLogLog: the upper bits of a hash choose one of m places,
// each of which keeps the most leading zeros of the rest it has seen; while many
// places are empty, their number tells more (linear counting).
// P. Flajolet et al.: HyperLogLog: the analysis of a near-optimal cardinality
// estimation algorithm, AofA 2007. Cost: O(1) a number, 16 KiB.
type sketch struct{ most [1 << sketchBits]uint8 }

const sketchBits = 14

// add takes the hash of a number.
func (s *sketch) add(hash uint64) {
	place := hash >> (64 - sketchBits)
	zeros := uint8(bits.LeadingZeros64(hash<<sketchBits|1)) + 1
	s.most[place] = max(s.most[place], zeros)
}

func (s *sketch) count() uint64 {
	const m = float64(len(s.most))
	sum, empty := 0.0, 0
	for _, zeros := range s.most {
		sum += math.Ldexp(1, -int(zeros))
		if zeros == 0 {
			empty++
		}
	}
	estimate := 0.7213 / (1 + 1.079/m) * m * m / sum
	if estimate <= 2.5*m && empty > 0 {
		estimate = m * math.Log(m/float64(empty))
	}
	return uint64(math.Round(estimate))
}

var sketchSeed = maphash.MakeSeed()

func hashBytes(b []byte) uint64 { return maphash.Bytes(sketchSeed, b) }
