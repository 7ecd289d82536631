package pregel

import (
	"strings"
	"testing"

	"gopregel/pregel/graph"
)

// shifting tallies by how much values change, by an aggregator of two kinds.
type shifting struct {
	lasts   bool
	changes *Aggregator[float64]
}

func (*shifting) Spec() Spec[float64] {
	return Spec[float64]{Combine: Sum[float64](), Silent: true, Local: true}
}
func (p *shifting) Setup(s *Setup) error {
	if p.changes = NewAggregator(s, Sum[float64]()); p.lasts {
		p.changes.persistent = true
	}
	return nil
}
func (*shifting) Init(Vertex[float64]) (float64, bool) { return 1, true }
func (*shifting) Emit(v Vertex[float64]) float64       { return v.Value }
func (p *shifting) Apply(v Vertex[float64], m float64, _ bool) (float64, bool) {
	p.changes.Add(v.Place, m-v.Value)
	return m, true
}
func (p *shifting) Twin() Twin {
	return Twin{Name: "shifting.cu", Source: "…", Anew: true, Local: true, Steps: 9, Tallies: []NamedTally{{Name: "changes", Tally: p.changes, Change: true}}}
}

// What is not known of a superstep would make a sum over all of them unknown.
func TestTallyOfChangeLasts(t *testing.T) {
	g, err := graph.FromArcs(2, graph.ArcList{List: []graph.Arc{{U: 0, V: 1}}}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, lasts := range []bool{false, true} {
		task := bindEdge[float64, float64](g, &shifting{lasts: lasts}, nil)
		if err := task.Begin(1); err != nil {
			t.Fatal(err)
		}
		f, reason := task.Form()
		if lasts != strings.Contains(reason, "changes") || !lasts && !f.Anew {
			t.Errorf("persistent %v: the reason is %q, form %+v", lasts, reason, f.Twin)
		}
	}
}
