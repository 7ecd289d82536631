package bfs

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
)

// The columns of states are what a plain loop makes of them, in place and apart, whatever the
// number of vertices and of workers; states taken apart are left as a search begins.
func TestColumns(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, pieces := range []int{0, 1, 2, 3, 4, 5, 7, 8} {
		for _, more := range []int{-1, 0, 1, 5, piece/2 + 1} {
			if n := pieces*piece + more; n > 0 {
				columnsOf(t, r, n)
			}
		}
	}
}

// Parents stay where states were from a number of vertices on, and who gives them back gives all
// of that memory.
func TestInPlaceFrom(t *testing.T) {
	p := cpu.New(cpu.Options{Workers: 2}).Pool()
	for _, n := range []int{InPlaceFrom - 1, InPlaceFrom} {
		for _, parents := range []bool{false, true} {
			states := make([]State, n)
			_, parent, e, err := columns(p, states, parents)
			if err != nil || e.reached != n || len(parent) != n && parents || len(parent) != 0 && !parents {
				t.Fatal(n, parents, len(parent), e, err)
			}
			if inPlace := parents && n >= InPlaceFrom; inPlace != (len(parent) > 0 && &parent[0] == &words(states)[0]) || inPlace && cap(parent) != 2*n {
				t.Errorf("%d vertices, parents %v: in place: %v, want %v; a capacity of %d", n, parents, !inPlace, inPlace, cap(parent))
			}
		}
	}
}

func columnsOf(t *testing.T, r *rand.Rand, n int) {
	t.Helper()
	states, want := make([]State, n), extent{}
	depths, parents := make([]uint32, n), make([]uint32, n)
	for i := range states {
		if states[i] = (State{graph.None, graph.None}); r.IntN(3) > 0 {
			states[i] = State{r.Uint32N(1000), r.Uint32()}
			want.add(1, states[i].Depth)
		}
		depths[i], parents[i] = states[i].Depth, states[i].Parent
	}
	p := cpu.New(cpu.Options{Workers: 1 + r.IntN(4)}).Pool()
	check := func(what string, depth, parent []uint32, e extent, err error) {
		t.Helper()
		if err != nil || e != want || !slices.Equal(depth, depths) || !slices.Equal(parent, parents) {
			t.Errorf("%s, %d vertices, %d workers: %v, extent %v, want %v; depths differ: %v, parents: %v", what, n, p.Workers(),
				err, e, want, !slices.Equal(depth, depths), !slices.Equal(parent, parents))
		}
	}
	depth, parent, e := make([]uint32, n), make([]uint32, n), extent{}
	clone := slices.Clone(states)
	err := apart(p, clone, depth, parent, &e)
	check("apart", depth, parent, e, err)
	if n*8 >= 1<<16 && slices.ContainsFunc(clone, func(s State) bool { return s != State{graph.None, graph.None} }) {
		t.Errorf("%d vertices: states are not left as a search begins", n)
	}
	depth, e = make([]uint32, n), extent{}
	parent, err = inPlace(p, slices.Clone(states), depth, &e)
	check("in place", depth, parent, e, err)
	depth, e = make([]uint32, n), extent{}
	err = depthsOf(p, slices.Clone(states), depth, &e)
	check("depths", depth, parents, e, err)
}
