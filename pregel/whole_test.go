package pregel_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
)

// hops counts arcs from a source, and is an algorithm by what it declares.
type hops struct {
	Source pregel.ID `param:"source" doc:"where to start" required:"true"`
	source uint32
}

func (*hops) Name() string { return "hops" }

func (*hops) Spec() pregel.Spec[uint32] { return pregel.Spec[uint32]{Combine: pregel.Min[uint32]()} }

func (h *hops) Setup(s *pregel.Setup) (err error) {
	h.source, err = h.Source.Vertex(s.Graph)
	return err
}

func (h *hops) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	if v.ID == h.source {
		return 0, true
	}
	return math.MaxUint32, false
}

func (*hops) Emit(v pregel.Vertex[uint32]) uint32 { return v.Value + 1 }

func (*hops) Apply(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
	return min(v.Value, m), m < v.Value
}

func (*hops) Relaxes() bool { return true }

func (*hops) Present() pregel.Presentation { return pregel.Presentation{Columns: []string{"hops"}} }

// certified is hops with all that a program can add.
type certified struct{ hops }

var errUncertified = errors.New("uncertified")

func (*certified) Certify(context.Context, *graph.Graph, *pregel.Table) error    { return errUncertified }
func (*certified) Renumbered(context.Context, *pregel.Job, *pregel.Answer) error { return nil }
func (*certified) DefaultMaxSupersteps() int                                     { return 7 }
func (*certified) Twin() pregel.Twin                                             { return pregel.Twin{} }

func TestEdgeAlgorithm(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for i, g := range randomGraphs(t, seed) {
		source := rand.New(rand.NewPCG(seed, 3)).Uint32N(uint32(g.N()))
		want := hopsByQueue(g, source)
		a := pregel.EdgeAlgorithm(&hops{Source: pregel.ID(g.IDs().Text(source))})
		for _, schedule := range []pregel.Schedule{pregel.BSP, pregel.Relaxed} {
			answer, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 3, Schedule: schedule})})
			if err != nil {
				t.Fatal(err)
			}
			if got := answer.Table.Columns; len(got) != 1 || got[0].Name != "hops" || !answer.Table.PerVertex || !slices.Equal(got[0].Counts, want) {
				t.Fatalf("graph %d of %d vertices: %v, want hops %v", i, g.N(), got, want)
			}
		}
	}
	if _, err := pregel.EdgeAlgorithm(&hops{Source: "nobody"}).Run(t.Context(), &pregel.Job{Graph: randomGraphs(t, 1)[3], Engine: cpu.New(cpu.Options{})}); err == nil || !strings.Contains(err.Error(), "nobody") {
		t.Errorf("a source that is not there: %v", err)
	}
}

func hopsByQueue(g *graph.Graph, source uint32) []uint32 {
	list := slices.Repeat([]uint32{pregel.NoCount}, g.N())
	list[source] = 0
	for queue := []uint32{source}; len(queue) > 0; queue = queue[1:] {
		for _, v := range g.Out().Neighbors(queue[0]) {
			if list[v] == pregel.NoCount {
				list[v] = list[queue[0]] + 1
				queue = append(queue, v)
			}
		}
	}
	return list
}

// What a program does not have, its algorithm does not have either.
func TestWholeDeclares(t *testing.T) {
	t.Parallel()
	plain, full := pregel.EdgeAlgorithm(&hops{}), pregel.EdgeAlgorithm(&certified{})
	type does struct{ certify, renumber, device, relaxes, deviceRelaxes, resumes, deviceResumes bool }
	of := func(a pregel.Algorithm) (d does, limit int) {
		_, d.certify = a.(pregel.Certifier)
		d.renumber = pregel.Renumberable(a)
		d.device = a.(pregel.DeviceAlgorithm).OnDevice()
		r := a.(pregel.RelaxedAlgorithm)
		d.relaxes, d.deviceRelaxes = r.Relaxes(false), r.Relaxes(true)
		d.resumes, d.deviceResumes = pregel.Resumes(a, false), pregel.Resumes(a, true)
		return d, a.(pregel.Limiter).DefaultMaxSupersteps()
	}
	if d, limit := of(plain); d != (does{relaxes: true, resumes: true}) || limit != 0 {
		t.Errorf("hops: %+v, limit %d", d, limit)
	}
	if d, limit := of(full); d != (does{true, true, true, true, true, true, true}) || limit != 7 {
		t.Errorf("certified: %+v, limit %d", d, limit)
	}
	if err := full.(pregel.Certifier).Certify(t.Context(), nil, nil); !errors.Is(err, errUncertified) {
		t.Error(err)
	}
	if value, message := plain.(pregel.Sized).Sizes(); value != 4 || message != 4 {
		t.Errorf("sizes %d and %d", value, message)
	}
	h := &hops{}
	if p := pregel.EdgeAlgorithm(h).(pregel.Parametrized).Parameters(); p != any(h) {
		t.Errorf("parameters %v", p)
	}
	if p, ok := pregel.EdgeAlgorithm(LoudestEdges{}).(pregel.Parametrized).Parameters().(*struct{}); !ok {
		t.Errorf("parameters of a program without: %v", p)
	}
}

func TestVertexAlgorithm(t *testing.T) {
	t.Parallel()
	g, err := ring()
	if err != nil {
		t.Fatal(err)
	}
	answer, err := pregel.VertexAlgorithm(Loudest{}).Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})})
	if err != nil || answer.Stop.Reason != pregel.Halted || !slices.Equal(answer.Table.Columns[0].Counts, []uint32{3, 3, 3, 3}) || answer.Table.Columns[0].Name != "value" {
		t.Errorf("%+v %v", answer, err)
	}
}

