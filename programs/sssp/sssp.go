// Package sssp finds the lengths of shortest paths from a source.
//
// Result: distance(v), the least sum of weights of a path from the source to v,
// and parent(v), the vertex before v on such a path; with the parameter parents
// false distances alone. Integer weights give exact
// integer distances, float32 weights float64 distances (each sum of a distance
// and a weight rounded once); an unweighted graph has weights 1. The source has
// distance 0 and no parent; a vertex that cannot be reached has neither.
//
// Parent: the least in-neighbour u with distance(u) + w(u,v) = distance(v) and
// distance(u) < distance(v). Where only arcs that add nothing lead to v (weight
// 0, or lost in rounding), the least u one such arc nearer to a vertex that has
// a parent of the first kind or is the source. With negative weights: the least
// u with distance(u) + w(u,v) = distance(v) that is one such arc nearer to the
// source (parents.go).
//
// Arcs are followed from source to target, in an undirected graph both ways. Of
// duplicates the least counts.
//
// Method: relaxation in supersteps. A vertex that got nearer offers its
// distance; offers plus weight are combined by minimum. `delta-stepping` lets
// vertices wait until those nearer by their share of delta are done (Meyer and
// Sanders, Δ-stepping: a parallelizable shortest path algorithm, 2003); light and
// heavy arcs are not told apart. On the CPU it lowers distances in place
// (inplace.go), which is no superstep in the strict sense; with schedule bsp,
// determinism strict, or a direction, it is the program here, by the engine's
// priorities. The answer is the same, the number of supersteps is not.
// `bellman-ford` relaxes at once and allows negative weights; a negative cycle that
// the source reaches is an error that names one of its vertices. With schedule
// relaxed the engine runs it in place.
//
// On a CUDA device both methods are near-far relaxation (device.go), with windows
// of delta; where none is given they are wider as long as few vertices lie in
// them. On a prepared graph with hubs vertices pull instead, the lightest arcs
// first (device_pull.go), and where vertices stand with their neighbours (order
// tiles) tile by tile (device_tiles.go). Negative weights stay on the host.
//
// Cost: delta-stepping O(n + m) expected on random weights; Bellman-Ford
// O(m · arcs of the longest shortest path).
package sssp

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gopregel/pregel"
	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// SSSP is the algorithm and its parameters.
type SSSP struct {
	Source  pregel.ID `param:"source" doc:"id of the vertex to start from" required:"true"`
	Method  string    `param:"method" doc:"how distances are relaxed; only bellman-ford takes negative weights" enum:"delta-stepping,bellman-ford"`
	Delta   float64   `param:"delta" doc:"width of a step of delta-stepping; 0: the greatest weight divided by the mean degree, half to an eighth of that in place" min:"0"`
	Parents *bool     `param:"parents" doc:"whether parents are found too: distances alone take less time"`

	shared bool // in place by several workers, however small the graph is; set by tests only
}

// parents tells whether they are to be found: an SSSP that says nothing finds them.
func (s *SSSP) parents() bool { return s.Parents == nil || *s.Parents }

// The methods.
const (
	DeltaStepping = "delta-stepping"
	BellmanFord   = "bellman-ford"
)

// New returns SSSP with its default parameters.
func New() pregel.Algorithm { return &SSSP{Method: DeltaStepping, Parents: new(true)} }

// distance is the type of distances: exact, or of float weights.
type distance interface {
	uint32 | int64 | float64
}

// program is one relaxation over values that are distances.
type program[T distance] struct {
	source uint32
	far    T // of an unreached vertex: above every distance
}

func (program[T]) Name() string { return "sssp" }

func (program[T]) Spec() pregel.Spec[T] {
	return pregel.Spec[T]{Combine: pregel.Min[T](), Edge: pregel.PlusWeight[T]()}
}

func (p program[T]) Init(v pregel.Vertex[T]) (T, bool) {
	if v.ID == p.source {
		return 0, true
	}
	return p.far, false
}

func (program[T]) Emit(v pregel.Vertex[T]) T { return v.Value }

func (program[T]) Apply(v pregel.Vertex[T], offer T, _ bool) (T, bool) {
	if offer < v.Value {
		return offer, true
	}
	return v.Value, false
}

