package graphgen

import (
	"gopregel/pregel/graph"
)

// R-MAT: each edge drops through the levels of a 2^scale square matrix, at each
// into one of four quadrants with probabilities
//
//	A B
//	C D    (D = 1-A-B-C)
//
// which gives one bit of its source and one of its target. With noise μ the
// parameters of a level are A-2mA/(A+D), B+m, C+m, D-2mD/(A+D) for one m of
// that level in [-μ, μ], which smooths the oscillations of the degrees.
// Kronecker is R-MAT with Graph500's parameters and permuted ids.
//
// Method: four levels at once. The 256 outcomes of four levels and their
// probabilities make an alias table, from which one random number (8 bits to
// pick a column, 32 to pick one of the two outcomes in it) draws an outcome.
// Probabilities are kept to 2^-40.
//
// Cost: ⌈scale/4⌉ random numbers and table reads an edge, no floating point.
//
// D. Chakrabarti, Y. Zhan, C. Faloutsos: R-MAT: a recursive model for graph
// mining, SDM 2004. C. Seshadhri, A. Pinar, T. Kolda: An in-depth analysis of
// stochastic Kronecker graphs, J. ACM 60(2), 2013 (noise). M. Vose: A linear
// algorithm for generating random numbers with a given distribution, IEEE
// Trans. Software Eng. 17(9), 1991 (alias tables). Graph500: graph500.org.
type rmat struct {
	edges  uint64
	tables []aliasTable // most significant levels first
	random stream
	labels *permutation // nil: ids as drawn
}

const levelsAtOnce = 4

// An aliasTable holds in column o the probability, over 2^32, to stay with
// outcome o, and the outcome to go to otherwise.
type aliasTable [1 << (2 * levelsAtOnce)]struct{ stay, other uint32 }

func openRMAT(s Spec, _ bool) (graph.IDs, generator, error) {
	r := &rmat{
		edges:  uint64(s.EdgeFactor) << s.Scale,
		random: newStream(s.Seed, forEdges),
	}
	if s.Permute || s.Kind == "kronecker" {
		r.labels = newPermutation(s.Seed, s.Scale)
	}
	noise := newStream(s.Seed, forNoise)
	for level := 0; level < s.Scale; {
		until := level + levelsAtOnce
		if level == 0 && s.Scale%levelsAtOnce != 0 {
			until = s.Scale % levelsAtOnce
		}
		var quadrants [][4]float64
		for ; level < until; level++ {
			quadrants = append(quadrants, quadrantsAt(s, noise.at(uint64(level))))
		}
		r.tables = append(r.tables, newAliasTable(outcomes(quadrants)))
	}
	return graph.RangeIDs(0, 1<<s.Scale), r, nil
}

// quadrantsAt returns the probabilities of one level. Conversions keep
// compilers from fusing multiplication and addition, which would round
// differently on some processors.
func quadrantsAt(s Spec, random uint64) [4]float64 {
	d := max(0, 1-s.A-s.B-s.C)
	m := float64(s.Noise * (float64(random>>11)/(1<<52) - 1))
	part := m / (s.A + d)
	return [4]float64{s.A - float64(2*part*s.A), s.B + m, s.C + m, d - float64(2*part*d)}
}

// outcomes returns the probability of each way through the given levels; the
// source's bits are the upper four of an outcome's number, the target's the
// lower. With fewer than four levels the upper bits of both are 0.
func outcomes(quadrants [][4]float64) (p [256]float64) {
	for o := range p {
		u, v := o>>levelsAtOnce, o&(1<<levelsAtOnce-1)
		if u>>len(quadrants) != 0 || v>>len(quadrants) != 0 {
			continue
		}
		p[o] = 1
		for i, q := range quadrants {
			bit := len(quadrants) - 1 - i
			p[o] *= q[u>>bit&1<<1|v>>bit&1]
		}
	}
	return p
}

// newAliasTable is Vose's method on whole numbers: every column holds 2^32.
func newAliasTable(p [256]float64) (t aliasTable) {
	const full = 1 << 32
	var mass [len(t)]uint64
	rest, largest := uint64(len(t))*full, 0
	for o := range p {
		mass[o] = uint64(p[o] * float64(len(t)) * full)
		rest -= mass[o]
		if mass[o] > mass[largest] {
			largest = o
		}
	}
	mass[largest] += rest // what rounding down has left, below 2^-32 of the whole
	var small, large []int
	for o, m := range mass {
		if m < full {
			small = append(small, o)
		} else {
			large = append(large, o)
		}
	}
	for len(small) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		t[s].stay, t[s].other = uint32(mass[s]), uint32(l)
		mass[l] -= full - mass[s]
		if mass[l] < full {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	for _, l := range large { // exactly full: whatever is drawn, stay
		t[l].other = uint32(l)
	}
	return t
}

func (r *rmat) units() uint64 { return r.edges }
func (r *rmat) grain() int    { return blockEdges }

func (r *rmat) fill(b *block, lo, hi uint64) {
	count := uint64(len(r.tables))
	for i := lo; i < hi; i++ {
		u, v := uint32(0), uint32(0)
		for j := range r.tables {
			x := r.random.at(i*count + uint64(j))
			o := uint32(x) & (1<<(2*levelsAtOnce) - 1)
			column := r.tables[j][o]
			if other := column.other; uint32(x>>32) >= column.stay {
				o = other // both are at hand: no branch to mispredict
			}
			u = u<<levelsAtOnce | o>>levelsAtOnce
			v = v<<levelsAtOnce | o&(1<<levelsAtOnce-1)
		}
		if r.labels != nil {
			u, v = r.labels.of(u), r.labels.of(v)
		}
		b.add(u, v)
	}
}
