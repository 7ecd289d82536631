package cpu_test

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/sssp"
	"gopregel/runtime/cpu"
)

// hops is a vertex program for distances in hops from vertex 0; it takes its time.
type hops struct{ nap time.Duration }

func (p hops) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	r, err := pregel.RunVertex(ctx, j, p)
	return &pregel.Answer{Stop: r.Stop}, err
}

func (hops) Init(v pregel.Vertex[uint32]) (uint32, bool) { return math.MaxUint32, v.ID == 0 }

func (p hops) Compute(c *pregel.Context[uint32, uint32], _ []uint32) {
	time.Sleep(p.nap)
	c.VoteToHalt()
	if c.Value == math.MaxUint32 {
		c.Value = uint32(c.Superstep)
		c.SendAll(0)
	}
}

// A sampled superstep is noted with its phases.
type sampled struct {
	noted
	phases  []string
	inAll   time.Duration // their time
	atomics uint64
}

// sampledRun notes the supersteps of a run.
func sampledRun(t *testing.T, g *graph.Graph, a pregel.Algorithm, s pregel.Schedule, batch, most int, below time.Duration) (list []sampled) {
	t.Helper()
	e := cpu.New(cpu.Options{Workers: 2, Schedule: s})
	if below > 0 {
		e.Sample(below)
	}
	j := &pregel.Job{Graph: g, Engine: e, Batch: batch, MaxSupersteps: most}
	j.Detail = func(r *pregel.StepRecord) {
		d := r.Detail
		n := sampled{noted: noted{StepRecord: *r, why: d.Why, sent: *d.Sent, timed: d.Timed}, atomics: *d.Atomics}
		if n.Detail = nil; d.Combined != nil {
			n.combined = *d.Combined
		}
		for _, p := range d.Phases {
			n.phases = append(n.phases, p.Name)
			n.inAll += slices.Max(p.Workers)
		}
		list = append(list, n)
	}
	if _, err := a.Run(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	return list
}

// Of short supersteps that follow each other one in so many has the times of its phases;
// it was timed itself. All else in the records is as it is where each is timed.
func TestSampled(t *testing.T) {
	t.Parallel()
	path := generated(t, "path", map[string]string{"n": "9000"}).WithWeights(func(u, v uint32) int32 { return int32(u%7) + 1 })
	grid := generated(t, "grid", map[string]string{"rows": "4", "cols": "2500"}).WithWeights(func(u, v uint32) int32 { return int32(u%7) + 1 })
	small := generated(t, "path", map[string]string{"n": "500"})
	for _, c := range []struct {
		name     string
		g        *graph.Graph
		a        pregel.Algorithm
		schedule pregel.Schedule
		least    int // supersteps without phases, of 10
	}{
		{"delta-stepping/path", path, &sssp.SSSP{Source: "0", Method: sssp.DeltaStepping}, pregel.BSP, 9},
		{"delta-stepping/grid", grid, &sssp.SSSP{Source: "0", Method: sssp.DeltaStepping}, pregel.BSP, 8},
		{"in place/path", path, &sssp.SSSP{Source: "0", Method: sssp.DeltaStepping}, pregel.AutoSchedule, 5},
		{"vertex/path", path, hops{}, pregel.BSP, 9},
		{"vertex/grid", grid, hops{}, pregel.BSP, 9},
		{"vertex/small", small, hops{}, pregel.BSP, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			each := sampledRun(t, c.g, c.a, c.schedule, 0, 3000, time.Hour)
			if n := unphased(t, each); n > 0 {
				t.Errorf("one by one %d of %d supersteps have no phases", n, len(each))
			}
			for _, batch := range []int{7, 64} {
				some := sampledRun(t, c.g, c.a, c.schedule, batch, 3000, time.Hour)
				n := unphased(t, some)
				if n < len(some)*c.least/10 || c.least == 0 && n > 0 {
					t.Errorf("%d of %d supersteps have no phases, want %d in 10", n, len(some), c.least)
				}
				checkSamples(t, some)
				if !slices.EqualFunc(each, some, alike) {
					t.Errorf("records %v\none by one %v", some, each)
				}
			}
		})
	}
}

// Where each superstep takes its time the phases of each are timed.
func TestSampledSlow(t *testing.T) {
	t.Parallel()
	g := generated(t, "path", map[string]string{"n": "9000"})
	if list := sampledRun(t, g, hops{20 * time.Microsecond}, pregel.BSP, 64, 100, 0); unphased(t, list) > 0 {
		t.Errorf("%d of %d supersteps have no phases", unphased(t, list), len(list))
	}
}

// unphased counts the supersteps whose phases were not timed; none is of those that were
// done by themselves and timed with others.
func unphased(t *testing.T, list []sampled) (n int) {
	for i, r := range list {
		switch {
		case len(r.phases) == 0:
			n++
		case r.timed != 0:
			t.Errorf("superstep %d has phases, and was timed with %d", i, r.timed)
		case r.inAll > r.Time:
			t.Errorf("superstep %d took %v, its phases %v", i, r.Time, r.inAll)
		}
	}
	return n
}

// checkSamples checks that no more supersteps than are allowed follow each other without
// phases, and that those timed together have equal parts.
func checkSamples(t *testing.T, list []sampled) {
	t.Helper()
	plain, row := []noted(nil), 0
	for i, r := range list {
		if plain, row = append(plain, r.noted), row+1; len(r.phases) > 0 {
			row = 0
		}
		if row > 64 {
			t.Fatalf("superstep %d is the %dth without phases", i, row)
		}
	}
	parts(t, t.Name(), plain)
}

// alike tells whether two records are alike but for times.
func alike(a, b sampled) bool {
	a.Time, b.Time, a.timed, b.timed = 0, 0, 0, 0
	return a.noted == b.noted && a.atomics == b.atomics
}
