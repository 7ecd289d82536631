package pregeltest

import (
	"context"
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// Program tests that what run computes is the same on every random graph in
// every configuration, and equal to what reference computes if that is not nil.
// run is usually one call of pregel.RunEdge or RunVertex that returns the
// values; floats whose last bits may differ are best rounded there. A failure
// is reported for the smallest graph that shows it.
func Program[V comparable](t rapid.TB, newEngine func(c Config) pregel.Engine,
	run func(ctx context.Context, j *pregel.Job) ([]V, error), reference func(g *graph.Graph) []V) {
	t.Helper()
	configs := Configs()
	engines := make([]pregel.Engine, len(configs))
	for i, c := range configs {
		engines[i] = newEngine(c)
	}
	rapid.Check(t, func(r *rapid.T) {
		g := drawPlainGraph(r)
		var want []V
		by := "the reference"
		if reference != nil {
			want = reference(g)
		}
		for i, c := range configs {
			if engines[i] == nil {
				continue
			}
			got, err := run(r.Context(), &pregel.Job{Graph: g, Engine: engines[i]})
			if err != nil {
				r.Fatalf("%v: %v\n%s", c, err, describe(g))
			}
			if want == nil {
				want, by = got, c.String()
			}
			if text := differs(got, want); text != "" {
				r.Fatalf("%v against %s: %s\n%s", c, by, text, describe(g))
			}
		}
	})
}

// drawPlainGraph draws a graph without negative weights that shrinks towards few vertices and arcs.
func drawPlainGraph(r *rapid.T) *graph.Graph {
	n := rapid.IntRange(1, 150).Draw(r, "vertices")
	vertex := rapid.Uint32Range(0, uint32(n-1))
	arc := rapid.Custom(func(r *rapid.T) graph.Arc {
		return graph.Arc{U: vertex.Draw(r, "u"), V: vertex.Draw(r, "v"), W: rapid.Int32Range(0, 20).Draw(r, "w")}
	})
	list := graph.ArcList{List: rapid.SliceOfN(arc, 0, 4*n).Draw(r, "arcs"), Weighted: rapid.Bool().Draw(r, "weighted")}
	g, err := graph.FromArcs(n, list, graph.Options{Directed: rapid.Bool().Draw(r, "directed")})
	if err != nil {
		r.Fatalf("%v", err)
	}
	return g
}

// Laws tests the laws that a combiner states, on messages from gen: identity,
// commutative, and, where the combiner says so, exact (hence associative) and
// idempotent; and that its function of many does what that of one does. A failure is reported for the smallest messages that show it.
func Laws[M comparable](t rapid.TB, m pregel.Monoid[M], gen *rapid.Generator[M]) {
	t.Helper()
	if m.Func == nil {
		t.Fatalf("combiner %q has no function", m.Name)
		return
	}
	rapid.Check(t, func(r *rapid.T) {
		a, b, c := gen.Draw(r, "a"), gen.Draw(r, "b"), gen.Draw(r, "c")
		for _, law := range []struct {
			name      string
			claimed   bool
			got, want M
		}{
			{"identity on the left", true, m.Func(m.Identity, a), a},
			{"identity on the right", true, m.Func(a, m.Identity), a},
			{"commutative", true, m.Func(a, b), m.Func(b, a)},
			{"associative", m.Exact, m.Func(m.Func(a, b), c), m.Func(a, m.Func(b, c))},
			{"idempotent", m.Idempotent, m.Func(a, a), a},
		} {
			if law.claimed && law.got != law.want {
				r.Fatalf("combiner %q is not %s for %s: %v is not %v", m.Name, law.name, fmt.Sprint(a, " ", b, " ", c), law.got, law.want)
			}
		}
		if m.Many != nil {
			likeOne(r, m, rapid.SliceOf(gen).Draw(r, "as"), gen)
		}
	})
}

// likeOne tests the function of many on as and as many others.
func likeOne[M comparable](r *rapid.T, m pregel.Monoid[M], as []M, gen *rapid.Generator[M]) {
	bs := rapid.SliceOfN(gen, len(as), len(as)).Draw(r, "bs")
	got, beside := slices.Clone(as), slices.Clone(bs)
	m.Many(got, beside)
	for i, a := range as {
		if want := m.Func(a, bs[i]); got[i] != want {
			r.Fatalf("combiner %q: Many of %v and %v makes %v of number %d, not %v", m.Name, as, bs, got[i], i, want)
		}
	}
	if !slices.Equal(beside, bs) {
		r.Fatalf("combiner %q: Many of %v and %v changes the second list to %v", m.Name, as, bs, beside)
	}
}
