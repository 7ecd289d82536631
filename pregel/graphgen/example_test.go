package graphgen_test

import (
	"context"
	"fmt"

	"gopregel/pregel/graphgen"
)

func ExampleGenerate() {
	g, err := graphgen.Generate(context.Background(), graphgen.Spec{Kind: "karate"}, graphgen.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, degree := g.Out().MaxDegree()
	fmt.Printf("%d members, %d friendships; member %s has the most, %d\n", g.N(), g.Edges(), g.IDs().Text(v), degree)
	// Output: 34 members, 78 friendships; member 34 has the most, 17
}

func ExampleParse() {
	_, err := graphgen.Parse("kronecker", map[string]string{"scale": "40"})
	fmt.Println(err)
	// Output: generate: scale: found 40, allowed: a whole number from 1 to 31
}