// Present names the value in a trace.
func (program[T]) Present() pregel.Presentation {
	return pregel.Presentation{Columns: []string{"distance"}}
}

// Relaxes tells that offers may come at any time: distances only fall.
func (program[T]) Relaxes() bool { return true }

// Absorbs tells that a distance is the least offer.
func (program[T]) Absorbs() bool { return true }

// stepping is the program whose vertices wait for their step.
type stepping[T distance] struct {
	program[T]
	delta T
}

// Priority is the step a distance belongs to.
func (p stepping[T]) Priority(dist T) uint64 { return uint64(min(float64(dist/p.delta), 1<<62)) }

// Paths are the shortest paths from a vertex.
type Paths[T distance] struct {
	Distance []T
	Parent   []uint32 // nil: they are not wanted, or for Renumbered to find
	Stop     pregel.Stop
	extent   *extent[T] // of the distances; nil: not yet looked at
	ordered  bool       // by the user's numbers of a prepared graph, parents the least by these
}

// Run finds the shortest paths of the job's graph.
func (s *SSSP) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	source, err := s.Source.Vertex(j.Graph)
	if err != nil {
		return nil, err
	}
	if j.Graph.Weighted() == graph.Float32 {
		paths, err := find(ctx, j, s, source, math.Inf(1))
		return answer(j, s, paths, pregel.Column{Name: "distance", Floats: paths.Distance}, math.Inf(1)), err
	}
	paths, err := find(ctx, j, s, source, pregel.NoInt)
	return answer(j, s, paths, pregel.Column{Name: "distance", Ints: paths.Distance}, pregel.NoInt), err
}

func answer[T distance](j *pregel.Job, s *SSSP, p Paths[T], column pregel.Column, far T) *pregel.Answer {
	columns := []pregel.Column{column}
	if s.parents() {
		columns = append(columns, pregel.Column{Name: "parent", Vertices: p.Parent})
	}
	if p.extent == nil {
		p.extent = extentOf(p.Distance, far, j.Engine.Pool().Workers())
	}
	return &pregel.Answer{
		Stop:    p.Stop,
		Ordered: p.ordered,
		Table:   pregel.Table{PerVertex: true, Columns: columns},
		Summary: []pregel.Fact{{Name: "reached", Value: p.extent.reached}, {Name: "greatest distance", Value: p.extent.longest}},
	}
}

// An extent is how many distances are known, and the greatest of them.
type extent[T distance] struct {
	reached int
	longest T
	_       [64]byte // those of two workers are never on one cache line
}

// add adds what is known of other distances.
func (e *extent[T]) add(other extent[T]) {
	e.reached, e.longest = e.reached+other.reached, max(e.longest, other.longest)
}

func sumOf[T distance](found []extent[T]) *extent[T] {
	for _, x := range found[1:] {
		found[0].add(x)
	}
	return &found[0]
}

func extentOf[T distance](list []T, far T, workers int) *extent[T] {
	found := make([]extent[T], parallel.Workers(workers))
	parallel.Range(workers, len(list), 1<<15, func(worker, lo, hi int) {
		var e extent[T]
		for _, d := range list[lo:hi] {
			if d != far {
				e.reached++
				e.longest = max(e.longest, d)
			}
		}
		found[worker].add(e)
	})
	return sumOf(found)
}

// find computes distances, and parents if they are wanted.
func find[T distance](ctx context.Context, j *pregel.Job, s *SSSP, source uint32, far T) (Paths[T], error) {
	least, most, err := s.checkWeights(j.Graph)
	if err != nil {
		return Paths[T]{}, err
	}
	if e, ok := j.Engine.(*cuda.Engine); ok && least >= 0 {
		if inTiles(e, j, s, least) {
			p, err := byTile(ctx, e, j, s, source, far, most)
			if full := (*driver.OutOfMemory)(nil); !errors.As(err, &full) {
				return p, err
			}
		}
		d := &device[T]{source: source, far: far, most: most, adapt: s.Delta == 0, alone: !s.parents(), bring: j.Bringing()}
		if s.Method != BellmanFord {
			d.delta = width[T](s.Delta, most, j.Graph)
		}
		return onDevice(ctx, e, j, d)
	}
	if e, ok := j.Engine.(*cpu.Engine); ok && s.Method != BellmanFord && lowersInPlace(e) {
		return inPlace(ctx, j, s, source, far, least, most)
	}
	relax := program[T]{source, far}
	var result pregel.Result[T]
	if s.Method == BellmanFord {
		result, err = bellmanFord(ctx, j, relax, least)
	} else {
		result, err = pregel.RunEdge(ctx, j, stepping[T]{relax, width[T](s.Delta, most, j.Graph)})
	}
	if err != nil {
		return Paths[T]{}, err
	}
	return pathsOf(ctx, j, s, source, result, far, least < 0)
}

