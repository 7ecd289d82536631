package bench

import (
	"math"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/programs/bfs"
	"gopregel/programs/sssp"
)

// The estimate against one made by hand: 2 supersteps on 16 vertices.
func TestTraffic(t *testing.T) {
	t.Parallel()
	weighted, err := graph.FromArcs(16, graph.ArcList{List: []graph.Arc{{U: 0, V: 1, W: 3}}, Weighted: true}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	steps := []pregel.StepRecord{{Arcs: 10, Awake: 3, List: true}, {Arcs: 100, Awake: 16}}
	short := &pregel.Table{PerVertex: true, Columns: []pregel.Column{{Counts: make([]uint32, 16)}, {Vertices: make([]uint32, 16)}}}
	long := &pregel.Table{PerVertex: true, Columns: []pregel.Column{{Ints: make([]int64, 16)}, {Vertices: make([]uint32, 16)}}}
	ranks := &pregel.Table{PerVertex: true, Columns: []pregel.Column{{Floats: make([]float64, 16)}}}
	for what, c := range map[string]struct {
		a      pregel.Algorithm
		table  *pregel.Table
		narrow bool
		value  uint64
		want   uint64
	}{
		// arcs, awake vertices, a list of 3, a bitmap of 16 bits twice, columns
		"bfs":              {bfs.New(), short, false, 4, 110*8 + 19*24 + 24 + 4 + 128},
		"sssp":             {sssp.New(), long, false, 8, 110*16 + 19*32 + 24 + 4 + 192},
		"float64 messages": {bfs.New(), ranks, false, 8, 110*12 + 19*32 + 24 + 4 + 128},
		"float32 messages": {bfs.New(), ranks, true, 4, 110*8 + 19*24 + 24 + 4 + 128},
	} {
		moved := traffic{vertices: 16}
		for _, r := range steps {
			moved.step(r)
		}
		if got := moved.bytes(weighted, c.a, c.table, c.narrow); got != c.want {
			t.Errorf("%s: %d bytes, want %d", what, got, c.want)
		}
		moved.step(pregel.StepRecord{Awake: 16}) // no arcs: values and a bitmap, but no offsets
		if got := moved.bytes(weighted, c.a, c.table, c.narrow); got != c.want+16*2*c.value+4 {
			t.Errorf("%s: %d bytes with a phase without arcs, want %d", what, got, c.want+16*2*c.value+4)
		}
		if got := (&traffic{vertices: 16, awake: 16}).bytes(weighted, c.a, c.table, false); got != 0 {
			t.Errorf("%s: %d bytes without arcs", what, got)
		}
	}
}

func TestTriad(t *testing.T) {
	t.Parallel()
	a, b, c := []float64{0, 0}, []float64{1, 2}, []float64{10, 20}
	if triadPass(a, b, c); a[0] != 31 || a[1] != 62 {
		t.Errorf("the triad makes %v", a)
	}
	for _, workers := range []int{0, 1, 3} {
		if rate := triad(workers, 1001, 2); !(rate > 0) || math.IsInf(rate, 0) {
			t.Errorf("%d workers: %v bytes by the second", workers, rate)
		}
	}
}

// A peak that is begun anew no longer knows of what has been given back.
func TestPeakIsBegunAnew(t *testing.T) {
	const size = 64 << 20
	if !beginPeak() || mem.PeakResident() == 0 {
		t.Skip("this system does not tell or forget the peak")
	}
	before := mem.PeakResident()
	held := make([]byte, size)
	for i := range held {
		held[i] = 1
	}
	highest := mem.PeakResident()
	if got := highest - before; got < size*3/4 {
		t.Errorf("%d bytes more after %d have been touched (%d)", got, size, held[size-1])
	}
	held = nil
	beginPeak()
	if got := highest - mem.PeakResident(); got < size*3/4 {
		t.Errorf("%d bytes less after all has been given back (%d)", got, len(held))
	}
}
