package view

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"gopregel/pregel"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/trace"
	"gopregel/programs/cdlp"
	"gopregel/programs/mst"
	"gopregel/programs/pagerank"
	"gopregel/programs/scc"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
)

// A shot is a picture.
type shot struct {
	name          string
	traces        [][]byte
	width, height int
	script        string // what has been done before
	before        []action
}

// TestShots takes pictures for people to look at, into the folder that
// GOPREGEL_SHOTS names: each is a state of a page that must be drawn well. A page of
// the traces, separated by commas, that GOPREGEL_TRACES names is one: such as of a
// run on a GPU beside one on the CPU.
func TestShots(t *testing.T) {
	folder := os.Getenv("GOPREGEL_SHOTS")
	if folder == "" {
		t.Skip("GOPREGEL_SHOTS names no folder: no pictures are taken")
	}
	b := openBrowser(t)
	g := karate(t)
	searched, ranked := record(t, g, "karate", trace.All, breadth(0)), record(t, g, "karate", trace.All, ranks(g, 1e-9))
	grid := generate(t, graphgen.Spec{Kind: "grid", Rows: 100, Cols: 100}, graphgen.Options{})
	kron := generate(t, graphgen.Spec{Kind: "kronecker", Scale: 13, EdgeFactor: 4, Seed: 1}, graphgen.Options{})
	fig := weighted(t, 10, 3)
	large := generate(t, graphgen.Spec{Kind: "kronecker", Scale: 13, EdgeFactor: 4, Seed: 1}, graphgen.Options{Weights: graphgen.HashWeights})
	delta := run(t, large, &sssp.SSSP{Source: pregel.ID(large.IDs().Text(hub(large))), Method: sssp.BellmanFord}, "sssp", trace.Changed)
	pulled := run(t, g, &pagerank.PageRank{Damping: 0.85, Tolerance: 1e-9, Precision: pagerank.Float64}, "pagerank", trace.All)
	single := run(t, g, &pagerank.PageRank{Damping: 0.85, Tolerance: 1e-6, Precision: pagerank.Float32}, "pagerank float32", trace.All)
	links := generate(t, graphgen.Spec{Kind: "rmat", Scale: 7, EdgeFactor: 3, Seed: 2}, graphgen.Options{})
	phases := generate(t, graphgen.Spec{Kind: "uniform", N: 60, EdgeFactor: 3, Seed: 5}, graphgen.Options{Weights: graphgen.HashWeights})
	stepping := run(t, phases, &sssp.SSSP{Source: "0", Method: sssp.DeltaStepping}, "sssp", trace.Changed)
	components := run(t, links, &scc.SCC{}, "scc", trace.Changed)
	forest := run(t, phases, &mst.MST{}, "mst", trace.Changed)
	dark := call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
	grey := call(emulation.SetEmulatedVisionDeficiency, emulation.SetEmulatedVisionDeficiencyParams{Type: emulation.SetEmulatedVisionDeficiencyTypeAchromatopsia})
	shots := []shot{
		{"ten", [][]byte{record(t, fig, "uniform", trace.Changed, shortest(0))}, 1280, 900, `page.player.jump(2)`, nil},
		{"karate-bfs", [][]byte{searched}, 1280, 900, `page.player.jump(1); await page.search('32'); await page.panels[0].ask()`, nil},
		{"karate-why", [][]byte{searched}, 1280, 900, `page.player.jump(3); await page.search('27'); await page.panels[0].ask()`, nil},
		{"moving", [][]byte{searched}, 1280, 900, `page.player.jump(1); await page.show(); await page.panels[0].show(1, 0.5)`, nil},
		{"pagerank", [][]byte{ranked}, 1280, 900, `page.player.jump(5)`, nil},
		{"grid", [][]byte{record(t, grid, "grid 100²", trace.Changed, breadth(0))}, 1280, 900, `page.player.jump(60)`, nil},
		{"kronecker", [][]byte{record(t, kron, "kronecker 13", trace.All, breadth(hub(kron)))}, 1280, 900, `page.player.jump(1)`, nil},
		{"labels", [][]byte{run(t, grid, &wcc.WCC{Method: wcc.Propagate}, "wcc", trace.Changed)}, 1280, 900, `page.player.jump(60)`, nil},
		{"parents", [][]byte{searched}, 1280, 900, `const f = document.getElementById('field'); f.value = 'parent'; f.dispatchEvent(new Event('change')); page.player.jump(3)`, nil},
		{"phone-labels", [][]byte{run(t, links, &cdlp.CDLP{Iterations: 10}, "cdlp", trace.Changed)}, 360, 740, `page.player.jump(4)`, nil},
		{"phone-grid", [][]byte{record(t, grid, "grid 100²", trace.Changed, breadth(0))}, 360, 740, `page.player.jump(60)`, nil},
		{"phone", [][]byte{searched}, 360, 740, `page.player.jump(2); await page.search('27'); await page.panels[0].ask()`, nil},
		{"sssp", [][]byte{delta}, 1280, 900, `page.player.jump(3); await page.search('30'); await page.panels[0].ask()`, nil},
		{"two", [][]byte{pulled, single}, 1500, 1000, `page.player.jump(7); await page.search('34')`, nil},
		{"scc", [][]byte{components}, 1280, 900, `page.player.jump(2)`, nil},
		{"mst", [][]byte{forest}, 1280, 900, `page.player.jump(1)`, nil},
		{"delta", [][]byte{stepping}, 1280, 900, `page.player.jump(1)`, nil},
		{"bare", [][]byte{without(searched, "values", "messages", "graph")}, 1280, 900, `page.player.jump(1)`, nil},
		{"wide", [][]byte{searched}, 1920, 1080, `page.player.jump(2); await page.search('27'); await page.panels[0].ask()`, nil},
		{"help", [][]byte{searched}, 1280, 900, `document.getElementById('help').showModal()`, nil},
		{"help-phone", [][]byte{searched}, 360, 740, `document.getElementById('help').showModal()`, nil},
		{"breakpoints", [][]byte{searched}, 360, 740, `for (const b of ['27 changes', 'awake < 5', '34 wakes', 'x']) page.addBreakpoint(b)`, nil},
		{"print", [][]byte{searched}, 800, 1100, `page.player.jump(2); await page.search('27'); await page.panels[0].ask()`, []action{call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})}},
		{"phone-two", [][]byte{pulled, single}, 360, 740, `page.player.jump(7); await page.search('34')`, nil},
		{"dark", [][]byte{searched}, 1280, 900, `page.player.jump(2); await page.search('27'); await page.panels[0].ask()`, []action{dark}},
		{"grey", [][]byte{searched}, 1280, 900, `page.player.jump(2); await page.search('27'); await page.panels[0].ask()`, []action{grey}},
	}
	if list := os.Getenv("GOPREGEL_TRACES"); list != "" {
		own := shot{name: "traces", width: 1500, height: 1000, script: `page.player.jump(1)`}
		for _, path := range strings.Split(list, ",") {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			own.traces = append(own.traces, text)
		}
		shots = []shot{own}
	}
	for _, c := range shots {
		t.Run(c.name, func(t *testing.T) {
			p := b.open(t, page(t, c.traces...), c.width, c.height, c.before...)
			evaluate[any](p, `(async () => { const page = document.page; `+c.script+`; await page.player.at; })()`)
			seen, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
			if err != nil {
				t.Fatal(err)
			}
			tall := evaluate[int64](p, `document.documentElement.scrollHeight`)
			p.do(chromedp.EmulateViewport(int64(c.width), tall+120))
			all, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
			if err != nil {
				t.Fatal(err)
			}
			for name, image := range map[string][]byte{c.name: seen, c.name + "-all": all} {
				if err := os.WriteFile(filepath.Join(folder, name+".png"), image, 0o644); err != nil {
					t.Error(err)
				}
			}
			p.quiet()
		})
	}
}
