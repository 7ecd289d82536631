package view

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/trace"
	"gopregel/programs"
	"gopregel/programs/bfs"
	"gopregel/programs/pagerank"
	"gopregel/programs/sssp"
	"gopregel/runtime/cpu"
)

// run is the trace of a run on the CPU engine.
func run(t *testing.T, g *graph.Graph, a pregel.Algorithm, name, values string) []byte {
	t.Helper()
	var text bytes.Buffer
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})}
	r := trace.NewRecorder(trace.NewWriter(&text), g, trace.Header{Program: name, Graph: trace.GraphInfo{Name: "test"}, Engine: trace.EngineInfo{Device: "cpu", Workers: 2}}, trace.Options{Values: values, Messages: true})
	r.Watch(j)
	answer, err := a.Run(t.Context(), j)
	if err := r.Close(answer, g.IDs(), err); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

// real opens pages of every built-in program, steps through them, and asks why.
func real(t *testing.T, b *browser) {
	g := generate(t, graphgen.Spec{Kind: "uniform", N: 60, EdgeFactor: 3, Seed: 5}, graphgen.Options{Weights: graphgen.HashWeights})
	for _, e := range programs.All() {
		t.Run(e.Name, func(t *testing.T) {
			a := e.New()
			switch a := a.(type) {
			case *bfs.BFS:
				a.Source = "0"
			case *sssp.SSSP:
				a.Source = "0"
			case *pagerank.PageRank:
				a.Iterations = 6
			}
			p := b.open(t, page(t, run(t, g, a, e.Name, trace.Changed)), 1200, 900)
			evaluate[any](p, `(async () => { const {player, panels} = document.page; for (let s = -1; s <= player.last; s++) { player.jump(s); await document.page.show(); await document.page.search("7"); await panels[0].ask(); } })()`)
			p.quiet()
		})
	}
}

// chains holds the page's answers to why against those of package trace, which
// share no code, for all vertices and supersteps.
func chains(t *testing.T, b *browser) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g := generate(t, graphgen.Spec{Kind: "uniform", N: 40, EdgeFactor: 2, Seed: seed}, graphgen.Options{Weights: graphgen.HashWeights})
	for name, a := range map[string]pregel.Algorithm{
		"bfs":      &bfs.BFS{Source: "0"},
		"sssp":     &sssp.SSSP{Source: "0", Method: sssp.BellmanFord},
		"pagerank": &pagerank.PageRank{Damping: 0.85, Iterations: 5, Precision: pagerank.Float64},
	} {
		text := run(t, g, a, name, trace.All)
		known, err := trace.Read(name, bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		p := b.open(t, page(t, text), 1200, 900)
		got := evaluate[map[string]string](p, `(async () => {
			const {trace, states} = document.page.panels[0], got = {};
			for (let s = -1; s <= trace.last; s++) for (let v = 0; v < trace.n; v++) {
				const {links, end} = await document.why(trace, states, v, s);
				got[s + " " + v] = links.map((l) => l.from + ">" + l.to + "@" + l.superstep).join(" ") + " " + end;
			}
			return got;
		})()`)
		if len(got) != (len(known.Steps)+1)*g.N() {
			t.Fatalf("%s: %d answers", name, len(got))
		}
		for s := -1; s < len(known.Steps); s++ {
			for v := range uint32(g.N()) {
				if want := chain(t, known, v, s); got[fmt.Sprint(s, v)] != want {
					t.Fatalf("%s: vertex %d after %d: the page says %q, package trace %q", name, v, s, got[fmt.Sprint(s, v)], want)
				}
			}
		}
		p.quiet()
	}
}

func chain(t *testing.T, r *trace.Run, v uint32, s int) string {
	t.Helper()
	text := ""
	c, err := r.Why(v, s)
	for err == nil && len(c.Messages) > 0 {
		m := c.Messages[0]
		if text != "" {
			text += " "
		}
		text += fmt.Sprintf("%d>%d@%d", m.From, c.Vertex, c.Superstep)
		c, err = r.Next(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return text + map[bool]string{true: " init", false: " silent"}[c.Init]
}
