package pagerank

import "math"

// A floor finds out when rounding keeps the L1 change from falling.
//
// In exact arithmetic a superstep multiplies the changes of ranks by the damping d
// and a stochastic matrix, so that their L1 norm falls to c' ≤ d·c. If rounding moves
// the ranks of a superstep by δ at most, c' ≤ d·c + 2δ. A superstep without a fall,
// c ≤ c', therefore has
//
//	c ≤ 2δ/(1-d):
//
// the change is within what rounding alone can make, and nothing brings it below a
// lesser tolerance for sure. δ is about u·(2+k), u being the unit roundoff (6e-8 of
// float32, 1.1e-16 of float64) and k the greatest number of terms of a sum, an
// in-degree: a rank is rounded once, each of its terms once, and a sum as often as it
// has terms. The factor k is what can happen and seldom does. Measured, in u/(1-d):
// up to 0.15 on grids, paths and cycles, up to 2.4 on Kronecker and random graphs,
// but k/4 on stars. So the least tolerance is no constant of damping and precision,
// and the run finds it.
//
// Down there the change goes up and down. It counts as no longer falling when it
// has had no new least for as long as it would take to be halved, at least ten
// supersteps. With d = 1 there is no such law.
type floor struct {
	Least float64
	Since int64 // supersteps
}

const leastPatience = 10

// reached takes the change of a superstep, and tells whether it falls no more.
func (f *floor) reached(change, damping float64) bool {
	if change < f.Least {
		*f = floor{Least: change}
		return false
	}
	f.Since++
	return damping < 1 && float64(f.Since) >= max(leastPatience, math.Ln2/-math.Log(damping))
}
