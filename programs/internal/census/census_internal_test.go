package census

import (
	"math/rand/v2"
	"testing"

	"gopregel/pregel/graph"
)

// Components whose vertices do not stand together are counted once, with all of them,
// whether one has most vertices or none has.
func TestCount(t *testing.T) {
	for _, c := range []struct {
		component  []uint32
		components int
		largest    int
	}{
		{nil, 0, 0},
		{[]uint32{0}, 1, 1},
		{[]uint32{0, 0, 2, 0, 2, 5}, 3, 3},
		{[]uint32{0, 1, 0, 1, 1, 5, 5}, 3, 3},
		{[]uint32{0, 1, 0, 1, 1, 1, 1}, 2, 5},
	} {
		if components, largest := Components(c.component, 2); components != c.components || largest != c.largest {
			t.Errorf("%v: %d components, the largest of %d, want %d and %d", c.component, components, largest, c.components, c.largest)
		}
		if components, largest := Labels(c.component); components != c.components || largest != c.largest {
			t.Errorf("%v by labels: %d components, the largest of %d, want %d and %d", c.component, components, largest, c.components, c.largest)
		}
	}
}

// Both ways of counting agree about random labels, of which every share of the vertices
// has one.
func TestCounts(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for share := range 11 {
		component := make([]uint32, 1+r.IntN(100_000))
		roots := []uint32{0}
		for v := range component {
			switch {
			case v == 0 || r.IntN(10) < share: // of 0
			case r.IntN(4) == 0:
				component[v] = uint32(v)
				roots = append(roots, uint32(v))
			default:
				component[v] = roots[r.IntN(len(roots))]
			}
		}
		components, largest := Components(component, 1+r.IntN(4))
		if c, l := Labels(component); components != c || largest != l || c != len(roots) {
			t.Errorf("%d vertices: %d components, the largest of %d; by labels %d and %d; %d roots", len(component), components, largest, c, l, len(roots))
		}
	}
}

// Of two components of about the same size the sample may show either.
func TestCountTwins(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 50 {
		component := make([]uint32, 20_000)
		for v := range component[1:] {
			component[1+v] = min(uint32(r.IntN(21))%3, uint32(1+v))
		}
		component[1], component[2] = 1, 2
		components, largest := Components(component, 2)
		if c, l := Labels(component); components != c || largest != l || c != 3 {
			t.Fatalf("%d components, the largest of %d; by labels %d and %d", components, largest, c, l)
		}
	}
}

// Of two components one of which has a vertex more, beside singles, the sample may show the lesser.
func TestCountNearTwins(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for singles := range 50 {
		const half = 5000
		component := make([]uint32, 2*half+1+singles%3)
		for v := range component {
			component[v] = uint32(v)
		}
		others := r.Perm(2*half - 1)
		for i, v := range others {
			component[2+v] = uint32(min(i/(half-1), 1)) // half have 0, half and one 1
		}
		components, largest := Components(component, 2)
		if components != 2+singles%3 || largest != half+1 {
			t.Fatalf("%d components, the largest of %d, want %d and %d", components, largest, 2+singles%3, half+1)
		}
	}
}

// Who has no label is not counted.
func TestLabels(t *testing.T) {
	if labels, most := Labels([]uint32{graph.None, 3, 3, 0, graph.None, graph.None}); labels != 2 || most != 2 {
		t.Errorf("%d labels, %d vertices with the most frequent one, want 2 and 2", labels, most)
	}
	if most, seen := MostSeen(0, nil); most != graph.None || seen != 0 {
		t.Errorf("of no vertices %d have %d", seen, most)
	}
	if most, seen := MostSeen(100, func(v uint32) uint32 { return min(v, 80) }); most != 80 || seen < Samples/10 || seen > Samples/3 {
		t.Errorf("%d is seen %d times, want 80, in about a fifth of the samples", most, seen)
	}
}
