package mst

import (
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graphgen"
	"gopregel/programs/internal/phase"
	"gopregel/programs/internal/trial"
	"gopregel/runtime/cpu"
)

// Workers who shorten the same paths may leave a vertex below one that is no root any
// more: it is renamed with its tree all the same.
func TestFlattenTogether(t *testing.T) {
	r := trial.Rand(t)
	const n = 1 << 16
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "path", N: n}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		parent, root := make([]uint32, n), make([]uint32, n)
		order := r.Perm(n)
		for i, v := range order { // below one of the last few: paths are long
			parent[v], root[v] = uint32(v), uint32(v)
			if i > 0 && r.IntN(n/4) > 0 {
				above := order[i-1-r.IntN(min(i, 8))]
				parent[v], root[v] = uint32(above), root[above]
			}
		}
		j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 8})}
		s := &span{Run: phase.New(t.Context(), j), ctx: t.Context(), job: j, g: g, n: n, parent: parent}
		s.plant()
		if err := s.Err(); err != nil {
			t.Fatal(err)
		}
		for v := range s.tree {
			if s.tree[v] != s.tree[root[v]] {
				t.Fatalf("vertex %d is of tree %d, its root of %d", v, s.tree[v], s.tree[root[v]])
			}
		}
	}
}