// lowersInPlace tells whether an engine leaves the choice, or asks for it.
func lowersInPlace(e *cpu.Engine) bool {
	if e.Schedule == pregel.AutoSchedule {
		return !e.Strict && e.Direction == pregel.Auto
	}
	return e.Schedule == pregel.Relaxed
}

// pathsOf finds the parents, unless nobody wants them or Renumbered will find them.
func pathsOf[T distance](ctx context.Context, j *pregel.Job, s *SSSP, source uint32, result pregel.Result[T], far T, negative bool) (Paths[T], error) {
	paths := Paths[T]{Distance: result.Values, Stop: result.Stop}
	if !s.parents() {
		return paths, nil
	}
	if result.Stop.Reason != pregel.Halted {
		paths.Parent = mem.Take[uint32](len(result.Values))
		unknown(paths.Parent)
		return paths, nil
	}
	if j.Mended() {
		return paths, nil
	}
	var err error
	paths.Parent, err = parents(ctx, j, source, result.Values, far, negative)
	return paths, err
}

// width is the width of a step, of whole numbers at the most one that all lie in.
func width[T distance](asked, most float64, g *graph.Graph) T {
	if asked == 0 {
		mean := max(float64(g.Arcs())/float64(max(g.N(), 1)), 1)
		asked = most / mean
	}
	if isFloat := T(1)/2 != 0; isFloat && asked > 0 {
		return T(asked)
	}
	return T(min(max(math.Ceil(asked), 1), 1<<62))
}

// checkWeights returns the extreme weights, or an error at the first arc whose
// weight the method cannot take.
func (s *SSSP) checkWeights(g *graph.Graph) (least, most float64, err error) {
	r := g.WeightRange()
	bad := r.NotFinite
	if s.Method != BellmanFord {
		bad = min(bad, r.Negative)
	}
	if bad < g.Arcs() {
		return 0, 0, s.weightError(g, bad)
	}
	return r.Least, r.Most, nil
}

func (s *SSSP) weightError(g *graph.Graph, arc uint64) error {
	u := sourceOf(g.Out(), arc)
	v, w := g.Out().Targets[arc], g.Out().Weights.At(arc)
	hint := "a finite number"
	if w < 0 && !math.IsInf(w, 0) {
		hint = fmt.Sprintf("at least 0 (or method: %s)", BellmanFord)
	}
	return fmt.Errorf("sssp: edge %s → %s has weight %v, want %s", g.IDs().Text(u), g.IDs().Text(v), w, hint)
}

// Certify checks distances, and parents if there are any: see certify.SSSP.
func (s *SSSP) Certify(ctx context.Context, g *graph.Graph, t *pregel.Table) error {
	source, err := s.Source.Vertex(g)
	if err != nil {
		return err
	}
	dist, err := t.Column("distance")
	if err != nil {
		return err
	}
	var parent pregel.Column
	if s.parents() {
		if parent, err = t.Column("parent"); err != nil {
			return err
		}
	}
	if g.Weighted() == graph.Float32 {
		return certify.SSSP(ctx, g, source, dist.Floats, parent.Vertices)
	}
	return certify.SSSP(ctx, g, source, dist.Ints, parent.Vertices)
}

// Resumes tells that it goes on from checkpoints.
func (*SSSP) Resumes(bool) bool { return true }

// OnDevice tells that it runs on a CUDA device. Negative weights are for the
// host, and only bellman-ford takes them.
func (s *SSSP) OnDevice() bool { return s.Method != BellmanFord }

// Relaxes tells that distances may be lowered in place, on a device, too.
func (s *SSSP) Relaxes(device bool) bool { return !device || s.OnDevice() }

// InPlace tells that a device has no other form.
func (*SSSP) InPlace() bool { return true }
