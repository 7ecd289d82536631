package programs_test

import (
	"reflect"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs"
	"gopregel/programs/pagerank"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
)

func newEngine(c pregeltest.Config) pregel.Engine {
	if race.On && c.Workers != 3 {
		return nil
	}
	return cpu.New(cpu.Options{Workers: c.Workers, Direction: c.Direction, Strict: c.Strict, Schedule: c.Schedule})
}

// from makes an algorithm that starts at the first vertex.
func from(fresh func() pregel.Algorithm) func(g *graph.Graph) pregel.Algorithm {
	return func(g *graph.Graph) pregel.Algorithm {
		a := fresh()
		v := reflect.ValueOf(a).Elem()
		for i := range v.NumField() {
			if v.Field(i).Type() == reflect.TypeFor[pregel.ID]() {
				v.Field(i).SetString(g.IDs().Text(0))
			}
		}
		return a
	}
}

// TestCheck looks for broken laws in all programs, in each of their forms.
func TestCheck(t *testing.T) {
	t.Parallel()
	list := append(programs.All(),
		programs.Entry{Name: "wcc by labels", New: func() pregel.Algorithm { return &wcc.WCC{Method: wcc.Propagate} }},
		programs.Entry{Name: "sssp by Bellman-Ford", New: func() pregel.Algorithm {
			a := sssp.New().(*sssp.SSSP)
			a.Method = sssp.BellmanFord
			return a
		}},
		programs.Entry{Name: "pagerank in float32", New: func() pregel.Algorithm {
			a := pagerank.New().(*pagerank.PageRank)
			a.Precision, a.Iterations = pagerank.Float32, 10
			return a
		}})
	for _, e := range list {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			pregeltest.CheckAlgorithm(t, newEngine, from(e.New))
		})
	}
}
