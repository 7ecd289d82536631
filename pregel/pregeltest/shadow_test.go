package pregeltest_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gopregel/pregel"
	"gopregel/pregel/pregeltest"
)

func at(v uint32, superstep int32) pregel.Place { return pregel.Place{ID: v, Superstep: superstep} }

func TestShadow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		run  func(dist *pregeltest.Watched[uint32], parent *pregeltest.Watched[uint32])
		says string // "" for no hazard
	}{
		"own places": {func(dist, parent *pregeltest.Watched[uint32]) {
			for s := range int32(3) {
				for v := range uint32(4) {
					dist.Set(at(v, s), v, dist.Get(at(v, s), v)+1)
					parent.Set(at(v, s), v, v)
				}
			}
		}, ""},
		"neighbours of the superstep before": {func(dist, _ *pregeltest.Watched[uint32]) {
			dist.Set(at(1, 0), 1, 5)
			dist.Set(at(2, 1), 2, dist.Get(at(2, 1), 1))
		}, ""},
		"read behind": {func(dist, _ *pregeltest.Watched[uint32]) {
			dist.Set(at(1, 3), 1, 5)
			dist.Get(at(2, 3), 1)
		}, "superstep 3: dist[1]: vertex 2 reads what was written in the same superstep by vertex 1"},
		"written behind": {func(dist, _ *pregeltest.Watched[uint32]) {
			dist.Get(at(2, 0), 1)
			dist.Set(at(1, 0), 1, 5)
		}, "superstep 0: dist[1]: vertex 1 writes what was read in the same superstep by vertex 2"},
		"two writers": {func(_, parent *pregeltest.Watched[uint32]) {
			parent.Set(at(1, 2), 0, 1)
			parent.Set(at(2, 2), 0, 2)
		}, "superstep 2: parent[0]: vertex 2 writes over vertex 1"},
		"companions apart": {func(dist, parent *pregeltest.Watched[uint32]) {
			dist.Set(at(1, 2), 0, 7) // 1 is nearer, and is overtaken before it says so
			parent.Set(at(2, 2), 0, 2)
		}, "superstep 2: parent[0]: vertex 2 has the last word, but on its companion dist has vertex 1"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &pregeltest.Shadow{}
			dist, parent := pregeltest.Watch(s, "dist", make([]uint32, 4)), pregeltest.Watch(s, "parent", make([]uint32, 4))
			pregeltest.Companions(dist, parent)
			c.run(dist, parent)
			var list []string
			for _, h := range s.Hazards() {
				list = append(list, h.String())
			}
			if text := strings.Join(list, "\n"); text != c.says {
				t.Errorf("found %q, want %q", text, c.says)
			}
		})
	}
}

// The phase of a program whose vertices lower their neighbours' distances, as seen
// by a shadow.
func TestShadowOfAPhase(t *testing.T) {
	g := mustRing(t, 6)
	text := failing(t, func(tb rapid.TB) {
		s := &pregeltest.Shadow{}
		dist := pregeltest.Watch(s, "dist", make([]uint32, g.N()))
		j := &pregel.Job{Graph: g, Engine: newEngine(pregeltest.Config{Workers: 2})}
		_, err := j.Phase(t.Context(), "lower", func(lo, hi uint32, w *pregel.Worker) {
			for v := lo; v < hi; v++ {
				for _, u := range g.Out().Neighbors(v) {
					dist.Set(at(v, 0), u, dist.Get(at(v, 0), v)+1)
				}
			}
		})
		if err != nil {
			tb.Fatal(err)
		}
		s.Report(tb)
	})
	if !strings.Contains(text, "reads what was written in the same superstep") || !strings.Contains(text, "writes over") {
		t.Errorf("found only\n%s", text)
	}
}
