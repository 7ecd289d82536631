package pregel_test

import (
	"context"
	"fmt"
	"slices"

	"gopregel/pregel"
	"gopregel/pregel/graphgen"
	"gopregel/runtime/cpu"
)

// KCore finds the core number of every vertex: the greatest k such that it lies
// in a part of the graph where everyone has k neighbours or more.
//
// Every vertex begins with its degree and replaces it by the h-index of its
// neighbours' numbers, the greatest h such that h of them are at least h, until
// nothing changes (Lü, Zhou, Zhang, Stanley: The H-index of a network node and
// its relation to degree and coreness, 2016).
type KCore struct {
	changed *pregel.Aggregator[int64]
}

func (*KCore) Spec() pregel.Spec[uint32] { return pregel.Spec[uint32]{Silent: true} }

func (k *KCore) Setup(s *pregel.Setup) error {
	k.changed = pregel.NewAggregator(s, pregel.Sum[int64]())
	return nil
}

func (*KCore) Init(v pregel.Vertex[uint32]) (uint32, bool) { return v.OutDegree, true }

func (*KCore) Emit(v pregel.Vertex[uint32]) uint32 { return v.Value }

func (k *KCore) ApplyAll(v pregel.Vertex[uint32], numbers []uint32) (uint32, bool) {
	h := hIndex(numbers)
	if h != v.Value {
		k.changed.Add(v.Place, 1)
	}
	return h, true
}

func (k *KCore) Barrier(s *pregel.Step) {
	if s.Superstep >= 0 && k.changed.Last() == 0 {
		s.Halt()
	}
}

func hIndex(numbers []uint32) uint32 {
	slices.Sort(numbers)
	slices.Reverse(numbers)
	h := uint32(0)
	for h < uint32(len(numbers)) && numbers[h] > h {
		h++
	}
	return h
}

// A program of one's own needs nothing that the built-in ones do not: here the
// k-cores of Zachary's karate club, whose innermost ten members form a 4-core.
func ExampleRunCollector() {
	ctx := context.Background()
	g, err := graphgen.Generate(ctx, graphgen.Spec{Kind: "karate"}, graphgen.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	job := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})}
	cores, err := pregel.RunCollector(ctx, job, &KCore{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var inner []string
	for v, k := range cores.Values {
		if k == slices.Max(cores.Values) {
			inner = append(inner, g.IDs().Text(uint32(v)))
		}
	}
	fmt.Println(slices.Max(cores.Values), inner)
	// Output: 4 [1 2 3 4 8 9 14 31 33 34]
}
