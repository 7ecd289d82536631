package pregel_test

import (
	"context"
	"fmt"

	"gopregel/pregel"
	"gopregel/runtime/cpu"
)

// Rumour is how likely each vertex knows what vertex 0 tells: who knows tells each neighbour with a
// likelihood of a half.
type Rumour struct{}

// either is how likely one of two happens, at the least.
func either(a, b float64) float64 { return a + b - a*b }

func (Rumour) Spec() pregel.Spec[float64] {
	return pregel.Spec[float64]{Combine: pregel.Combine("either", 0, either), Silent: true}
}
func (Rumour) Init(v pregel.Vertex[float64]) (float64, bool) {
	if v.ID == 0 {
		return 1, true
	}
	return 0, true
}
func (Rumour) Emit(v pregel.Vertex[float64]) float64 { return v.Value / 2 }
func (Rumour) Apply(v pregel.Vertex[float64], heard float64, _ bool) (float64, bool) {
	return either(v.Value, heard), true
}

func (Rumour) Gather(r *pregel.Rows[float64]) {
	offers := r.Offers
	for i, us := range r.All() {
		heard := 0.0
		for _, u := range us {
			heard = either(heard, offers[u])
		}
		r.Messages[i], r.Got[i] = heard, len(us) > 0
	}
}

func ExampleGatherer() {
	g, err := ring()
	if err != nil {
		fmt.Println(err)
		return
	}
	job := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{}), MaxSupersteps: 3}
	result, err := pregel.RunEdge(context.Background(), job, Rumour{})
	fmt.Printf("%.3f %v %v\n", result.Values, result.Stop.Reason, err)
	// Output: [1.000 0.875 0.531 0.000] max-supersteps <nil>
}
