package certify_test

import (
	"context"
	"fmt"

	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
)

// The shortest paths from s in figure 24.6 of Introduction to Algorithms, with
// one mistake.
func ExampleSSSP() {
	g, err := graphgen.Generate(context.Background(), graphgen.Spec{Kind: "clrs-sssp"}, graphgen.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	const s, t, x, y, z = 0, 1, 2, 3, 4
	dist := []int64{s: 0, t: 8, x: 9, y: 5, z: 7}
	parent := []uint32{s: graph.None, t: y, x: t, y: s, z: y}
	fmt.Println(certify.SSSP(context.Background(), g, s, dist, parent))
	dist[x] = 10
	fmt.Println(certify.SSSP(context.Background(), g, s, dist, parent))
	// Output:
	// <nil>
	// certificate of sssp: vertex x: found distance 10, want at most 9, the distance 8 of t and the weight 1 of its edge to it
}
