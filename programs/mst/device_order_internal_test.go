package mst

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/internal/trial"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// ordering is an algorithm that finds the forest on a device, which puts the edges in order from some
// number of vertices on.
type ordering struct {
	engine   *cuda.Engine
	from     uint64
	found    Forest
	byDevice bool
}

func (o *ordering) Run(ctx context.Context, j *pregel.Job) (_ *pregel.Answer, err error) {
	d := &device{orderFrom: o.from}
	o.found, err = d.run(ctx, o.engine, j)
	o.byDevice = d.forest != nil
	return &pregel.Answer{Stop: o.found.Stop, Ordered: true}, err
}

func (*ordering) Renumbered(context.Context, *pregel.Job, *pregel.Answer) error { return nil }

// weighed gives edges weights of a kind, of both signs.
func weighed(t *testing.T, r interface{ Int32() int32 }, g *graph.Graph, kind graph.WeightKind) *graph.Graph {
	t.Helper()
	seed := uint64(r.Int32())
	weight := func(u, v uint32) int32 {
		return int32(graph.SplitMix64(seed ^ uint64(min(u, v))<<32 ^ uint64(max(u, v))))
	}
	switch kind {
	case graph.Int32:
		return g.WithWeights(weight)
	case graph.Float32:
		var c graph.Columns
		for u := range uint32(g.N()) {
			for _, v := range g.Out().Neighbors(u) {
				if g.Directed() || u <= v {
					c.U, c.V, c.Weights.Float = append(c.U, u), append(c.V, v), append(c.Weights.Float, float32(weight(u, v))/3)
				}
			}
		}
		w, err := graph.Build(t.Context(), graph.RangeIDs(0, g.N()), c, graph.Options{Directed: g.Directed()})
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	return g
}

// sameForest runs both ways, on a graph as it is and prepared, for so many supersteps at the most, and tells whether
// the device was asked to put edges in order, and did.
func sameForest(t *testing.T, e *cuda.Engine, g *graph.Graph, order string, most int) {
	t.Helper()
	p, err := pregel.Prepare(t.Context(), g, order, 2)
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string]func(o *ordering) error{
		"as it is": func(o *ordering) error {
			_, err := o.Run(t.Context(), &pregel.Job{Graph: g, Engine: e, MaxSupersteps: most})
			return err
		},
		"by " + order: func(o *ordering) error {
			_, err := p.Run(t.Context(), o, &pregel.Job{Graph: g, Engine: e, MaxSupersteps: most})
			return err
		},
	}
	for name, run := range runs {
		want, got := &ordering{engine: e, from: math.MaxUint64}, &ordering{engine: e}
		if err := errors.Join(run(want), run(got)); err != nil {
			t.Fatal(err)
		}
		if want.byDevice || got.byDevice != (g.N() > 0) {
			t.Errorf("%d vertices %s: by the device %v and %v, want false and true", g.N(), name, want.byDevice, got.byDevice)
		}
		if !equalForests(want.found, got.found) {
			t.Errorf("%d vertices, weights %v, directed %v, %s: %d edges in the device's order, %d in the host's, which differ", g.N(), g.Weighted(), g.Directed(), name,
				len(got.found.Source), len(want.found.Source))
		}
	}
}

func equalForests(a, b Forest) bool {
	return slices.Equal(a.Source, b.Source) && slices.Equal(a.Target, b.Target) && a.Ordered == b.Ordered &&
		slices.Equal(a.Weights.Int, b.Weights.Int) && slices.Equal(a.Weights.Float, b.Weights.Float)
}

// The device puts edges in the host's order: of ends of one byte, two and three, in one piece
// and several.
func TestDeviceOrdersEdges(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	sizes := []int{0, 1, 2, 256, 257, 5000, 70_000}
	if testing.Short() {
		sizes = []int{1, 300, 70_000}
	}
	for _, n := range sizes {
		for _, kind := range []graph.WeightKind{graph.Unweighted, graph.Int32, graph.Float32} {
			g := weighed(t, r, trial.Random(r, n, 3*n, 0, r.IntN(2) == 0), kind)
			for _, most := range []int{0, 1} { // of a run that is stopped, too
				sameForest(t, e, g, pregel.Orders[r.IntN(len(pregel.Orders))], most)
			}
		}
	}
}

// Where it has room for the forest, but not for putting it in order, or may not keep the graph's
// own numbers, the host does.
func TestDeviceLacksRoomToOrder(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	g := weighed(t, r, trial.Random(r, 20_000, 60_000, 0, false), graph.Int32)
	p, err := pregel.Prepare(t.Context(), g, "degree", 2)
	if err != nil {
		t.Fatal(err)
	}
	other := &pregel.Job{Graph: trial.Random(r, 3, 3, 0, false), Engine: e}
	run := func(from uint64, out ...string) (*ordering, error) {
		_, err := (&ordering{engine: e}).Run(t.Context(), other) // a graph that lacked room is given up
		if err = errors.Join(err, e.LeaveOut(out...)); err != nil {
			t.Fatal(err)
		}
		o := &ordering{engine: e, from: from}
		_, err = p.Run(t.Context(), o, &pregel.Job{Graph: g, Engine: e})
		return o, err
	}
	want, err := run(math.MaxUint64)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { e.Memory = 0 }()
	seen := map[bool]int{}
	for e.Memory = 1 << 18; seen[true] == 0 || seen[false] == 0; e.Memory += e.Memory / 32 {
		got, err := run(0)
		var full *driver.OutOfMemory
		if errors.As(err, &full) && len(seen) == 0 {
			continue
		}
		if err != nil || !equalForests(want.found, got.found) || e.Memory > 1<<30 {
			t.Fatalf("with %d bytes: %v; the forests are the same: %v; by the device: %v", e.Memory, err, equalForests(want.found, got.found), seen)
		}
		seen[got.byDevice]++
	}
	e.Memory = 0
	defer e.LeaveOut()
	if got, err := run(0, cuda.OwnOrder); err != nil || got.byDevice || !equalForests(want.found, got.found) {
		t.Errorf("without the graph's own numbers: %v, by the device: %v", err, got.byDevice)
	}
}
