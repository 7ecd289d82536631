package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"gopregel/pregel/trace"
)

// logic runs testdata/logic.js over the modules without a document.
func logic(t *testing.T, b *browser) {
	script, err := link([]string{"number", "trace", "states", "why", "breakpoint", "bsp", "player", "pivot", "layout", "scale", "labels"})
	if err != nil {
		t.Fatal(err)
	}
	tests, err := os.ReadFile("testdata/logic.js")
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(os.Getpid())
	paths := record(t, weighted(t, 40, seed), "uniform", trace.Changed, shortest(0))
	for !differing(t, paths) { // g and l are anything
		seed++
		paths = record(t, weighted(t, 40, seed), "uniform", trace.Changed, shortest(0))
	}
	t.Logf("seed %d", seed)
	g := karate(t)
	input := map[string]any{
		"cost": map[string]float64{"message": perMessage, "barrier": perBarrier},
		"traces": map[string]any{
			"bfs":             records(record(t, g, "karate", trace.All, breadth(0))),
			"pagerank":        records(record(t, g, "karate", trace.All, ranks(g, 1e-9))),
			"pagerankChanged": records(record(t, g, "karate", trace.Changed, ranks(g, 1e-9))),
			"sssp":            records(paths),
		},
	}
	text, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := chromedp.NewContext(b.ctx)
	defer stop()
	p := &tab{t: t, ctx: ctx}
	p.do(chromedp.Navigate("about:blank"))
	type result struct {
		Ran    int      `json:"ran"`
		Failed []string `json:"failed"`
	}
	got := evaluate[result](p, fmt.Sprintf("(() => {%s\n%s\nreturn runTests(%s); })()", script, tests, text))
	for _, problem := range got.Failed {
		t.Error(problem)
	}
	if t.Logf("%d tests", got.Ran); got.Ran < 10 {
		t.Error("some tests are missing")
	}
}

// differing tells whether supersteps of a trace have different numbers of messages.
func differing(t *testing.T, text []byte) bool {
	t.Helper()
	counts := map[uint64]bool{}
	for _, line := range records(text) {
		if !bytes.HasPrefix(line, []byte(`{"kind":"superstep",`)) {
			continue
		}
		var s trace.Superstep
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		counts[*s.Sent] = true
	}
	return len(counts) > 1
}

// records are the lines of a trace.
func records(text []byte) (list []json.RawMessage) {
	for line := range bytes.Lines(text) {
		list = append(list, line)
	}
	return list
}
