package cpu_test

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/mem"
	"gopregel/programs/pagerank"
	"gopregel/runtime/cpu"
)

// endless is a program whose vertices 3 and 70000 do not come back until it is told
// to let them go.
type endless struct {
	relaxed bool
	release chan struct{}
}

func (p endless) at(v uint32) uint32 {
	if v == 3 || v == 70000 {
		<-p.release
	}
	return v
}

func (endless) Name() string { return "endless" }
func (p endless) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Silent: !p.relaxed}
}
func (endless) Init(v pregel.Vertex[uint32]) (uint32, bool) { return v.ID + 1, true }
func (endless) Emit(v pregel.Vertex[uint32]) uint32         { return v.Value }
func (p endless) Apply(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
	p.at(v.ID)
	return min(v.Value, m), m < v.Value
}
func (p endless) Relaxes() bool { return p.relaxed }

// endlessVertex is the same as a vertex program.
type endlessVertex struct{ endless }

func (endlessVertex) Compute(c *pregel.Context[uint32, uint32], _ []uint32) { c.VoteToHalt() }
func (p endlessVertex) Init(v pregel.Vertex[uint32]) (uint32, bool)         { return p.at(v.ID), true }

// A superstep that does not end is reported with program, superstep, vertices and
// stacks, once.
func TestStuck(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "path", N: 100_000}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		workers    int
		run        func(j *pregel.Job, p endless) error
	}{
		{"edge program", "program endless, superstep 0, vertices 3, 70000", 2, func(j *pregel.Job, p endless) error {
			_, err := pregel.RunEdge(t.Context(), j, p, pregel.WithMaxSupersteps(2))
			return err
		}},
		{"one worker", "program endless, superstep 0, vertex 3", 1, func(j *pregel.Job, p endless) error {
			_, err := pregel.RunEdge(t.Context(), j, p, pregel.WithMaxSupersteps(2))
			return err
		}},
		{"in place", "program endless, superstep 0, vertices 3, 70000", 2, func(j *pregel.Job, p endless) error {
			j.Engine = cpu.New(cpu.Options{Workers: 2, Schedule: pregel.Relaxed})
			p.relaxed = true
			_, err := pregel.RunEdge(t.Context(), j, p)
			return err
		}},
		{"vertex program", "program endless, Init, vertices 3, 70000", 2, func(j *pregel.Job, p endless) error {
			_, err := pregel.RunVertex(t.Context(), j, endlessVertex{p})
			return err
		}},
		{"phase", "program loop, superstep 0", 2, func(j *pregel.Job, p endless) error {
			_, err := j.Phase(t.Context(), "loop", func(lo, _ uint32, _ *pregel.Worker) {
				if lo == 0 {
					<-p.release
				}
			})
			return err
		}},
	} {
		// Where others have the machine, a superstep takes longer than is given here: the
		// next try has more.
		for limit := 50 * time.Millisecond; ; limit *= 2 {
			p := endless{release: make(chan struct{})}
			var told []error
			j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: c.workers})}
			j.Bounds = pregel.Bounds{Time: limit, Grace: 3 * limit, Stuck: func(err error) {
				told = append(told, err)
				close(p.release)
			}}
			err := c.run(j, p)
			var at *pregel.StuckError
			if err == nil && len(told) == 1 && errors.As(told[0], &at) && strings.HasPrefix(at.Error(), c.want+": still under way after ") &&
				strings.Contains(at.Stack, "bounds_test.go") && at.After >= limit {
				break
			}
			if t.Logf("%s, %v: %v, told of %v", c.name, limit, err, told); limit > 3*time.Second {
				t.Fatalf("%s: want %s", c.name, c.want)
			}
		}
	}
}

// A phase that panics belongs to no vertex; the one that a program was at before is
// not named.
func TestPanicOfPhase(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "path", N: 1000}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1})}
	if _, err := pregel.RunEdge(t.Context(), j, endless{relaxed: true, release: released()}); err != nil {
		t.Fatal(err)
	}
	_, err = j.Phase(t.Context(), "sum", func(uint32, uint32, *pregel.Worker) { panic("deliberate") })
	var at *pregel.ProgramError
	if !errors.As(err, &at) || err.Error() != "program sum, superstep 0: deliberate" || !strings.Contains(at.Stack, "TestPanicOfPhase") {
		t.Errorf("error %T: %v", err, err)
	}
}

