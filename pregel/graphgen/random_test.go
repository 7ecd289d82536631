package graphgen

import (
	"math"
	"math/rand/v2"
	"testing"

	"gopregel/pregel/graph"
)

// chance bounds, by Bernstein's inequality, how likely a count of draws with
// probability p is at least as far off as this one, whatever p.
func chance(count, draws int, p float64) float64 {
	off, variance := math.Abs(float64(count)-float64(draws)*p), float64(draws)*p*(1-p)
	return 2 * math.Exp(-off*off/(2*(variance+off/3)+1e-9))
}

// never is a chance that a test may take thousands of times: its seeds are new ones in
// every run.
const never = 1e-13

func TestPermutationIsOne(t *testing.T) {
	for bits := 1; bits <= 18; bits++ {
		seed := rand.Uint64()
		p := newPermutation(seed, bits)
		seen := make([]bool, 1<<bits)
		for x := range uint32(1) << bits {
			y := p.of(x)
			if y >= 1<<bits || seen[y] {
				t.Fatalf("bits %d seed %d: %d goes to %d, which is taken or too large", bits, seed, x, y)
			}
			seen[y] = true
		}
	}
}

// A flipped bit of an id should flip each bit of its label half of the time.
func TestPermutationScatters(t *testing.T) {
	const tries, bits = 4000, 20
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for from := range bits {
		var flips [bits]int
		for range tries {
			p := newPermutation(r.Uint64(), bits)
			x := r.Uint32N(1 << bits)
			d := p.of(x) ^ p.of(x^1<<from)
			for to := range bits {
				flips[to] += int(d >> to & 1)
			}
		}
		for to, count := range flips {
			if share := float64(count) / tries; share < 0.4 || share > 0.6 {
				t.Errorf("seed %d: bit %d flips bit %d in %.3f of all cases", seed, from, to, share)
			}
		}
	}
}

func TestBelowIsUniform(t *testing.T) {
	const n, draws = 7, 70000
	seed := rand.Uint64()
	s := newStream(seed, forEdges)
	var counts [n]int
	for i := range uint64(draws) {
		counts[s.below(i, n)]++
	}
	for x, c := range counts {
		if odds := chance(c, draws, 1.0/n); odds < never {
			t.Errorf("seed %d: %d drawn %d times of %d, a chance of %.2g", seed, x, c, draws, odds)
		}
	}
}

func TestAliasTable(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for range 100 {
		var p [256]float64
		sum := 0.0
		for o := range p {
			if r.IntN(3) > 0 {
				p[o] = math.Pow(r.Float64(), 8)
			}
			sum += p[o]
		}
		for o := range p {
			p[o] /= sum
		}
		table := newAliasTable(p)
		var mass [256]float64
		for o, c := range table {
			mass[o] += float64(c.stay) / (1 << 40)
			mass[c.other] += (1<<32 - float64(c.stay)) / (1 << 40)
		}
		for o := range p {
			if math.Abs(mass[o]-p[o]) > 1e-9 || p[o] == 0 && mass[o] != 0 {
				t.Fatalf("seed %d: outcome %d has probability %g, want %g", seed, o, mass[o], p[o])
			}
		}
	}
}

// draw counts, for every level, the quadrant of each edge, and for each two
// neighbouring levels the pair of quadrants.
func draw(t *testing.T, s Spec) (single [][4]int, pairs [][16]int, edges int) {
	t.Helper()
	in, err := Open(s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	single, pairs = make([][4]int, s.Scale), make([][16]int, s.Scale)
	err = in.Source.Arcs(t.Context(), 1, func(k graph.Block) error {
		for i, u := range k.U {
			last := -1
			for level := range s.Scale {
				bit := s.Scale - 1 - level
				q := int(u>>bit&1<<1 | k.V[i]>>bit&1)
				single[level][q]++
				if last >= 0 {
					pairs[level][last*4+q]++
				}
				last = q
			}
			edges++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return single, pairs, edges
}

func TestQuadrantsOfRMAT(t *testing.T) {
	for _, s := range []Spec{
		{Kind: "rmat", Scale: 14, EdgeFactor: 32},
		{Kind: "rmat", Scale: 13, EdgeFactor: 32, A: 0.25, B: 0.25, C: 0.25},
		{Kind: "rmat", Scale: 5, EdgeFactor: 8192, A: 0.1, B: 0.6, C: 0.3},
		{Kind: "rmat", Scale: 11, EdgeFactor: 128, A: 0.4, B: 0.1, C: 0.3, Noise: 0.1},
	} {
		s.Seed = rand.Uint64()
		single, pairs, edges := draw(t, s)
		var p [][4]float64
		noise := newStream(s.Seed, forNoise)
		for level := range s.Scale {
			p = append(p, quadrantsAt(s.withDefaults(), noise.at(uint64(level))))
		}
		for level, counts := range single {
			for q, c := range counts {
				if odds := chance(c, edges, p[level][q]); odds < never {
					t.Errorf("%v: level %d quadrant %d: %d of %d edges, a chance of %.2g by %g", s, level, q, c, edges, odds, p[level][q])
				}
			}
			for q, c := range pairs[level] {
				if level == 0 {
					continue
				}
				want := p[level-1][q/4] * p[level][q%4]
				if odds := chance(c, edges, want); odds < never {
					t.Errorf("%v: levels %d and %d quadrants %d and %d: %d of %d edges, a chance of %.2g by %g", s, level-1, level, q/4, q%4, c, edges, odds, want)
				}
			}
		}
	}
}

func TestNoiseStaysInBounds(t *testing.T) {
	s := Spec{Kind: "rmat", Scale: 31, A: 0.5, B: 0.2, C: 0.25, Noise: 0.15, Seed: rand.Uint64()}
	noise := newStream(s.Seed, forNoise)
	least, most := 1.0, 0.0
	for level := range s.Scale {
		q := quadrantsAt(s, noise.at(uint64(level)))
		sum := q[0] + q[1] + q[2] + q[3]
		if math.Abs(sum-1) > 1e-12 || math.Abs(q[1]-0.2) > 0.15 || math.Abs(q[1]-0.2-q[2]+0.25) > 1e-12 || min(q[0], q[1], q[2], q[3]) < 0 {
			t.Errorf("seed %d level %d: %v", s.Seed, level, q)
		}
		least, most = min(least, q[1]), max(most, q[1])
	}
	if most-least < 0.1 {
		t.Errorf("seed %d: noise moves b only between %g and %g", s.Seed, least, most)
	}
}