// fixed is a program whose values stay what they were at first.
type fixed[V any] struct {
	init  func(v uint32) V
	shown pregel.Presentation
}

func (fixed[V]) Name() string                                         { return "fixed" }
func (fixed[V]) Spec() pregel.Spec[uint32]                            { return pregel.Spec[uint32]{Combine: pregel.Min[uint32]()} }
func (f fixed[V]) Init(v pregel.Vertex[V]) (V, bool)                  { return f.init(v.ID), false }
func (fixed[V]) Emit(pregel.Vertex[V]) uint32                         { return 0 }
func (fixed[V]) Apply(v pregel.Vertex[V], _ uint32, _ bool) (V, bool) { return v.Value, false }
func (f fixed[V]) Present() pregel.Presentation                       { return f.shown }

func columnsGiven[V any](t *testing.T, n int, init func(v uint32) V, p pregel.Presentation) ([]pregel.Column, error) {
	t.Helper()
	g, err := graph.FromArcs(n, graph.ArcList{}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := pregel.EdgeAlgorithm(fixed[V]{init, p}).Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})})
	if err != nil {
		return nil, err
	}
	return answer.Table.Columns, nil
}

// Every kind of number comes out as it went in, with what means nothing as nothing.
func TestColumns(t *testing.T) {
	t.Parallel()
	type all struct {
		Flag   bool
		Tiny   int8
		Byte   uint8
		Short  int16
		Word   uint16
		Whole  int32
		Count  uint32
		Parent uint32
		Long   int64
		Large  uint64
		Int    int
		Single float32
		Double float64
	}
	const n = 40_000 // more than one piece
	value := func(v uint32) all {
		x := int64(v) - 20_000
		a := all{v%3 == 0, int8(x), uint8(v), int16(x), uint16(v), int32(x) << 15, v << 16, v / 2, x << 40, uint64(v) << 40, int(x), float32(x) / 8, float64(x) / 3}
		if v%7 == 0 {
			a.Whole, a.Count, a.Parent, a.Long, a.Large, a.Int, a.Single, a.Double = math.MaxInt32, math.MaxUint32, graph.None, math.MaxInt64, math.MaxUint64, math.MaxInt, float32(math.Inf(1)), math.Inf(1)
		}
		return a
	}
	columns, err := columnsGiven(t, n, value, pregel.Presentation{Vertices: []string{"parent"}})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range columns {
		f := reflect.TypeFor[all]().Field(i)
		if want := strings.ToLower(f.Name); c.Name != want || c.Len() != n || (c.Vertices != nil) != (want == "parent") {
			t.Fatalf("column %s of %d rows, want %s of %d", c.Name, c.Len(), want, n)
		}
		for v := range n {
			x := reflect.ValueOf(value(uint32(v))).Field(i)
			nothing := v%7 == 0 && f.Type.Size() >= 4
			if c.Empty(v) != nothing || !nothing && fmt.Sprint(cellText(c, v)) != plainText(x) {
				t.Fatalf("column %s, row %d: %v, want %v", c.Name, v, cellText(c, v), x)
			}
		}
	}
}

func plainText(x reflect.Value) string {
	switch {
	case x.Kind() == reflect.Bool && x.Bool():
		return "1"
	case x.Kind() == reflect.Bool:
		return "0"
	case x.CanFloat():
		return fmt.Sprint(x.Float())
	}
	return fmt.Sprint(x)
}

func cellText(c pregel.Column, i int) any {
	switch {
	case c.Vertices != nil:
		return c.Vertices[i]
	case c.Counts != nil:
		return c.Counts[i]
	case c.Ints != nil:
		return c.Ints[i]
	}
	return c.Floats[i]
}

func TestColumnsRefused(t *testing.T) {
	t.Parallel()
	refused := func(err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	_, err := columnsGiven(t, 3, func(uint32) [2]uint32 { return [2]uint32{} }, pregel.Presentation{})
	refused(err, "program fixed: values of type [2]uint32, whose value is of kind array, are no columns: want a number, or a struct of numbers")
	_, err = columnsGiven(t, 3, func(uint32) struct{} { return struct{}{} }, pregel.Presentation{})
	refused(err, "have no fields")
	_, err = columnsGiven(t, 3, func(uint32) uint32 { return 0 }, pregel.Presentation{Columns: []string{"a", "b"}})
	refused(err, `Present names 2 columns ["a" "b"], want 1`)
	_, err = columnsGiven(t, 3, func(v uint32) uint32 { return v + 1 }, pregel.Presentation{Columns: []string{"a"}, Vertices: []string{"a"}})
	refused(err, "column a names vertices: found the number 3, want one below 3, or 4294967295 for none")
	_, err = columnsGiven(t, 3, func(uint32) int32 { return 0 }, pregel.Presentation{Columns: []string{"a"}, Vertices: []string{"a"}})
	refused(err, "a names vertices, want uint32, found int32")
	_, err = columnsGiven(t, 3, func(uint32) uint64 { return 1 << 63 }, pregel.Presentation{})
	refused(err, "is 9223372036854775807 or greater")
	_, err = columnsGiven(t, 3, func(uint32) int64 { return math.MinInt64 }, pregel.Presentation{})
	if err != nil {
		t.Error(err)
	}
}
