package view

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"gopregel/pregel"
	"gopregel/programs/pagerank"
)

// deviceTrace is that of a run on an NVIDIA H200: PageRank in float64 on the karate club, to
// a tolerance of 1e-10, `trace: {values: all}`.
//
//go:embed testdata/pagerank-karate-h200.jsonl.gz
var deviceTrace []byte

func unzipped(t *testing.T, b []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func onCPU() pregel.Algorithm {
	return &pagerank.PageRank{Damping: 0.85, Tolerance: 1e-10, Precision: pagerank.Float64}
}

// cpuAndGPU has a run on the CPU on the left, one on a device on the right: what each ran
// on is said, their numbers stand beside each other, and a vertex has one value in both.
func cpuAndGPU(t *testing.T, p *tab) {
	p.until("#together", "SIDE BY SIDE")
	for _, want := range []string{"supersteps\t60\t60\t1\n", "messages\t9360\t9360\t1\n", "time in gather\t–\t358 µs\t–"} {
		p.until(".numbers", want)
	}
	if titles := evaluate[string](p, `[...document.querySelectorAll("h2")].map((e) => e.innerText).join("; ")`); !strings.Contains(titles, "cpu, 2 workers") || !strings.Contains(titles, "cuda, NVIDIA H200") {
		t.Errorf("what they ran on: %q", titles)
	}
	p.do(chromedp.Click(chromedp.CSS("#last")))
	p.search("34", "34: 0.101")
	values := evaluate[[]string](p, `[...document.querySelectorAll(".vertex .value")].map((e) => e.innerText)`)
	if len(values) != 2 || values[0] != values[1] {
		t.Errorf("vertex 34 in both: %q", values)
	}
	p.quiet()
}
