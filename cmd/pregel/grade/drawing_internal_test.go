package grade

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/graph"
)

func FuzzAnswers(f *testing.F) {
	for _, text := range []string{"", "seed: 1\nidle: 3\n", "seed: 1\nidle:\n", "[1]", "seed: &a 1\nidle: *a", "seed: 1\n<<: {idle: 3}", "{seed: 1, idle: 0x10}", "---\n...\n---\nseed: 1"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, given, err := parseAnswers("answers.yaml", text)
		for key, n := range given {
			if err == nil && (n == nil || *n < 0 || !slices.ContainsFunc(questions, func(q question) bool { return q.key == key })) {
				t.Errorf("%q: %s is %v", text, key, n)
			}
		}
	})
}

// A drawing is the same graph to the references as to the programs, however small it
// has become.
func TestDrawing(t *testing.T) {
	t.Parallel()
	same := func(d *Drawing) {
		t.Helper()
		g, out, in := d.Build(), d.out(), d.in()
		for v := range uint32(d.N) {
			slices.Sort(out[v])
			if !slices.Equal(out[v], g.Out().Neighbors(v)) && len(out[v]) > 0 || !slices.Equal(in[v], g.In().Neighbors(v)) && len(in[v]) > 0 {
				t.Fatalf("vertex %d of %s: %v and %v, want %v and %v", v, d, out[v], in[v], g.Out().Neighbors(v), g.In().Neighbors(v))
			}
		}
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, d := range hidden(seed, 40, true) {
		same(&d)
		count := 0
		for e := range d.smaller() {
			if count++; count > 20_000/(d.N+len(d.Arcs)+1)+2 {
				break
			}
			if e.N > 0 && int(e.Source) >= e.N || e.N+len(e.Arcs)+e.Hops >= d.N+len(d.Arcs)+d.Hops || e.Hops < 1 {
				t.Fatalf("%+v is not smaller than %+v", e, d)
			}
			same(&e)
		}
	}
}

// A tie that needs two ways of one length shrinks to the least that has them.
func TestShrink(t *testing.T) {
	t.Parallel()
	d := Drawing{N: 24, Directed: true, Hops: 4}
	for v := range uint32(11) { // 0 → 1 → … → 11 → 23 and 0 → 12 → … → 22 → 23
		d.Arcs = append(d.Arcs, graph.Arc{U: v, V: v + 1}, graph.Arc{U: max(v+11, 12) * min(v, 1), V: v + 12})
	}
	d.Arcs = append(d.Arcs, graph.Arc{U: 11, V: 23}, graph.Arc{U: 22, V: 23})
	tie := func(e *Drawing) bool {
		hops, _ := e.distances()
		for v, sources := range e.in() {
			nearer := 0
			for i, u := range sources {
				if hops[v] != graph.None && hops[u]+1 == hops[v] && (i == 0 || sources[i-1] != u) {
					nearer++
				}
			}
			if nearer > 1 {
				return true
			}
		}
		return false
	}
	if !tie(&d) {
		t.Fatal("there is no tie to begin with")
	}
	if small := d.shrink(tie); small.N != 4 || len(small.Arcs) != 4 || small.Hops != 1 {
		t.Errorf("it shrinks to %s, hops %d", &small, small.Hops)
	}
}
