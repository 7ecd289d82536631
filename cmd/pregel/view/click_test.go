package view

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"gopregel/pregel/graphgen"
	"gopregel/pregel/trace"
	"gopregel/programs/mst"
	"gopregel/programs/sssp"
)

// TestPage uses pages as people do, by mouse and keyboard, and reads what they
// show. Nothing may be asked of a network, nor anything fail.
func TestPage(t *testing.T) {
	t.Parallel()
	b := openBrowser(t)
	g := karate(t)
	searched, ranked := record(t, g, "karate", trace.All, breadth(0)), record(t, g, "karate", trace.Changed, ranks(g, 1e-9))
	file := page(t, searched)

	t.Run("logic", func(t *testing.T) { logic(t, b) })
	t.Run("real", func(t *testing.T) { real(t, b) })
	t.Run("chains", func(t *testing.T) { chains(t, b) })
	t.Run("steps", func(t *testing.T) { steps(t, b.open(t, file, 1200, 900)) })
	t.Run("keys", func(t *testing.T) { keyboard(t, b.open(t, file, 1200, 900)) })
	t.Run("vertex", func(t *testing.T) { vertex(t, b.open(t, file, 1200, 900)) })
	t.Run("breakpoints", func(t *testing.T) { breakpoints(t, b.open(t, file, 1200, 900)) })
	t.Run("charts", func(t *testing.T) { charts(t, b.open(t, page(t, ranked), 1200, 900), ranked) })
	t.Run("two", func(t *testing.T) {
		two(t, b.open(t, page(t, ranked, record(t, g, "karate", trace.All, ranks(g, 1e-7))), 1400, 900))
	})
	t.Run("cpu and gpu", func(t *testing.T) {
		cpuAndGPU(t, b.open(t, page(t, run(t, g, onCPU(), "pagerank", trace.All), unzipped(t, deviceTrace)), 1400, 900))
	})
	t.Run("phone", func(t *testing.T) { phone(t, b.open(t, file, 360, 740)) })
	t.Run("without values", func(t *testing.T) {
		bare(t, b.open(t, page(t, without(searched, "values", "messages", "graph")), 1200, 900))
	})
	t.Run("hostile names", func(t *testing.T) {
		hostile := record(t, weighted(t, 10, 1), "</script><img src=x onerror=alert(1)>", trace.All, shortest(0))
		p := b.open(t, page(t, hostile, hostile), 1200, 900)
		p.until("h1", "<img src=x")
		p.until("h2", "<img src=x")
		p.quiet()
	})
	t.Run("served", func(t *testing.T) {
		url := serve(t, openAll(t, t.TempDir(), ranked)...)
		p := b.open(t, url, 1200, 900)
		p.do(chromedp.Click(chromedp.CSS("#last")))
		p.until("#position", "superstep 51 of 51")
		p.until(".facts", "L1 change")
		p.search("34", "0.101")
		p.quiet(url + "trace/0")
		evaluate[any](p, `window.fetch = () => Promise.reject(new TypeError("refused")), null`)
		p.do(chromedp.Click(chromedp.CSS(`.hit[data-superstep="20"]`)))
		p.until("#said.error", "the server does not answer")
		p.quiet(url + "trace/0")
	})
	t.Run("phases", func(t *testing.T) {
		phased(t, b.open(t, page(t, run(t, weighted(t, 60, 5), &mst.MST{}, "mst", trace.Changed)), 1200, 900))
	})
	t.Run("undeclared", func(t *testing.T) {
		g := generate(t, graphgen.Spec{Kind: "uniform", N: 60, EdgeFactor: 3, Seed: 5}, graphgen.Options{Weights: graphgen.HashWeights})
		delta := run(t, g, &sssp.SSSP{Source: "0", Method: sssp.DeltaStepping}, "sssp", trace.Changed)
		ranged(t, b.open(t, page(t, delta), 1200, 900))
	})
	for name, width := range map[string]int{"desktop": 1200, "tablet": 820, "phone": 360} {
		t.Run("layout/"+name, func(t *testing.T) { laid(t, b.open(t, file, width, 740)) })
	}
	t.Run("print", func(t *testing.T) {
		printed(t, b.open(t, file, 718, 900, call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})))
	})
	t.Run("10000", func(t *testing.T) {
		grid := generate(t, graphgen.Spec{Kind: "grid", Rows: 100, Cols: 100}, graphgen.Options{})
		p := b.open(t, page(t, record(t, grid, "grid", trace.Changed, breadth(0))), 1200, 900)
		p.do(chromedp.Click(chromedp.CSS("#last")))
		p.search("9999", "distance 198")
		p.do(chromedp.Click(chromedp.CSS(".ask")))
		p.until(".vertex", "by 198 messages")
		t.Logf("a frame takes %.1f ms, one with another camera %.1f ms", frame(p, ""), frame(p, "d.layer = null;"))
		scrub := evaluate[float64](p, `(async () => { const {player} = document.page, t = performance.now(); for (let i = 0; i < 40; i++) { player.jump(i * 83 % 199); await document.page.show(); } return (performance.now() - t) / 40; })()`)
		if t.Logf("a jump of the slider takes %.1f ms", scrub); scrub > 1000 {
			t.Error("too slow to use")
		}
		p.quiet()
	})
}

