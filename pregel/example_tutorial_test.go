package pregel_test

import (
	"context"
	"fmt"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
)

// Loudest gives every vertex the greatest id that can reach it.
type Loudest struct{}

func (Loudest) Init(v pregel.Vertex[uint32]) (uint32, bool) { return v.ID, true }

func (Loudest) Compute(c *pregel.Context[uint32, uint32], messages []uint32) {
	before := c.Value
	for _, m := range messages {
		c.Value = max(c.Value, m)
	}
	if c.Superstep == 0 || c.Value > before {
		c.SendAll(c.Value)
	}
	c.VoteToHalt()
}

// LoudestEdges is Loudest in pure parts.
type LoudestEdges struct{}

func (LoudestEdges) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Max[uint32]()}
}

func (LoudestEdges) Init(v pregel.Vertex[uint32]) (uint32, bool) { return v.ID, true }

func (LoudestEdges) Emit(v pregel.Vertex[uint32]) uint32 { return v.Value }

func (LoudestEdges) Apply(v pregel.Vertex[uint32], loudest uint32, _ bool) (uint32, bool) {
	return max(v.Value, loudest), loudest > v.Value
}

// Relaxes declares that messages may be delivered at once.
func (LoudestEdges) Relaxes() bool { return true }

// Absorbs declares that a value is all that was heard, combined.
func (LoudestEdges) Absorbs() bool { return true }

// ring is 0 → 1 → 2 → 0 and 3 → 0.
func ring() (*graph.Graph, error) {
	arcs := graph.ArcList{List: []graph.Arc{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 0}, {U: 3, V: 0}}}
	return graph.FromArcs(4, arcs, graph.Options{Directed: true})
}

func ExampleRunVertex() {
	g, err := ring()
	if err != nil {
		fmt.Println(err)
		return
	}
	job := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})}
	result, err := pregel.RunVertex(context.Background(), job, Loudest{})
	fmt.Println(result.Values, result.Stop, err)
	// Output: [3 3 3 3] halted after 5 supersteps <nil>
}

func ExampleRunEdge() {
	g, err := ring()
	if err != nil {
		fmt.Println(err)
		return
	}
	job := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})}
	result, err := pregel.RunEdge(context.Background(), job, LoudestEdges{})
	fmt.Println(result.Values, result.Stop, err)
	// Output: [3 3 3 3] halted after 4 supersteps <nil>
}

func ExampleRelaxer() {
	g, err := ring()
	if err != nil {
		fmt.Println(err)
		return
	}
	job := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Schedule: pregel.Relaxed})}
	result, err := pregel.RunEdge(context.Background(), job, LoudestEdges{})
	fmt.Println(result.Values, result.Stop, err)
	// Output: [3 3 3 3] halted after 1 supersteps <nil>
}
