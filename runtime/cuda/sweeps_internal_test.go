package cuda

import (
	"math"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// Sweeps can be bounded where two offers and two arcs have an order, and whole numbers do not wrap around to what
// looks like nothing new.
func TestSweepable(t *testing.T) {
	small := graph.WeightRange{Least: 0, Most: 255, NotFinite: 10}
	below, wide, infinite := small, small, small
	below.Least, wide.Most, infinite.NotFinite = -1, 1<<31, 3
	for _, c := range []struct {
		combine, edge, message string
		weights                graph.WeightRange
		want                   bool
	}{
		{"or", "copy", "u64", infinite, true},
		{"max", "source_id", "u32", below, true},
		{"min", "", "float", below, true},
		{"min", "plus_weight", "u32", small, true},
		{"min", "plus_weight", "i64", below, false},
		{"min", "plus_weight", "u64", wide, false},
		{"min", "plus_weight", "double", wide, true},
		{"min", "plus_weight", "float", below, true},
		{"min", "plus_weight", "float", infinite, false},
		{"max", "plus_weight", "i32", small, false},
		{"max", "plus_weight", "float", small, true},
		{"min", "times_weight", "i64", small, false},
		{"min", "times_weight", "double", small, true},
		{"max", "times_weight", "float", below, true},
		{"or", "times_weight", "u32", small, false},
		{"or", "plus_weight", "u32", small, false},
		{"max", "min_weight", "u32", small, true},
		{"max", "min_weight", "u32", below, false},
		{"max", "min_weight", "float", below, true},
		{"min", "min_weight", "float", small, false},
		{"or", "min_weight", "u32", small, false},
	} {
		f := pregel.Form{Combine: c.combine, Edge: c.edge, Message: pregel.CType{Definition: "typedef " + c.message + " Message;", Size: 4}}
		if got := sweepable(f, c.weights, 10); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// The first weight of all in an order, as the device reads it.
func TestExtremeWeight(t *testing.T) {
	ints, err := graph.Build(t.Context(), graph.RangeIDs(0, 3), graph.Columns{U: []uint32{0, 1}, V: []uint32{1, 2}, Weights: graph.Weights{Int: []int32{-7, 300}}}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	reals, err := graph.Build(t.Context(), graph.RangeIDs(0, 3), graph.Columns{U: []uint32{0, 1}, V: []uint32{1, 2}, Weights: graph.Weights{Float: []float32{-0.5, 2.25}}}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		g    *graph.Graph
		o    ArcOrder
		want uint32
	}{
		{ints, LightestFirst, 0xfffffff9}, {ints, HeaviestFirst, 300},
		{reals, LightestFirst, math.Float32bits(-0.5)}, {reals, HeaviestFirst, math.Float32bits(2.25)},
	} {
		if got := extremeWeight(c.g, c.o); got != c.want {
			t.Errorf("order %d: %#x, want %#x", c.o, got, c.want)
		}
	}
}
