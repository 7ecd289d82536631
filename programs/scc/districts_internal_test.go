package scc

import (
	"runtime"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/programs/internal/trial"
	"gopregel/runtime/cpu"
)

// A district's parts are the components of what is within it, and its bridges the arcs from
// it that lead to another part or out of it, each as often as it is there. That is so where
// arcs out of it are more than the steps that a search is given.
func TestDistrict(t *testing.T) {
	r := trial.Rand(t)
	for _, c := range []struct{ n, m, lo, hi int }{{3000, 4000, 0, 3000}, {3000, 6000, 700, 2500}, {3000, 12_000, 2000, 3000}, {2000, 80_000, 1000, 1200}} {
		list := graph.ArcList{List: make([]graph.Arc, c.m)}
		for i := range list.List {
			list.List[i] = graph.Arc{U: uint32(c.lo + r.IntN(c.hi-c.lo)), V: r.Uint32N(uint32(c.n))}
		}
		g := trial.Build(c.n, list, true)
		d := &tarjan{out: g.Out(), lo: uint32(c.lo), most: uint64(c.m)}
		names := make([]uint32, c.hi-c.lo)
		d.district(names)
		within, arcs := graph.ArcList{}, map[bridge]int{}
		for u := d.lo; u < uint32(c.hi); u++ {
			for _, v := range d.out.Neighbors(u) {
				if v >= d.lo && v < uint32(c.hi) {
					within.List = append(within.List, graph.Arc{U: u - d.lo, V: v - d.lo})
				}
				if v < d.lo || v >= uint32(c.hi) || names[u-d.lo] != names[v-d.lo] {
					arcs[bridge{names[u-d.lo], v}]++
				}
			}
		}
		open := make([]uint32, len(names))
		mem.Fill(open, graph.None)
		for v, name := range searched(trial.Build(len(names), within, true), open, false, nil) {
			if names[v] != name+d.lo {
				t.Fatalf("%+v: vertex %d is of part %d, want %d", c, v, names[v], name+d.lo)
			}
		}
		for _, b := range d.bridges {
			arcs[b]--
		}
		for b, left := range arcs {
			if left != 0 {
				t.Fatalf("%+v: bridge %v is there %d times too rarely", c, b, left)
			}
		}
		if d.count != uint64(len(d.bridges)) {
			t.Errorf("%+v: %d bridges are counted of %d", c, d.count, len(d.bridges))
		}
		d.sizesAre(t, names)
	}
}

// sizesAre holds the sizes of parts of several vertices to what they are.
func (d *tarjan) sizesAre(t *testing.T, names []uint32) {
	t.Helper()
	sizes := map[uint32]uint32{}
	for _, name := range names {
		sizes[name]++
	}
	for _, s := range d.sizes {
		if sizes[s.Name] != s.Size || s.Size == 1 {
			t.Fatalf("part %d is said to have %d vertices, and has %d", s.Name, s.Size, sizes[s.Name])
		}
		delete(sizes, s.Name)
	}
	for name, size := range sizes {
		if size != 1 {
			t.Fatalf("part %d of %d vertices has no size", name, size)
		}
	}
}

// Where each vertex is a part, and nearly all arcs are bridges, what was found is not kept.
func TestTooManyBridges(t *testing.T) {
	const side = 500
	var list []graph.Arc
	for v := range uint32(side * side) {
		if v%side != side-1 {
			list = append(list, graph.Arc{U: v, V: v + 1})
		}
		if v+side < side*side {
			list = append(list, graph.Arc{U: v, V: v + side})
		}
	}
	g := trial.Build(side*side, graph.ArcList{List: list}, true)
	for _, workers := range []int{1, 2} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s := &SCC{way: byDistricts, arcs: 20_000}
		_, found, err := s.components(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers})})
		runtime.ReadMemStats(&after)
		if err != nil || found != (tally{g.N(), 1}) {
			t.Fatalf("%+v, error %v", found, err)
		}
		if each := (after.TotalAlloc - before.TotalAlloc) / side / side; each > 100 {
			t.Errorf("%d workers: %d bytes of each vertex are made", workers, each)
		}
	}
}
