package mem

import "math"

// Loops over the numbers of a block that add and multiply alone: a processor does four at
// once, which the compiler does not ask for. Each gives the same bits with sum_*.s and
// without, as every number goes through the same operations in the same order. Sums are of
// four lanes, of every fourth number each, (a+b)+(c+d), as those of aggregators are: where
// each addition waits for the one before, that is most of the time.

// vectors tells whether the processor has what vector_*.s is made of.
var vectors = hasVectors

// Affine sets to[i] to base + factor*from[i], rounded once to T, and tells by how much that
// changes to: the sum of |new-old|.
func Affine[T float32 | float64](to, from []T, base, factor float64) (change float64) {
	var l lanes
	to = to[:len(from)]
	i := affine(to, from, base, factor, &l)
	for ; i+4 <= len(from); i += 4 {
		to, from := to[i:i+4:i+4], from[i:i+4:i+4]
		l[0] += affineOne(&to[0], from[0], base, factor)
		l[1] += affineOne(&to[1], from[1], base, factor)
		l[2] += affineOne(&to[2], from[2], base, factor)
		l[3] += affineOne(&to[3], from[3], base, factor)
	}
	for ; i < len(from); i++ {
		l[i%4] += affineOne(&to[i], from[i], base, factor)
	}
	return l.sum()
}

// AffineEmpty is Affine and then SumEmpty of to, in one loop: each waits for one addition
// after the other, so both take little longer than one.
func AffineEmpty[T float32 | float64](to, from []T, rows Offsets, base, factor float64) (change, empty float64) {
	var changes, empties lanes
	to, rows = to[:len(from)], rows.Slice(0, len(from))
	for i := affineEmpty(to, from, rows, base, factor, &changes, &empties); i < len(from); i++ {
		changes[i%4] += affineOne(&to[i], from[i], base, factor)
		empties[i%4] += ifEmpty(to[i], rows.Degree(uint32(i)))
	}
	return changes.sum(), empties.sum()
}

func affineOne[T float32 | float64](to *T, from T, base, factor float64) (change float64) {
	was := *to
	*to = T(base + float64(factor*float64(from))) // converted, lest a compiler fuses them
	return math.Abs(float64(*to) - float64(was))
}

// SumEmpty is the sum of those of list whose rows are empty.
func SumEmpty[T float32 | float64](list []T, rows Offsets) float64 {
	var l lanes
	rows = rows.Slice(0, len(list))
	for i := sumEmpty(list, rows, &l); i < len(list); i++ {
		l[i%4] += ifEmpty(list[i], rows.Degree(uint32(i)))
	}
	return l.sum()
}

// ifEmpty is x if d is 0, else 0.
func ifEmpty[T float32 | float64](x T, d uint64) float64 {
	empty := ^uint64(int64(d|-d) >> 63) // all ones, else 0: nobody could foretell a branch
	return math.Float64frombits(math.Float64bits(float64(x)) & empty)
}

// Shares sets to[i] to from[i] times a share, 1/d for the length d of row i modulo
// 2^32, and 0 for 0. It tells up to which i it did, a multiple of four: to none without
// vector_*.s, and of float32 not beyond a d of 2^31 or more.
func Shares[T float32 | float64](to, from []T, rows Offsets) (done int) {
	return shares(to[:len(from)], from, rows.Slice(0, len(from)))
}

// lanes are sums of every fourth number.
type lanes [4]float64

func (l *lanes) sum() float64 { return (l[0] + l[1]) + (l[2] + l[3]) }
