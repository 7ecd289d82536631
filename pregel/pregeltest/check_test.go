package pregeltest_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
)

func mustRing(t *testing.T, n uint32) *graph.Graph {
	t.Helper()
	var arcs graph.ArcList
	for v := range n {
		arcs.List = append(arcs.List, graph.Arc{U: v, V: (v + 1) % n})
	}
	g, err := graph.FromArcs(int(n), arcs, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestCheck(t *testing.T) {
	t.Parallel()
	pregeltest.Check(t, newEngine, run(loudest{}))
	pregeltest.Check(t, newEngine, run(relaxed{}))
}

func TestCheckFindsWhatIsBroken(t *testing.T) {
	t.Parallel()
	for law, p := range map[string]pregel.EdgeProgram[uint32, uint32]{"commutative": first{}, "relaxed": depth{}} {
		text := failing(t, func(t rapid.TB) { pregeltest.Check(t, newEngine, run(p)) })
		if !strings.Contains(text, law+": broken") || !strings.Contains(text, "PREGELTEST_SEED=") {
			t.Errorf("%s: found\n%s", law, text)
		}
	}
}
