package pregeltest

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// An Unbounded engine heeds no Job.Bounds: an interpreter, say, whose time and
// memory tell nothing of a program. The contract then leaves them out.
type Unbounded interface{ Unbounded() }

func unbounded(e *env) bool {
	_, free := e.engine.(Unbounded)
	return free
}

// leavesPieces ends a phase of pieces, which has nine seconds to do, by the clock.
func leavesPieces(e *env, g *graph.Graph) {
	j, done := e.job(g), 0
	j.Bounds.Time = 20 * time.Millisecond
	stop, err := j.Pieces(e.Context(), pregel.Pieces{Name: "pieces", N: 3000, Alone: true, Do: func(int, *pregel.Worker) {
		time.Sleep(3 * time.Millisecond)
		done++
	}})
	if err != nil || stop.Reason != pregel.TimeLimit || j.Supersteps() != 0 || done > 8 {
		e.Errorf("a phase of pieces of 3 ms within 20 ms: %v, %v, %d supersteps, %d pieces", stop, err, j.Supersteps(), done)
	}
}

// stopAtTime ends runs by the clock: whenever that is, the values are those of so
// many supersteps, and the phases that follow do none.
func stopAtTime(s *suite) {
	g, m := restless(s)
	s.each(func(e *env) {
		if unbounded(e) {
			return
		}
		j := e.job(g)
		j.Bounds.Time = time.Nanosecond
		r, err := pregel.RunEdge(e.Context(), j, m)
		stopsAt(e, "no time", r, err, pregel.TimeLimit, Outcome[uint64]{Values: initial(g, m)})

		j = e.job(g)
		j.Bounds.Time = 10 * time.Millisecond
		j.Observe = func(pregel.StepRecord) { time.Sleep(2 * time.Millisecond) }
		r, err = pregel.RunEdge(e.Context(), j, m)
		want := Outcome[uint64]{Values: initial(g, m)}
		if r.Stop.Supersteps > 0 {
			want = Reference(g, m, nil, r.Stop.Supersteps)
		}
		stopsAt(e, "10 ms", r, err, pregel.TimeLimit, want)
		if r.Stop.Supersteps > 6 {
			e.Errorf("%d supersteps of at least 2 ms each within 10 ms", r.Stop.Supersteps)
		}
		before := j.Supersteps()
		r, err = pregel.RunEdge(e.Context(), j, m)
		stopsAt(e, "the next phase", r, err, pregel.TimeLimit, Outcome[uint64]{Values: initial(g, m)})
		stop, err := j.Phase(e.Context(), "late", func(uint32, uint32, *pregel.Worker) { e.Errorf("a phase ran past the limit") })
		if err != nil || stop.Reason != pregel.TimeLimit || j.Supersteps() != before {
			e.Errorf("a phase when time is over: %v, %v, %d supersteps more", stop, err, j.Supersteps()-before)
		}

		leavesPieces(e, g)

		j = e.job(g)
		j.Bounds.Time = time.Hour
		counted, err := pregel.RunVertex(e.Context(), j, countdown{})
		if err != nil || counted.Stop.Reason != pregel.Halted {
			e.Errorf("with time left: %v", counted.Stop)
		}
	})
}

// rotten has a value that becomes NaN at one vertex in one superstep, and spreads.
type rotten struct {
	superstep int32 // -1: Init
	vertex    uint32
}

type level struct {
	Name  string
	Parts [2]share
}

type share struct {
	Count int
	Share float64
}

func (rotten) Name() string { return "rotten" }
func (rotten) Spec() pregel.Spec[float64] {
	return pregel.Spec[float64]{Combine: pregel.Sum[float64](), Silent: true}
}

func (p rotten) at(v pregel.Place) float64 {
	if v.Superstep >= p.superstep && v.ID == p.vertex {
		return math.NaN()
	}
	return 1
}

func (p rotten) Init(v pregel.Vertex[float64]) (float64, bool) { return p.at(v.Place), true }
func (p rotten) Emit(v pregel.Vertex[float64]) float64         { return v.Value }
func (p rotten) Apply(v pregel.Vertex[float64], sum float64, _ bool) (float64, bool) {
	return p.at(v.Place) + sum, v.Superstep < 5
}

// rottenParts is a vertex program with it deep in a struct.
type rottenParts struct{ rotten }

func (p rottenParts) Init(v pregel.Vertex[level]) (level, bool) {
	return level{Parts: [2]share{{}, {Share: p.at(v.Place)}}}, true
}

func (p rottenParts) Compute(c *pregel.Context[level, float64], _ []float64) {
	c.Value.Parts[1].Share = p.at(c.Place)
	if c.Superstep > 4 {
		c.VoteToHalt()
	}
}

// nanIsFound wants a NaN to be named at the barrier where it first stands.
func nanIsFound(s *suite) {
	g := failureGraph(s)
	victim := uint32(s.seed % 3000)
	s.each(func(e *env) {
		if unbounded(e) {
			return
		}
		for _, superstep := range []int32{-1, 0, 3} {
			p := rotten{superstep, victim}
			for _, stop := range []bool{true, false} {
				j := e.job(g)
				j.Bounds.NaN = stop
				r, err := pregel.RunEdge(e.Context(), j, p)
				if !stop {
					if err != nil || r.Stop.Reason != pregel.Halted {
						e.Errorf("NaN where it is allowed: %v", r.Stop)
					}
					continue
				}
				wantNaN(e, p, r.Stop, err, "(NaN)")
			}
			j := e.job(g)
			j.Bounds.NaN = true
			r, err := pregel.RunVertex(e.Context(), j, rottenParts{p})
			wantNaN(e, p, r.Stop, err, "(NaN): its field Parts[1].Share")
		}
	})
}

func wantNaN(e *env, p rotten, stop pregel.Stop, err error, end string) {
	e.Helper()
	step := fmt.Sprintf("superstep %d", p.superstep)
	if p.superstep < 0 {
		step = "Init"
	}
	want := fmt.Sprintf("program rotten, %s, vertex %d: its value is not a number %s", step, 10*uint64(p.vertex)+7, end)
	if stop.Reason != pregel.Failed || stop.Supersteps != int(p.superstep)+1 || !errors.Is(err, pregel.ErrNaN) || err.Error() != want {
		e.Errorf("%v\nerror %v\nwant %s", stop, err, want)
	}
}

// memoryIsBounded wants a run without room to fail at its first barrier, and one
// with room to be as it is without a bound.
func memoryIsBounded(s *suite) {
	g, m := restless(s)
	want := Reference(g, m, nil, 4)
	s.each(func(e *env) {
		if unbounded(e) {
			return
		}
		j := e.job(g)
		j.Bounds.Memory = 1
		r, err := pregel.RunEdge(e.Context(), j, m)
		var full *pregel.MemoryError
		if r.Stop.Reason != pregel.Failed || !errors.As(err, &full) || full.Limit != 1 || full.Held < 1<<20 || r.Stop.Supersteps != 0 {
			e.Errorf("a limit of one byte: %v, %v", r.Stop, err)
		}
		if err != nil && !strings.Contains(err.Error(), "Init: too much memory: the process holds ") {
			e.Errorf("%v", err)
		}
		j = e.job(g)
		j.Bounds.Memory = 1 << 50
		r, err = pregel.RunEdge(e.Context(), j, m, pregel.WithMaxSupersteps(4))
		stopsAt(e, "a large limit", r, err, pregel.MaxSupersteps, want)
	})
}
