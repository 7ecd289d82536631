package pregeltest_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/runtime/cpu"
)

func newEngine(c pregeltest.Config) pregel.Engine {
	return cpu.New(cpu.Options{Workers: c.Workers, Direction: c.Direction, Strict: c.Strict, Schedule: c.Schedule})
}

// recorder is a test that notes whether it has failed.
type recorder struct {
	testing.TB
	failed bool
	log    strings.Builder
}

func (r *recorder) Helper()      {}
func (r *recorder) Name() string { return "recorder" }
func (r *recorder) Failed() bool { return r.failed }
func (r *recorder) Fail()        { r.failed = true }
func (r *recorder) FailNow() {
	r.failed = true
	runtime.Goexit()
}
func (r *recorder) Log(args ...any)                 { fmt.Fprintln(&r.log, args...) }
func (r *recorder) Logf(format string, args ...any) { fmt.Fprintf(&r.log, format+"\n", args...) }
func (r *recorder) Errorf(format string, args ...any) {
	r.Logf(format, args...)
	r.failed = true
}
func (r *recorder) Fatalf(format string, args ...any) {
	r.Logf(format, args...)
	r.FailNow()
}
func (r *recorder) Error(args ...any) {
	r.Log(args...)
	r.failed = true
}
func (r *recorder) Fatal(args ...any) {
	r.Log(args...)
	r.FailNow()
}

// failing runs f on a recorder and returns what it logged when it failed.
func failing(t *testing.T, f func(t rapid.TB)) string {
	t.Helper()
	r := &recorder{TB: t}
	done := make(chan bool)
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
	if !r.failed {
		t.Fatal("the test of something wrong has passed")
	}
	return r.log.String()
}

func TestLaws(t *testing.T) {
	pregeltest.Laws(t, many(0), rapid.Uint32())
	pregeltest.Laws(t, pregel.Min[int64](), rapid.Int64())
	pregeltest.Laws(t, pregel.Max[uint32](), rapid.Uint32())
	pregeltest.Laws(t, pregel.Or[uint64](), rapid.Uint64())
	pregeltest.Laws(t, pregel.Sum[int32](), rapid.Int32())
	pregeltest.Laws(t, pregel.Sum[float64](), rapid.Float64Range(-1e9, 1e9))
	pregeltest.Laws(t, pregel.Min[float32](), rapid.Float32())
}

func TestLawsFindWhatBreaksThem(t *testing.T) {
	for missed := 1; missed < 3; missed++ {
		if text := failing(t, func(t rapid.TB) { pregeltest.Laws(t, many(missed), rapid.Uint32()) }); !strings.Contains(text, `"or": Many of`) {
			t.Errorf("a function of many that misses %d: %q", missed, text)
		}
	}
	minus := pregel.Combine("minus", 0, func(a, b int) int { return a - b })
	if text := failing(t, func(t rapid.TB) { pregeltest.Laws(t, minus, rapid.Int()) }); !strings.Contains(text, `"minus"`) {
		t.Errorf("the combiner is not named: %s", text)
	}
	claims := pregel.Sum[float64]()
	claims.Exact = true
	failing(t, func(t rapid.TB) {
		pregeltest.Laws(t, claims, rapid.SampledFrom([]float64{1. / 3, -1. / 7, 1e3 / 7, -1e6 / 3, 1e9 / 7, -1e12 / 3}))
	})
	idempotent := pregel.Sum[int64]()
	idempotent.Idempotent = true
	failing(t, func(t rapid.TB) { pregeltest.Laws(t, idempotent, rapid.Int64Range(-5, 5)) })
	one := pregel.Combine("times", 2, func(a, b int) int { return a * b })
	failing(t, func(t rapid.TB) { pregeltest.Laws(t, one, rapid.Int()) })
	failing(t, func(t rapid.TB) { pregeltest.Laws(t, pregel.Any[int](), rapid.Int()) })
}

// loudest gives every vertex the greatest vertex that can reach it.
type loudest struct{}

func (loudest) Spec() pregel.Spec[uint32]                   { return pregel.Spec[uint32]{Combine: pregel.Max[uint32]()} }
func (loudest) Init(v pregel.Vertex[uint32]) (uint32, bool) { return v.ID, true }
func (loudest) Emit(v pregel.Vertex[uint32]) uint32         { return v.Value }
func (loudest) Apply(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
	return max(v.Value, m), m > v.Value
}

// first keeps what it has, and loses messages: wrong wherever somebody is to hear
// of a greater vertex.
type first struct{ loudest }

func (first) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Combine("first", 0, func(a, _ uint32) uint32 { return a })}
}

func run(p pregel.EdgeProgram[uint32, uint32]) func(ctx context.Context, j *pregel.Job) ([]uint32, error) {
	return func(ctx context.Context, j *pregel.Job) ([]uint32, error) {
		r, err := pregel.RunEdge(ctx, j, p)
		return r.Values, err
	}
}

// reach is loudest by following arcs from every vertex.
func reach(g *graph.Graph) []uint32 {
	values := make([]uint32, g.N())
	var from func(u, v uint32)
	from = func(u, v uint32) {
		if values[v] > u || values[v] == u && u != v {
			return
		}
		values[v] = u
		for _, x := range g.Out().Neighbors(v) {
			if values[x] < u {
				from(u, x)
			}
		}
	}
	for u := range uint32(g.N()) {
		from(u, u)
	}
	return values
}

func TestProgram(t *testing.T) {
	pregeltest.Program(t, newEngine, run(loudest{}), reach)
	pregeltest.Program(t, newEngine, run(loudest{}), nil)
}

func TestProgramFindsWrongAnswers(t *testing.T) {
	text := failing(t, func(t rapid.TB) { pregeltest.Program(t, newEngine, run(first{}), reach) })
	if !strings.Contains(text, "against the reference") {
		t.Errorf("the report does not say what differs: %s", text)
	}
	racy := func(ctx context.Context, j *pregel.Job) ([]uint32, error) {
		values, err := run(loudest{})(ctx, j)
		if j.Engine.Pool().Workers() == 3 && len(values) > 2 {
			values[1]++
		}
		return values, err
	}
	failing(t, func(t rapid.TB) { pregeltest.Program(t, newEngine, racy, nil) })
}

// many unites numbers, but for the last few when there are many.
func many(missed int) pregel.Monoid[uint32] {
	or := pregel.Combine("or", 0, func(a, b uint32) uint32 { return a | b })
	or.Idempotent, or.Exact = true, true
	or.Many = func(as, bs []uint32) {
		for i := range max(len(as)-missed, 0) {
			as[i] |= bs[i]
		}
	}
	return or
}