func released() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// flood sends without end from one vertex in superstep 1; or all vertices send much
// to one.
type flood struct {
	from   uint32
	others int
}

type parcel [64]byte

func (flood) Name() string                                { return "flood" }
func (flood) Init(v pregel.Vertex[uint32]) (uint32, bool) { return 0, true }
func (p flood) Compute(c *pregel.Context[uint32, parcel], _ []parcel) {
	for c.ID == p.from && c.Superstep == 1 {
		c.Send(0, parcel{})
	}
	for range p.others {
		c.Send(0, parcel{})
	}
}

// What a vertex sends without bound is found while it sends, what all send together
// at the latest when it is delivered; the process stays near the limit.
func TestMemoryOfMessages(t *testing.T) {
	path, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "path", N: 1000}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const more = 96 << 20
	for _, c := range []struct {
		p    flood
		want string
	}{
		{flood{from: 500}, "program flood, superstep 1, vertex 500: too much memory: the process holds "},
		{flood{from: graph.None, others: 3000}, "program flood, superstep 0"}, // 196 MB
	} {
		debug.FreeOSMemory()
		limit := mem.Resident() + more
		j := &pregel.Job{Graph: path, Engine: cpu.New(cpu.Options{Workers: 2}), Bounds: pregel.Bounds{Memory: limit}}
		r, err := pregel.RunVertex(t.Context(), j, c.p, pregel.WithMaxSupersteps(3))
		var full *pregel.MemoryError
		if !errors.As(err, &full) || !strings.HasPrefix(fmt.Sprint(err), c.want) || full.Limit != limit {
			t.Fatalf("%+v: %v, %v", c.p, r.Stop, err)
		}
		if full.What != "" && full.Held > limit+limit/2 { // the race detector, if there, has memory of its own
			t.Errorf("%+v: found late: %v", c.p, err)
		}
		t.Log(err)
	}
}

// A lasting Checkpointer notes the marks of last states.
type lasting struct{ marks []pregel.Mark }

func (*lasting) Resume(*pregel.State) (bool, error) { return false, nil }
func (*lasting) Due(pregel.Mark) bool               { return false }
func (l *lasting) Keep(at pregel.Mark, _ func() (pregel.State, error)) error {
	if at.Last {
		l.marks = append(l.marks, at)
	}
	return nil
}

// A run that its time ends can be gone on with, from where it was.
func TestTimeLimitKeepsTheLastState(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "karate"}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	kept := &lasting{}
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2}), Checkpoints: kept,
		Bounds: pregel.Bounds{Time: 5 * time.Millisecond}, Observe: func(pregel.StepRecord) { time.Sleep(2 * time.Millisecond) }}
	answer, err := (&pagerank.PageRank{Damping: 0.85, Iterations: 1000, Precision: pagerank.Float64}).Run(t.Context(), j)
	if err != nil || answer.Stop.Reason != pregel.TimeLimit {
		t.Fatalf("%v, %v", answer, err)
	}
	if len(kept.marks) != 1 || kept.marks[0].Supersteps != answer.Stop.Supersteps {
		t.Errorf("last states at %v, the run stopped after %d supersteps", kept.marks, answer.Stop.Supersteps)
	}
}

// A phase in pieces that tells of no progress is done as a whole where checkpoints are
// kept, as none could be gone on with: it outlasts its time. Without them it is left.
func TestTimeLimitLeavesPiecesOrNot(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "karate"}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const pieces = 100
	for _, c := range []struct {
		kept pregel.Checkpointer
		want pregel.Reason
	}{{nil, pregel.TimeLimit}, {&lasting{}, pregel.Halted}} {
		// Where others have the machine, time is over before the phase begins: the next try
		// has more.
		for limit := time.Millisecond; ; limit *= 4 {
			j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2}), Checkpoints: c.kept, Bounds: pregel.Bounds{Time: limit}}
			done := 0
			stop, err := j.Pieces(t.Context(), pregel.Pieces{Name: "pieces", N: pieces, Alone: true, Do: func(int, *pregel.Worker) {
				if done++; done == pieces/2 {
					time.Sleep(limit + 1)
				}
			}})
			if err == nil && stop.Reason == c.want && (c.want == pregel.Halted && done == pieces || done == pieces/2) {
				break
			}
			if t.Logf("checkpoints %v, %v: %v, %v after %d pieces, want %v", c.kept != nil, limit, stop, err, done, c.want); limit > 10*time.Second {
				t.Fatal("it is left, or not")
			}
		}
	}
}
