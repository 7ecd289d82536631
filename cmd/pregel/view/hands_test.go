package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

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