// frame is the time of drawing a graph once, in milliseconds: of ten, the mean.
func frame(p *tab, before string) float64 {
	return evaluate[float64](p, `(async () => { const d = document.page.panels[0].view.drawing, t = performance.now(); for (let i = 0; i < 10; i++) { `+before+` d.draw(); await createImageBitmap(d.canvas); } return (performance.now() - t) / 10; })()`)
}

func charts(t *testing.T, p *tab, text []byte) {
	p.until(".model", "T = w + g·h + l")
	p.until("#together", "RESIDUAL")
	if n := evaluate[int](p, `document.querySelectorAll("#together .point").length`); n < 20 {
		t.Errorf("%d points of the residual", n)
	}
	if n := evaluate[int](p, `document.querySelectorAll(".timeline .hit").length`); n != 52 {
		t.Errorf("%d columns of the timeline", n)
	}
	p.do(chromedp.Click(chromedp.CSS(`.hit[data-superstep="30"]`)))
	var step trace.Superstep
	for _, line := range records(without(text, "values", "messages")) {
		if strings.HasPrefix(string(line), `{"kind":"superstep","superstep":30,`) {
			if err := json.Unmarshal(line, &step); err != nil {
				t.Fatal(err)
			}
		}
	}
	p.until(".facts", strings.NewReplacer("e-0", "e-", ".0e", "e").Replace(fmt.Sprintf("%.1e", float64(step.Metric.Value))))
	if got := p.text(".sub"); !strings.HasPrefix(got, "halted after 52 supersteps, 1 ms, L1 change 9.4e-10") {
		t.Errorf("ended: %q", got)
	}
	if got := evaluate[string](p, `[...document.querySelectorAll(".timeline .tick.middle")].map((e) => e.textContent).join(" ")`); !strings.HasPrefix(got, "0 2 4 6 ") {
		t.Errorf("supersteps of the timeline: %q", got)
	}
	p.quiet()
}

func two(t *testing.T, p *tab) {
	p.until("#together", "SIDE BY SIDE")
	p.until(".numbers", "supersteps\t52\t37\t1.41")
	p.do(chromedp.Click(chromedp.CSS("#last")))
	p.search("34", "34: 0.101")
	if tops := evaluate[[]float64](p, `[".graph", ".timeline", ".cost"].flatMap((s) => [...document.querySelectorAll(s)].map((e) => e.getBoundingClientRect().top))`); tops[0] != tops[1] || tops[2] != tops[3] || tops[4] != tops[5] {
		t.Errorf("the parts of the traces are not side by side: %v", tops)
	}
	evaluate[any](p, `document.querySelector(".side").style.height = "1500px", null`)
	if tops := evaluate[[]float64](p, `[".timeline", ".cost"].flatMap((s) => [...document.querySelectorAll(s)].map((e) => e.getBoundingClientRect().top))`); tops[0] != tops[1] || tops[2] != tops[3] {
		t.Errorf("they are not side by side where one knows more of a vertex: %v", tops)
	}
	if values := evaluate[[]string](p, `[...document.querySelectorAll(".vertex .value")].map((e) => e.innerText)`); len(values) != 2 || values[0] != values[1] {
		t.Errorf("vertex 34 in both: %q", values)
	}
	p.quiet()
}

// phone holds that nothing is wider than a phone.
func phone(t *testing.T, p *tab) {
	p.do(chromedp.Click(chromedp.CSS("#last")))
	p.search("27", "27: distance 3")
	p.do(chromedp.Click(chromedp.CSS(".ask")))
	p.until(".chain", "34 → 27")
	if wide := evaluate[int](p, `document.documentElement.scrollWidth`); wide > 360 {
		t.Errorf("the page is %d wide", wide)
	}
	p.quiet()
}

func bare(t *testing.T, p *tab) {
	p.until(".absent", "The graph is not in the trace")
	low(t, p)
	p.do(chromedp.Click(chromedp.CSS("#last")))
	p.until(".facts", "messages")
	p.quiet()
}
