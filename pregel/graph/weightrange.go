package graph

import (
	"math"

	"gopregel/pregel/parallel"
)

// WeightRange are the extremes of a graph's weights.
type WeightRange struct {
	Least, Most float64 // of the finite weights; both 1 without weights
	Negative    uint64  // the first arc of negative weight, Arcs() if there is none
	NotFinite   uint64  // the first arc whose weight is NaN or infinite, likewise
}

// WeightRange returns the extremes of the weights of the out-arcs. The first
// call looks at all of them.
func (g *Graph) WeightRange() WeightRange { return g.extremes() }

func weightRange(c CSR) WeightRange {
	all := WeightRange{Least: 1, Most: 1, Negative: c.Arcs(), NotFinite: c.Arcs()}
	if c.Weights.Kind() == Unweighted || c.Arcs() == 0 {
		return all
	}
	const piece = 1 << 16
	seen := make([]WeightRange, (len(c.Targets)+piece-1)/piece)
	parallel.Range(0, len(c.Targets), piece, func(_, lo, hi int) {
		if w := c.Weights.Slice(uint64(lo), uint64(hi)); w.Int != nil {
			seen[lo/piece] = rangeOf(w.Int, uint64(lo), c.Arcs())
		} else {
			seen[lo/piece] = rangeOf(w.Float, uint64(lo), c.Arcs())
		}
	})
	all.Least, all.Most = math.Inf(1), math.Inf(-1)
	for _, r := range seen {
		all.Least, all.Most = min(all.Least, r.Least), max(all.Most, r.Most)
		all.Negative, all.NotFinite = min(all.Negative, r.Negative), min(all.NotFinite, r.NotFinite)
	}
	return all
}

// rangeOf is the range of weights that begin at arc lo.
func rangeOf[W int32 | float32](ws []W, lo, none uint64) WeightRange {
	r := WeightRange{Negative: none, NotFinite: none}
	least, most := W(math.MaxInt32), W(math.MinInt32)
	if isFloat := W(1)/2 != 0; isFloat {
		inf := math.Inf(1)
		least, most = W(inf), W(-inf)
	}
	for i, w := range ws {
		if w-w != 0 { // NaN and infinities alone
			r.NotFinite = min(r.NotFinite, lo+uint64(i))
			continue
		}
		if w < least {
			least = w
		}
		if w > most {
			most = w
		}
		if w < 0 && r.Negative == none {
			r.Negative = lo + uint64(i)
		}
	}
	r.Least, r.Most = float64(least), float64(most)
	return r
}
