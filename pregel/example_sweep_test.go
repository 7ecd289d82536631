package pregel_test

import (
	"context"
	"fmt"

	"gopregel/pregel"
	"gopregel/runtime/cpu"
)

// Ranks is PageRank whose ranks add up to the number of vertices, if none is a sink.
type Ranks struct{}

func (Ranks) Spec() pregel.Spec[float64] {
	return pregel.Spec[float64]{Combine: pregel.Sum[float64](), Silent: true}
}
func (Ranks) Init(pregel.Vertex[float64]) (float64, bool) { return 1, true }
func (Ranks) Emit(v pregel.Vertex[float64]) float64       { return pregel.Share(v) }
func (Ranks) Apply(_ pregel.Vertex[float64], sum float64, _ bool) (float64, bool) {
	return 0.15 + 0.85*sum, true
}

func (p Ranks) InitSweep(s *pregel.Sweep[float64, float64]) {
	for i, v := range s.Vertices() {
		s.Values[i], s.Awake[i] = p.Init(v)
	}
}

func (p Ranks) EmitSweep(s *pregel.Sweep[float64, float64]) {
	for i, v := range s.Vertices() {
		s.Offers[i] = p.Emit(v)
	}
}

func (p Ranks) ApplySweep(s *pregel.Sweep[float64, float64]) {
	for i, v := range s.Vertices() {
		s.Values[i], s.Awake[i] = p.Apply(v, s.Messages[i], s.Got(i))
	}
}

func ExampleSweepProgram() {
	g, err := ring()
	if err != nil {
		fmt.Println(err)
		return
	}
	job := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{}), MaxSupersteps: 50}
	result, err := pregel.RunEdge(context.Background(), job, pregel.SweepProgram[float64, float64](Ranks{}))
	fmt.Printf("%.3f %v %v\n", result.Values, result.Stop.Reason, err)
	// Output: [1.330 1.281 1.239 0.150] max-supersteps <nil>
}
