//go:build cuda || emulate

package cuda

import (
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// First has the first two neighbours of every vertex, in rows of 32, and nothing
// where there are none; it is made once, and not of a graph as it comes.
func TestFirst(t *testing.T) {
	e := opened(t)
	r := fresh(t)
	for _, directed := range []bool{false, true} {
		for _, n := range []int{0, 1, 31, 32, 33, 1000 + r.IntN(100)} {
			e.Wide = r.IntN(2) == 0
			raw := skewed(t, r, max(n, 1), 2*n, directed)
			if n == 0 {
				raw = build0(t, directed)
			}
			checkFirst(t, e, raw, false)
			p, err := pregel.Prepare(t.Context(), raw, "degree", 2)
			if err != nil {
				t.Fatal(err)
			}
			checkFirst(t, e, p.Graph, true)
		}
	}
}

func build0(t *testing.T, directed bool) *graph.Graph {
	t.Helper()
	g, err := graph.FromArcs(0, graph.ArcList{}, graph.Options{Directed: directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func checkFirst(t *testing.T, e *Engine, g *graph.Graph, made bool) {
	t.Helper()
	err := e.device.Do(func() error {
		d, err := e.resident(g)
		if err != nil {
			return err
		}
		in, err := d.In()
		if err != nil {
			return err
		}
		for _, side := range []struct {
			c    *CSR
			host graph.CSR
		}{{d.out, g.Out()}, {in, g.In()}} {
			had, before := side.c.first, e.used
			first, err := d.First(side.c)
			if err != nil {
				return err
			}
			if !made {
				if first != nil || e.used != before {
					t.Errorf("made of a graph as it is")
				}
				continue
			}
			if had == nil && e.used != before+firstBytes(uint64(g.N())) || first.Size() != firstBytes(uint64(g.N())) {
				t.Errorf("%d bytes in use, want %d", e.used-before, firstBytes(uint64(g.N())))
			}
			if again, err := d.First(side.c); again != first || err != nil {
				t.Errorf("made twice; error %v", err)
			}
			list := words(t, first)
			for v := range uint32(len(list) / firstOf) {
				for j := range uint32(firstOf) {
					want := graph.None
					if int(v) < g.N() && uint64(j) < side.host.Degree(v) {
						want = side.host.Neighbors(v)[j]
					}
					if got := list[v/32*32*firstOf+j*32+v%32]; got != want {
						t.Fatalf("neighbour %d of vertex %d of %d is %d, want %d", j, v, g.N(), got, want)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.GiveUp(); err != nil || e.used != 0 {
		t.Fatalf("error %v, %d bytes are lost", err, e.used)
	}
}

// Without room there is no such array; nothing is lost, and it is not tried
// again.
func TestFirstWithoutRoom(t *testing.T) {
	e := opened(t)
	p, err := pregel.Prepare(t.Context(), skewed(t, fresh(t), 1000, 3000, false), "degree", 2)
	if err != nil {
		t.Fatal(err)
	}
	err = e.device.Do(func() error {
		d, err := e.resident(p.Graph)
		if err != nil {
			return err
		}
		before := e.used
		e.Memory = before + firstBytes(1000) - 1
		for range 2 {
			if first, err := d.First(d.out); first != nil || err != nil || e.used != before {
				t.Errorf("%v, error %v, %d bytes more in use", first, err, e.used-before)
			}
			e.Memory = 0
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
