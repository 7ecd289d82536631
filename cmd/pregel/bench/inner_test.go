package bench

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/pregeltest"
	"gopregel/programs"
	"gopregel/programs/bfs"
	"gopregel/runtime/cpu"
)

// sized is a task of which the widths alone matter.
type sized struct {
	pregel.Measured
	g      *graph.Graph
	widths pregel.Widths
}

func (s sized) Widths() pregel.Widths { return s.widths }
func (s sized) Graph() *graph.Graph   { return s.g }

// The estimate against one made by hand, with offsets of either width: 2 supersteps of one
// program on 16 vertices, then a phase, and a task of which nothing is known.
func TestTraffic(t *testing.T) {
	t.Parallel()
	g, err := graph.FromArcs(16, graph.ArcList{List: []graph.Arc{{U: 1, V: 2}}}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	trafficOn(t, g, 8)
	trafficOn(t, pregeltest.Widened(g), 16)
}

// trafficOn is TestTraffic on a graph in which two offsets take so many bytes.
func trafficOn(t *testing.T, g *graph.Graph, offsets uint64) {
	t.Helper()
	table := &pregel.Table{PerVertex: true, Columns: []pregel.Column{{Ints: make([]int64, 16)}, {Vertices: make([]uint32, 16)}}}
	moved := traffic{vertices: 16, engine: cpu.New(cpu.Options{})}
	check := func(want uint64) {
		t.Helper()
		if got := moved.bytes(table); got != want {
			t.Errorf("%d bytes, want %d", got, want)
		}
	}
	moved.begun(sized{g: g, widths: pregel.Widths{Value: 8, Message: 4, Weight: 4}})
	moved.step(pregel.StepRecord{Awake: 5})
	check(0) // without arcs there is nothing to go by
	moved.step(pregel.StepRecord{Arcs: 10, Awake: 3, List: true})
	moved.step(pregel.StepRecord{Arcs: 100, Awake: 16})
	// values; arcs; offsets and values; a list of 3, a bitmap of 16 bits twice; columns
	want := 5*16 + 4 + 110*12 + 19*(offsets+16) + 24 + 4 + 192
	check(want)
	moved.begun(sized{g: g, widths: pregel.Widths{Value: 4, Message: 1, Frontier: pregel.NoFrontier, Beside: 7}})
	moved.step(pregel.StepRecord{Arcs: 20, Awake: 16})
	check(want + 20*5 + 16*(offsets+8) + 7)
	moved.begun(nil)
	moved.step(pregel.StepRecord{Arcs: 20, Awake: 16})
	check(want + 20*5 + 16*(offsets+8) + 7)
}

// A brief run follows one from the source before, or several where those are briefer than what is
// to be before it, also where only it itself shows that runs are brief; of others each is one.
func TestBrief(t *testing.T) {
	t.Parallel()
	g, err := graph.FromArcs(3, graph.ArcList{List: []graph.Arc{{U: 0, V: 1}, {U: 1, V: 2}}}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		brief, others float64
		want          []pregel.ID
	}{
		{0, 0.02, []pregel.ID{"0", "0", "1", "2"}},
		{math.Inf(1), 0, []pregel.ID{"0", "0", "0", "0", "0", "0", "1", "1", "2"}},
		{math.Inf(1), 0.02, []pregel.ID{"0", "1", "2"}},
	} {
		var made []*bfs.BFS
		entry := programs.Entry{Name: "bfs", New: func() pregel.Algorithm {
			made = append(made, new(bfs.BFS))
			return made[len(made)-1]
		}}
		s := &series{graph: g, engine: cpu.New(cpu.Options{}), o: Options{Runs: 3, Sources: []pregel.ID{"0", "1", "2"}}, brief: c.brief, others: c.others}
		row, err := s.program(t.Context(), entry)
		if err != nil {
			t.Fatal(err)
		}
		var sources []pregel.ID
		for _, a := range made {
			sources = append(sources, a.Source)
		}
		if all := len(sources); len(c.want) == 3 { // as often as that takes
			if sources = slices.Compact(sources); all < 20 {
				t.Errorf("%d runs, of which six times some are to take %v s", all, c.others)
			}
		}
		if !slices.Equal(sources, c.want) || len(row.Times) != 3 {
			t.Errorf("brief below %v s: runs from %q, want %q; %d are timed", c.brief, sources, c.want, len(row.Times))
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

// A search reaches the same edges whichever of its columns it finds: the source has no parent, and
// counts; where nothing else is reached, its own edges do.
func TestEdgesReached(t *testing.T) {
	t.Parallel()
	g, err := graph.FromArcs(7, graph.ArcList{List: []graph.Arc{{U: 0, V: 1}, {U: 1, V: 2}, {U: 0, V: 2}, {U: 2, V: 2}, {U: 4, V: 5}, {U: 6, V: 6}}}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	for source, want := range map[uint32]uint64{0: 4, 1: 2, 3: 0, 4: 1, 6: 1} {
		from := pregel.ID(g.IDs().Text(source))
		for _, a := range []*bfs.BFS{{Source: from}, {Source: from, Depths: new(false)}, {Source: from, Parents: new(false)}} {
			answer, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})})
			if err != nil {
				t.Fatal(err)
			}
			if got := edgesReached(g, source, answer); got != want {
				t.Errorf("from %d, depths %v, parents %v: %d edges, want %d", source, a.Depths == nil, a.Parents == nil, got, want)
			}
		}
	}
}

// A certified is a search that asks another who certifies its answers.
type certified struct {
	bfs.BFS
	certify func(source pregel.ID) error
}

func (c *certified) Certify(context.Context, *graph.Graph, *pregel.Table) error {
	return c.certify(c.Source)
}

// The answers of the last runs are certified; what that takes of memory is none of the program's,
// and what is wrong ends the timing.
func TestLastAnswersAreCertified(t *testing.T) {
	g, err := graph.FromArcs(4, graph.ArcList{List: []graph.Arc{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 3}}}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var asked []pregel.ID
	var held []byte
	wrong := errors.New("wrong")
	entry := programs.Entry{Name: "bfs", New: func() pregel.Algorithm {
		return &certified{certify: func(source pregel.ID) error {
			if asked = append(asked, source); source == "3" {
				return wrong
			}
			held = bytes.Repeat([]byte{1}, 64<<20)
			return nil
		}}
	}}
	for _, c := range []struct {
		sources []pregel.ID
		certify int
		want    []pregel.ID
		err     error
	}{
		{[]pregel.ID{"0", "1", "2"}, 0, nil, nil},
		{[]pregel.ID{"0", "1", "2"}, 2, []pregel.ID{"1", "2"}, nil},
		{[]pregel.ID{"0", "1", "2"}, 5, []pregel.ID{"0", "1", "2"}, nil}, // not that of the warm-up
		{[]pregel.ID{"3", "1", "2"}, 2, []pregel.ID{"1", "2"}, nil},
		{[]pregel.ID{"0", "3", "2"}, 2, []pregel.ID{"3"}, wrong},
	} {
		asked, held = nil, nil
		s := &series{graph: g, engine: cpu.New(cpu.Options{}), o: Options{Runs: 3, Certify: c.certify, Sources: c.sources}}
		row, err := s.program(t.Context(), entry)
		if !errors.Is(err, c.err) || !slices.Equal(asked, c.want) {
			t.Errorf("sources %q, %d to certify: certified %q, %v; want %q, %v", c.sources, c.certify, asked, err, c.want, c.err)
		}
		if all := mem.PeakResident(); len(held) > 0 && row.Peak > 0 && row.Peak+int64(len(held))/2 > all {
			t.Errorf("%d to certify: a peak of %d bytes, with what certifying took %d", c.certify, row.Peak, all)
		}
	}
}
