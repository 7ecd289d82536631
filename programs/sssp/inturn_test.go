package sssp_test

import (
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/sssp"
	"gopregel/runtime/cpu"
)

// Searches in turn, of which some reach a few vertices, others most, each leave labels that
// the next begins with: all are certified, with parents and without, however many workers
// there are, where searches are stopped between, and on graphs so large that a part has
// other vertices than the next ones'.
func TestSearchesInTurn(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 31))
	for _, least := range []int{0, 1} {
		const n = 40_007
		g := build(t, n, islands(r, n, least), true)
		for range race.Times(30) {
			a := &sssp.SSSP{Source: pregel.ID(g.IDs().Text(r.Uint32N(n))), Method: sssp.DeltaStepping, Parents: new(r.IntN(2) > 0)}
			if r.IntN(5) == 0 {
				stopped, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2}), MaxSupersteps: 1 + r.IntN(3)})
				if err != nil {
					t.Fatal(err)
				}
				stopped.Table.Release()
			}
			answer := run(t, g, a, cpu.Options{Workers: 1 + r.IntN(3)})
			answer.Table.Release()
		}
	}
}

// islands are n vertices in groups, from one vertex to most of them, with arcs within.
func islands(r *rand.Rand, n, least int) (c graph.Columns) {
	for begin := 0; begin < n; {
		size := min(1+r.IntN(1<<(1+r.IntN(12))), n-begin)
		if begin == 0 {
			size = n * 6 / 10
		}
		for range 4 * size {
			weigh(&c, graph.Int32, uint32(begin+r.IntN(size)), uint32(begin+r.IntN(size)), least+r.IntN(100))
		}
		begin += size
	}
	return c
}
