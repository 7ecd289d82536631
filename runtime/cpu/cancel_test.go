package cpu_test

import (
	"context"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
)

// cancelling is a token that ends the run's context at a vertex, once, and counts the
// vertices that hear something afterwards.
type cancelling struct {
	token
	at     uint32
	cancel func()
	after  *int
}

func (p cancelling) Apply(v pregel.Vertex[uint64], m uint32, got bool) (uint64, bool) {
	if *p.after > 0 {
		*p.after++
	}
	if v.ID == p.at && *p.after == 0 {
		p.cancel()
		*p.after = 1
	}
	return p.token.Apply(v, m, got)
}

// hurrying is the same with least labels, which may be relaxed.
type hurrying struct {
	least
	at     uint32
	cancel func()
	after  *int
}

func (p hurrying) Init(v pregel.Vertex[uint32]) (uint32, bool) { return v.ID, v.ID == 0 }
func (p hurrying) Apply(v pregel.Vertex[uint32], m uint32, got bool) (uint32, bool) {
	if *p.after > 0 {
		*p.after++
	}
	if v.ID == p.at && *p.after == 0 {
		p.cancel()
		*p.after = 1
	}
	return p.least.Apply(v, m, got)
}

// Supersteps that are done several at once end with the first at whose end the context has
// ended, however many are asked for.
func TestCancelBetweenShortSupersteps(t *testing.T) {
	t.Parallel()
	const n = 5000
	list := graph.ArcList{}
	for v := range uint32(n) {
		list.List = append(list.List, graph.Arc{U: v, V: (v + 1) % n})
	}
	g, err := graph.FromArcs(n, list, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	for at := uint32(1000); at < 1070; at += 3 {
		for _, schedule := range []pregel.Schedule{pregel.BSP, pregel.Relaxed} {
			for _, observed := range []string{"not", "each", "briefly", "not, in shares"} {
				ctx, cancel := context.WithCancel(t.Context())
				after := 0
				j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2, Schedule: schedule}), Batch: 64}
				switch observed {
				case "not, in shares": // there are no briefs then
					j.Engine.(*cpu.Engine).Share(1)
				case "each":
					j.Observe = func(pregel.StepRecord) {}
				case "briefly":
					j.Detail, j.Briefs = func(*pregel.StepRecord) {}, func(*pregel.Briefs) {}
				}
				var stop pregel.Stop
				if schedule == pregel.Relaxed {
					r, _ := pregel.RunEdge(ctx, j, hurrying{at: at, cancel: cancel, after: &after})
					stop = r.Stop
				} else {
					r, _ := pregel.RunEdge(ctx, j, cancelling{at: at, cancel: cancel, after: &after})
					stop = r.Stop
				}
				cancel()
				if stop.Reason != pregel.Cancelled || after != 1 {
					t.Errorf("%v, observed %s, at %d: %d vertices were called after it was cancelled; %+v", schedule, observed, at, after-1, stop)
				}
			}
		}
	}
}
