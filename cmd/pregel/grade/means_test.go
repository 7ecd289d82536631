package grade_test

import (
	"context"
	"math"

	"gopregel/pregel"
)

// mean is that of friends, with messages of its own for each mistake.
type mean struct {
	means, zero, again, twice, fat bool
	bits                           int // of sum and count; 0: 64
}

type portion struct{ Sum, Count uint64 }

type fat struct {
	portion
	More uint64
}

func friends(m mean) func() pregel.Algorithm {
	return func() pregel.Algorithm {
		return &own{run: func(ctx context.Context, j *pregel.Job, _, _ uint32) (*pregel.Answer, error) {
			var r pregel.Result[float64]
			var err error
			switch {
			case m.means:
				r, err = pregel.RunEdge(ctx, j, meanOfMeans{})
			case m.bits == 8:
				r, err = pregel.RunEdge(ctx, j, narrowMean[uint8]{})
			case m.bits == 16:
				r, err = pregel.RunEdge(ctx, j, narrowMean[uint16]{})
			case m.fat:
				r, err = pregel.RunEdge(ctx, j, fatMean{m})
			default:
				r, err = pregel.RunEdge(ctx, j, m)
			}
			return table(r.Stop, err, pregel.Column{Name: "mean", Floats: r.Values})
		}}
	}
}

func add(a, b portion) portion { return portion{a.Sum + b.Sum, a.Count + b.Count} }

func (m mean) Spec() pregel.Spec[portion] {
	return pregel.Spec[portion]{Combine: pregel.Combine("add", portion{}, add)}
}

func (m mean) Init(pregel.Vertex[float64]) (float64, bool) {
	if m.zero {
		return 0, true
	}
	return math.Inf(1), true
}

func (m mean) Emit(v pregel.Vertex[float64]) portion { return portion{uint64(v.OutDegree), 1} }

func (m mean) Apply(v pregel.Vertex[float64], p portion, got bool) (float64, bool) {
	if !got || v.Superstep > 0 && !m.again {
		return v.Value, false
	}
	return float64(p.Sum) / float64(p.Count), m.again || m.twice && v.Superstep == 0
}

type meanOfMeans struct{}

func (meanOfMeans) Spec() pregel.Spec[float64] {
	return pregel.Spec[float64]{Combine: pregel.Combine("mean", 0, func(a, b float64) float64 { return (a + b) / 2 })}
}
func (meanOfMeans) Init(pregel.Vertex[float64]) (float64, bool) { return math.Inf(1), true }
func (meanOfMeans) Emit(v pregel.Vertex[float64]) float64       { return float64(v.OutDegree) }
func (meanOfMeans) Apply(v pregel.Vertex[float64], x float64, got bool) (float64, bool) {
	if !got {
		return v.Value, false
	}
	return x, false
}

type fatMean struct{ mean }

func (fatMean) Spec() pregel.Spec[fat] {
	return pregel.Spec[fat]{Combine: pregel.Combine("add", fat{}, func(a, b fat) fat { return fat{add(a.portion, b.portion), a.More + b.More} })}
}
func (f fatMean) Emit(v pregel.Vertex[float64]) fat { return fat{f.mean.Emit(v), 1} }
func (f fatMean) Apply(v pregel.Vertex[float64], x fat, got bool) (float64, bool) {
	return f.mean.Apply(v, x.portion, got)
}

// narrowMean has no room for the sums of hubs.
type narrowMean[T uint8 | uint16] struct{}

type narrow[T uint8 | uint16] struct{ Sum, Count T }

func (narrowMean[T]) Spec() pregel.Spec[narrow[T]] {
	return pregel.Spec[narrow[T]]{Combine: pregel.Combine("add", narrow[T]{}, func(a, b narrow[T]) narrow[T] {
		return narrow[T]{a.Sum + b.Sum, a.Count + b.Count}
	})}
}
func (narrowMean[T]) Init(pregel.Vertex[float64]) (float64, bool) { return math.Inf(1), true }
func (narrowMean[T]) Emit(v pregel.Vertex[float64]) narrow[T]     { return narrow[T]{T(v.OutDegree), 1} }
func (narrowMean[T]) Apply(v pregel.Vertex[float64], p narrow[T], got bool) (float64, bool) {
	if !got {
		return v.Value, false
	}
	return float64(p.Sum) / float64(p.Count), false
}
