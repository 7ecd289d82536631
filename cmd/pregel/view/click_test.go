package view

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

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

// search finds a vertex and waits for its value.
func (p *tab) search(id, want string) {
	p.t.Helper()
	p.do(chromedp.Click(chromedp.CSS("#wanted")), chromedp.SendKeys(chromedp.CSS("#wanted"), id+kb.Enter))
	p.until(".vertex .value", want)
	p.do(chromedp.KeyEvent(kb.Escape))
}

// all selects what stands in a field.
func all() action { return chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)) }

// fast has messages move fast.
func (p *tab) fast() {
	p.do(chromedp.SetValue(chromedp.CSS("#speed"), "20"))
	evaluate[bool](p, `document.querySelector("#speed").dispatchEvent(new Event("change"))`)
}

func steps(t *testing.T, p *tab) {
	p.fast()
	p.until("#position", "Init")
	p.until(".facts", "none yet")
	for s := range 4 {
		p.do(chromedp.Click(chromedp.CSS("#forward")))
		p.until("#position", fmt.Sprintf("superstep %d of 3", s))
	}
	p.until(".facts", "pull")
	p.do(chromedp.Click(chromedp.CSS("#back")), chromedp.Click(chromedp.CSS("#back")))
	p.until("#position", "superstep 1 of 3")
	if got := p.text(".facts"); !strings.Contains(got, "changed\n9") || !strings.Contains(got, "messages\n69") {
		t.Errorf("facts of superstep 1: %q", got)
	}
	p.do(chromedp.Click(chromedp.CSS("#first")), chromedp.Click(chromedp.CSS("#play")))
	p.until("#position", "superstep 3 of 3")
	p.do(chromedp.Click(chromedp.CSS(`.hit[data-superstep="1"]`)))
	p.until("#position", "superstep 1 of 3")
	p.quiet()
}

func keyboard(t *testing.T, p *tab) {
	p.fast()
	for _, c := range []struct{ key, want string }{
		{kb.ArrowRight, "superstep 0"}, {kb.ArrowRight, "superstep 1"}, {kb.ArrowLeft, "superstep 0"}, {kb.End, "superstep 3"}, {kb.Home, "Init"}, {" ", "superstep 3"},
	} {
		p.do(chromedp.KeyEvent(c.key))
		p.until("#position", c.want)
	}
	p.do(chromedp.KeyEvent("?"))
	p.until("#help[open]", "a superstep forward")
	if top := evaluate[float64](p, `document.querySelector("#help").scrollTop`); top > 0 {
		t.Errorf("the help begins %g below its top", top)
	}
	p.do(chromedp.KeyEvent(kb.Escape))
	p.do(chromedp.KeyEvent("/"), all(), chromedp.KeyEvent("27"+kb.Enter)) // the protocol types the slash all the same
	p.until(".vertex .value", "27: distance 3, parent 34")
	p.do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("w"))
	p.until(".chain", "34 → 27")
	p.do(chromedp.KeyEvent(kb.Escape))
	if evaluate[bool](p, `document.querySelector(".chain") !== null`) {
		t.Error("Esc leaves the chain")
	}
	p.do(chromedp.Click(chromedp.CSS(`.hit[data-superstep="1"]`)))
	p.until(".lists", "Just changed (9)")
	p.do(chromedp.Click(chromedp.CSS(".lists summary")))
	evaluate[any](p, `document.querySelector(".choices button").focus(), null`)
	chosen := p.text(".choices button")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(".vertex .value", chosen+": ")
	if got := evaluate[string](p, `document.activeElement.innerText`); got != chosen {
		t.Errorf("the focus was on vertex %s, and is on %q", chosen, got)
	}
	if missing := evaluate[[]string](p, `[...document.querySelectorAll("button, input, select, canvas")].filter((e) => !(e.getAttribute("aria-label") || e.labels?.length || e.textContent.trim())).map((e) => e.outerHTML)`); len(missing) > 0 {
		t.Errorf("without a name: %q", missing)
	}
	p.quiet()
}

