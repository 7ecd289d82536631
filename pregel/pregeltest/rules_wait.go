package pregeltest

import (
	"fmt"
	"math"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// distances finds shortest paths from vertex 0; weights count as their squares.
type distances struct{}

const unreached = math.MaxInt64

func (distances) Spec() pregel.Spec[int64] {
	return pregel.Spec[int64]{Combine: pregel.Min[int64](), Edge: pregel.PlusWeight[int64]()}
}
func (distances) Init(v pregel.Vertex[int64]) (int64, bool) {
	if v.ID == 0 {
		return 0, true
	}
	return unreached, false
}
func (distances) Emit(v pregel.Vertex[int64]) int64 { return v.Value }
func (distances) Apply(v pregel.Vertex[int64], message int64, _ bool) (int64, bool) {
	return min(v.Value, message), message < v.Value
}

// steppedDistances takes near vertices first.
type steppedDistances struct {
	distances
	delta int64
}

func (p steppedDistances) Priority(d int64) uint64 { return uint64(d / p.delta) }

// relaxed finds the distances by going over the arcs until none helps.
func relaxed(g *graph.Graph) []int64 {
	d := make([]int64, g.N())
	for v := range d {
		d[v] = unreached
	}
	d[0] = 0
	for again := true; again; {
		again = false
		for _, l := range links(g, pregel.OutEdges) {
			if x := d[l.from]; x != unreached && x+int64(l.w) < d[l.to] {
				d[l.to] = x + int64(l.w)
				again = true
			}
		}
	}
	return d
}

// priorities also wants waiting to have an effect: fewer vertices emit. A path
// joins all vertices, so that there is something to wait for whatever is drawn.
func priorities(s *suite) {
	r := newRand(s.seed)
	most := 200
	if testing.Short() {
		most = 40 // there are as many supersteps as there are distances
	}
	for _, f := range []form{{directed: true, weights: graph.Int32}, {weights: graph.Int32}} {
		arcs := randomArcs(r, 1500, 7000)
		for v := range arcs.n - 1 {
			arcs.add(v, v+1)
		}
		g := arcs.build(f, func(int) int { return 1 + r.IntN(most) })
		want := relaxed(g)
		plain := total(Reference(g, distances{}, nil, 0).Emitted)
		for _, delta := range []int64{1, 50, 1 << 40} {
			p := steppedDistances{delta: delta}
			o := Reference(g, p, nil, 0)
			if text := differs(o.Values, want); text != "" {
				s.Fatalf("the reference is wrong: %s", text)
			}
			s.Run(fmt.Sprintf("%v, delta %d", f, delta), func(t *testing.T) {
				s.with(t).each(func(e *env) {
					r, awake := emitted(e, g, p)
					agrees(e, g, p, r, o)
					if delta == 50 { // nobody observes
						compare(e, g, p, o)
					}
					if awake != total(o.Emitted) || delta == 1 && awake >= plain {
						e.Errorf("%d vertices emitted, want %d; without priorities %d", awake, total(o.Emitted), plain)
					}
				})
			})
		}
	}
}

func total(counts []uint64) (sum uint64) {
	for _, x := range counts {
		sum += x
	}
	return sum
}

// emitted runs a program and counts the vertices that emit, in all supersteps.
func emitted[V, M any](e *env, g *graph.Graph, p sender[V, M]) (r pregel.Result[V], sum uint64) {
	e.Helper()
	j := e.job(g)
	j.Observe = func(r pregel.StepRecord) { sum += r.Awake }
	r, err := start(e.Context(), j, p)
	if err != nil {
		e.Fatalf("%s: %v", describe(g), err)
	}
	return r, sum
}

// wave is a breadth-first search that says nothing of vertices being done.
type wave struct{}

func (wave) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.SourceID[uint32]()}
}
func (wave) Init(v pregel.Vertex[int32]) (int32, bool) {
	if v.ID%500 == 7 {
		return 0, true
	}
	return -1, false
}
func (wave) Emit(v pregel.Vertex[int32]) uint32 { return v.ID }
func (wave) Apply(v pregel.Vertex[int32], _ uint32, _ bool) (int32, bool) {
	if v.Value >= 0 {
		return v.Value, false
	}
	return v.Superstep + 1, true
}

// settlingWave does, and wants not to be asked then.
type settlingWave struct{ wave }

func (settlingWave) Settled(depth int32) bool { return depth >= 0 }

func (p settlingWave) Apply(v pregel.Vertex[int32], message uint32, got bool) (int32, bool) {
	if v.Value >= 0 {
		panic("Apply of a settled vertex")
	}
	return p.wave.Apply(v, message, got)
}

func settledVertices(s *suite) {
	r := newRand(s.seed)
	var trials []trial
	for _, f := range []form{{directed: true}, {}} {
		g := randomArcs(r, 5000, 11000).random(f, r)
		want := Reference(g, wave{}, nil, 0)
		trials = append(trials, func(e *env) {
			compare(e, g, wave{}, want)
			if text := differs(runEdge(e, g, settlingWave{}).Values, want.Values); text != "" {
				e.Errorf("%s: settling changes the answer: %s", describe(g), text)
			}
		})
	}
	s.try(trials)
}
