package trace_test

import (
	"context"
	"math"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graphgen"
	"gopregel/programs/bfs"
	"gopregel/programs/cdlp"
	"gopregel/programs/lcc"
	"gopregel/programs/mst"
	"gopregel/programs/pagerank"
	"gopregel/programs/scc"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
)

// BenchmarkTracedPrograms is BenchmarkTraced of all built-in programs, by each method
// and schedule, and of a vertex program.
func BenchmarkTracedPrograms(b *testing.B) {
	for _, c := range []struct {
		name     string
		schedule pregel.Schedule
		a        pregel.Algorithm
		waves    bool // all vertices of a path hear of each other, one by one: a shorter one will do
	}{
		{"bfs", pregel.BSP, &bfs.BFS{Source: "3"}, false},
		{"cdlp", pregel.BSP, cdlp.New(), false},
		{"lcc", pregel.BSP, lcc.New(), false},
		{"mst", pregel.BSP, mst.New(), false},
		{"pagerank", pregel.BSP, pagerank.New(), false},
		{"scc", pregel.BSP, scc.New(), false},
		{"delta-stepping", pregel.BSP, &sssp.SSSP{Source: "3", Method: sssp.DeltaStepping}, false},
		{"delta-stepping-relaxed", pregel.AutoSchedule, &sssp.SSSP{Source: "3", Method: sssp.DeltaStepping}, false},
		{"bellman-ford", pregel.BSP, &sssp.SSSP{Source: "3", Method: sssp.BellmanFord}, false},
		{"bellman-ford-relaxed", pregel.Relaxed, &sssp.SSSP{Source: "3", Method: sssp.BellmanFord}, false},
		{"afforest", pregel.BSP, wcc.New(), false},
		{"propagate", pregel.BSP, &wcc.WCC{Method: wcc.Propagate}, true},
		{"propagate-relaxed", pregel.Relaxed, &wcc.WCC{Method: wcc.Propagate}, true},
		{"vertex", pregel.BSP, nearer{}, false},
	} {
		for _, of := range []struct{ name, kind, size, params, short string }{
			{"path", "path", "n", "20000", "2000"},
			{"grid4", "grid", "cols", "10000", "2000"},
			{"kronecker14", "kronecker", "scale", "14", "14"},
			{"karate", "karate", "", "", ""},
		} {
			params := map[string]string{of.size: of.params}
			if c.waves {
				params[of.size] = of.short
			}
			switch of.kind {
			case "grid":
				params["rows"] = "4"
			case "karate":
				params = nil
			}
			b.Run(c.name+"/"+of.name, func(b *testing.B) {
				spec, err := graphgen.Parse(of.kind, params)
				if err != nil {
					b.Fatal(err)
				}
				g, err := graphgen.Generate(b.Context(), spec, graphgen.Options{Weights: graphgen.HashWeights})
				if err != nil {
					b.Fatal(err)
				}
				compare(b, g, c.a, c.schedule)
			})
		}
	}
}

// nearer is a vertex program for distances in hops from vertex 3.
type nearer struct{}

func (nearer) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	r, err := pregel.RunVertex(ctx, j, nearer{})
	return table(r.Values, r.Stop), err
}

func (nearer) Init(v pregel.Vertex[uint32]) (uint32, bool) { return math.MaxUint32, v.ID == 3 }

func (nearer) Compute(c *pregel.Context[uint32, uint32], messages []uint32) {
	c.VoteToHalt()
	if c.Value != math.MaxUint32 {
		return
	}
	c.Value = uint32(c.Superstep)
	c.SendAll(0)
}