// vertex clicks on the canvas where vertex 27 is drawn, and asks why.
func vertex(t *testing.T, p *tab) {
	p.do(chromedp.Click(chromedp.CSS("#last")))
	p.until("#position", "superstep 3 of 3")
	at := evaluate[[]float64](p, `(() => { const {view, trace} = document.page.panels[0]; const r = view.canvas.getBoundingClientRect(); const [x, y] = view.drawing.at(trace.vertex("27")); return [r.x + x, r.y + y]; })()`)
	p.do(chromedp.MouseClickXY(at[0], at[1]))
	p.until(".vertex .value", "27: distance 3, parent 34, asleep")
	p.do(chromedp.Click(chromedp.CSS(".ask")))
	p.until(".vertex", "27 has its value by 3 messages")
	got := evaluate[[]string](p, `[...document.querySelectorAll(".chain button")].map((b) => b.dataset.from + ">" + b.dataset.to)`)
	if fmt.Sprint(got) != "[34>27 9>34 1>9]" {
		t.Errorf("chain %v", got)
	}
	p.until(".chain", "34: distance none, parent none → distance 2, parent 9")
	p.until(".vertex .end", "1 had distance 0, parent none from Init")
	p.do(chromedp.Click(chromedp.CSS(".chain li:last-child button")))
	p.until("#position", "superstep 0 of 3")
	painted := evaluate[int](p, `(() => { const c = document.querySelector("canvas"); return new Set(new Uint32Array(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer)).size; })()`)
	if painted < 50 {
		t.Errorf("the canvas has %d colours", painted)
	}
	p.search("32", "32: distance 1")
	p.do(chromedp.KeyEvent("w"))
	p.until(".vertex", "32 has its value by 1 message:")
	p.do(chromedp.Click(chromedp.CSS("#wanted")), all(), chromedp.KeyEvent("99"+kb.Enter))
	p.until("#said.error", "there is no vertex “99”")
	p.quiet()
}

func breakpoints(t *testing.T, p *tab) {
	p.fast()
	set := func(text string) {
		p.do(chromedp.Click(chromedp.CSS("#condition")), chromedp.SendKeys(chromedp.CSS("#condition"), text+kb.Enter))
	}
	set("34 flies")
	p.until("#said.error", "is no condition")
	p.do(chromedp.Click(chromedp.CSS("#condition")), all(), chromedp.KeyEvent("34 wakes"+kb.Enter))
	p.until("#breakpoints", "34 wakes")
	p.do(chromedp.Click(chromedp.CSS("#run")))
	p.until("#position", "superstep 1 of 3")
	p.until("#said", "superstep 1: 34 wakes")
	p.do(chromedp.Click(chromedp.CSS("#run")))
	p.until("#said", "no breakpoint is met after")
	p.do(chromedp.Click(chromedp.CSS("#breakpoints button")))
	set("value of 27 >= 3")
	p.until("#breakpoints", "value of 27 >= 3")
	p.do(chromedp.Click(chromedp.CSS("#first")), chromedp.Click(chromedp.CSS("#play")))
	p.until("#said", "superstep 2: value of 27 >= 3")
	p.until("#position", "superstep 2 of 3")
	if playing := evaluate[bool](p, `document.page.player.playing`); playing {
		t.Error("play goes on after a breakpoint")
	}
	p.do(chromedp.Click(chromedp.CSS("#last")), chromedp.Click(chromedp.CSS("#runback")))
	p.until("#position", "superstep 2 of 3")
	p.quiet()
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

// without drops the records of some kinds.
func without(text []byte, kinds ...string) (rest []byte) {
	for _, line := range records(text) {
		drop := false
		for _, kind := range kinds {
			drop = drop || strings.HasPrefix(string(line), fmt.Sprintf("{%q:%q", "kind", kind))
		}
		if !drop {
			rest = append(rest, line...)
		}
	}
	return rest
}
