package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// low holds that a page without a graph has no empty box in its place, and offers
// no search for vertices, of which nothing is known.
func low(t *testing.T, p *tab) {
	t.Helper()
	p.do(chromedp.Click(chromedp.CSS("#last"))) // where the text beside it is long
	if tall := evaluate[float64](p, `document.querySelector(".absent").offsetHeight`); tall > 80 {
		t.Errorf("the box that says there is no graph is %g high", tall)
	}
	if got := evaluate[[]bool](p, `["#search", "#fieldbox", ".vertex"].map((s) => document.querySelector(s)?.checkVisibility() ?? false)`); got[0] || got[1] || got[2] {
		t.Errorf("search, field, vertex shown: %v", got)
	}
}

// phased holds that phases of an algorithm's own are told of in arcs, and that
// what they lack is one line.
func phased(t *testing.T, p *tab) {
	low(t, p)
	p.until(".absent", "no values of vertices to show")
	p.until(".model", "ns an arc")
	p.until(".model", "h: arcs")
	if got := evaluate[string](p, `document.querySelector(".timeline svg").getAttribute("aria-label") + document.body.innerText`); strings.Contains(got, "direction") || strings.Contains(got, " messages,") {
		t.Errorf("directions or messages of phases: %q", got)
	}
	if tall := evaluate[float64](p, `document.querySelector(".note").offsetHeight`); tall > 40 {
		t.Errorf("notes are %g high", tall)
	}
	p.quiet()
}

// laid holds that no label lies on another or on a vertex, at any superstep, that
// buttons lie beside the graph, and that a text that goes on can be scrolled to.
func laid(t *testing.T, p *tab) {
	p.search("27", "27: distance none")
	p.do(chromedp.KeyEvent("w"))
	problems := evaluate[[]string](p, `(async () => {
		const {player, panels: [{view}]} = document.page, wrong = [];
		const meet = (a, b) => a[0] < b[2] - 0.01 && b[0] < a[2] - 0.01 && a[1] < b[3] - 0.01 && b[1] < a[3] - 0.01;
		for (let s = -1; s <= player.last; s++) {
			player.jump(s);
			await document.page.show();
			const {labels: {placed}, camera, trace} = view.drawing, r = camera.size() * 0.9;
			const vertices = [...Array(trace.n).keys()].map((v) => { const [x, y] = camera.at(v); return [x - r, y - r, x + r, y + r]; });
			if (s > 0 && placed.length < 15) wrong.push("superstep " + s + ": " + placed.length + " labels");
			placed.forEach(({text, box}, i) => {
				for (const other of placed.slice(i + 1)) if (meet(box, other.box)) wrong.push("superstep " + s + ": " + text + " on " + other.text);
				if (i > 0 && vertices.some((v) => meet(box, v))) wrong.push("superstep " + s + ": " + text + " on a vertex");
				if (i > 0 && /^27\b/.test(text)) wrong.push("27 twice");
			});
		}
		const [canvas, buttons] = [view.canvas, document.querySelector(".zoom")].map((e) => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; });
		if (meet(canvas, buttons)) wrong.push("buttons on the graph");
		for (const text of document.querySelectorAll(".chart text")) {
			const [t, c] = [text, text.closest("svg")].map((e) => e.getBoundingClientRect());
			if (t.left < c.left - 1 || t.right > c.right + 1 || t.top < c.top - 3 || t.bottom > c.bottom + 3) wrong.push(text.textContent + " is cut off by its chart");
		}
		if (document.querySelector("header").offsetHeight > 100) wrong.push("the header is " + document.querySelector("header").offsetHeight + " high");
		return wrong;
	})()`)
	if len(problems) > 0 {
		t.Errorf("%q", problems)
	}
	p.quiet()
}

// ranged holds that the colours of values reach from the least to the greatest, of
// a program that declares nothing, too.
func ranged(t *testing.T, p *tab) {
	want := evaluate[float64](p, `(async () => { const {states, trace} = document.page.panels[0]; return Math.max(...(await states.at(trace.last)).values); })()`)
	p.until(".ramp", "distance 0")
	if p.until(".ramp", fmt.Sprintf("%g", want)); want < 100 {
		t.Errorf("the greatest distance is %g", want)
	}
	p.quiet()
}

// printed holds that on paper all of the text is there, and no button.
func printed(t *testing.T, p *tab) {
	evaluate[any](p, `(async () => { document.page.player.jump(2); await document.page.search("27"); await document.page.panels[0].ask(); return null; })()`)
	if shown := evaluate[[]string](p, `[...document.querySelectorAll("button, input, select")].filter((e) => e.checkVisibility() && !e.matches(".plain")).map((e) => e.outerHTML)`); len(shown) > 0 {
		t.Errorf("on paper: %q", shown)
	}
	if cut := evaluate[bool](p, `(() => { const side = document.querySelector(".side"); return side.scrollHeight > side.clientHeight + 1; })()`); cut {
		t.Error("the text beside the graph is cut off")
	}
	p.quiet()
}
