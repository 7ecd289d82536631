package widest_test

import (
	"context"
	"math"

	"gopregel/pregel"
)

// twin is widest.cu in Go.
type twin struct{ source uint32 }

func (twin) Name() string { return "widest" }

func (twin) Spec() pregel.Spec[float32] {
	return pregel.Spec[float32]{Combine: pregel.Max[float32](), Edge: pregel.MinWeight[float32]()}
}

func (p twin) Init(v pregel.Vertex[float32]) (width float32, awake bool) {
	if v.ID == p.source {
		return float32(math.Inf(1)), true
	}
	return 0, false
}

func (twin) Emit(v pregel.Vertex[float32]) float32 { return v.Value }

func (twin) Apply(v pregel.Vertex[float32], offer float32, got bool) (width float32, awake bool) {
	if got && offer > v.Value {
		return offer, true
	}
	return v.Value, false
}

// widest runs it; its answer is that of the kernel.
func widest(ctx context.Context, j *pregel.Job, source uint32) (*pregel.Answer, error) {
	r, err := pregel.RunEdge(ctx, j, twin{source})
	width := make([]float64, len(r.Values))
	for v, x := range r.Values {
		width[v] = float64(x)
	}
	return &pregel.Answer{Stop: r.Stop, Table: pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "width", Floats: width}}}}, err
}
