package graphio

import (
	"math"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"gopregel/pregel/graph"
)

// What each format can hold. A check reports what of the graph would be lost,
// or why it cannot be written at all, and what to do about it.

func checkEdgeList(o *output, f *findings) {
	o.checkIsolated(f)
	o.checkFinite(f)
	o.checkNames(f, func(name string) string {
		if strings.ContainsAny(name, " \t,") {
			return "has a blank or comma, which parts fields (csv can hold it)"
		}
		return badStart(name)
	})
}

// checkCSV lets names be anything on one line, as they stand in quotes where
// they must.
func checkCSV(o *output, f *findings) {
	o.checkIsolated(f)
	o.checkFinite(f)
	o.checkNames(f, func(string) string { return "" })
}

func checkTSV(o *output, f *findings) {
	o.checkIsolated(f)
	o.checkFinite(f)
	o.checkNames(f, func(name string) string {
		if strings.Trim(name, " ") != name {
			return "begins or ends with a blank (csv can hold it)"
		}
		return badStart(name)
	})
}

// The vertices of edge lists of GAPBS and PBBS are 0 to the greatest id that
// occurs.
func checkEL(o *output, f *findings) { o.checkToGreatest(f, "el", ".el", ".wel") }

func checkEdgeArray(o *output, f *findings) { o.checkToGreatest(f, "pbbs", ".ea", ".wea") }

func (o *output) checkToGreatest(f *findings, format, bare, weighted string) {
	ids, n := o.graph.IDs(), o.graph.N()
	switch {
	case n == 0:
	case ids.Names() != nil:
		f.refuse("%s files have whole numbers as ids, this graph's are strings (write txt, csv, ldbc or pgr)", format)
	case ids.Numbers() != nil || ids.Base() != 0:
		f.lose("a file of the format %s has all vertices from 0 on, so that others than those of this graph would appear (txt, csv, ldbc and pgr keep ids)", format)
	default:
		if trailing := o.isolated().trailing; trailing > 0 {
			f.lose("the last %s no arcs and would not be read back (ldbc and pgr keep them)", vertices(trailing))
		}
	}
	o.checkFinite(f)
	o.checkEnding(f, bare, weighted)
}

func checkLigra(o *output, f *findings) {
	o.checkNumbered(f, 0)
	o.checkFinite(f)
	o.checkEnding(f, ".adj", ".wadj")
}

// checkEnding: of two endings one is for graphs with weights.
func (o *output) checkEnding(f *findings, bare, weighted string) {
	switch has := o.graph.Weighted() != graph.Unweighted; {
	case o.ext == bare && has:
		f.lose("an %s file has no weights (%s has)", bare, weighted)
	case o.ext == weighted && !has:
		f.refuse("a %s file has weights, this graph has none (write %s, or give it weights)", weighted, bare)
	}
}

func checkMatrixMarket(o *output, f *findings) {
	o.checkNumbered(f, 1)
	o.checkFinite(f)
}

func checkDIMACS(o *output, f *findings) {
	o.checkNumbered(f, 1)
	switch o.graph.Weighted() {
	case graph.Unweighted:
		f.refuse("each arc must have a weight, this graph has none (give it weights, or write txt, csv, mtx, ldbc or pgr)")
	case graph.Float32:
		f.refuse("weights must be whole numbers, these are float32 (write wel, csv, mtx, ldbc or pgr)")
	}
}

func checkMETIS(o *output, f *findings) {
	o.checkNumbered(f, 1)
	if o.graph.Directed() {
		f.refuse("it is for undirected graphs, this one is directed (forget the directions first, or write another format)")
		return
	}
	if loops := o.graph.Loops(); loops > 0 {
		f.lose("%d self-loops have no place (drop them, or write mtx, ldbc or pgr)", loops)
	}
	switch w := o.graph.Out().Weights; w.Kind() {
	case graph.Float32:
		f.refuse("weights must be whole numbers, these are float32 (write wel, csv, mtx, ldbc or pgr)")
	case graph.Int32:
		if i := o.findArc(func(i int) bool { return w.Int[i] < 1 }); i >= 0 {
			f.refuse("weights must be at least 1, there is one of %d (write wel, csv, mtx, gr, ldbc or pgr)", w.Int[i])
		}
	}
}

func checkLDBC(o *output, f *findings) {
	stem, ext := splitName(o.path)
	switch base := filepath.Base(stem); {
	case strings.ContainsAny(base, "=\r\n") || strings.TrimSpace(base) != base || base == "" || strings.ContainsAny(base[:1], "#!"):
		f.refuse("the name %q of the graph cannot be the key of a property", base)
	case ext == ".properties" && o.compression != "":
		f.refuse("a .properties file is not compressed (name the .e file to compress it and the .v file)")
	}
	o.checkFinite(f)
	o.checkNames(f, func(name string) string {
		if strings.ContainsAny(name, " \t") {
			return "has a blank, which parts fields (csv and pgr can hold it)"
		}
		return badStart(name)
	})
}

func checkAdjacency(o *output, f *findings) {
	if o.graph.Weighted() != graph.Unweighted {
		f.lose("there are no weights in an adjacency file (csv, ldbc and pgr have them)")
	}
	o.checkNames(f, func(name string) string {
		if strings.ContainsAny(name, " \t") {
			return "has a blank, which parts fields (csv and pgr can hold it)"
		}
		return badStart(name)
	})
}

func checkGAPBS(o *output, f *findings) {
	o.checkNumbered(f, 0)
	if o.compression != "" {
		f.refuse("a serialised graph is not compressed")
	}
	if o.graph.N() > 1<<31 {
		f.refuse("there are at most %d vertices, this graph has %d", 1<<31, o.graph.N())
	}
	o.checkEnding(f, ".sg", ".wsg")
	if o.graph.Weighted() == graph.Float32 && o.weighted() {
		f.refuse("weights must be whole numbers, these are float32 (write wel, csv, mtx, ldbc or pgr)")
	}
}

func checkPGR(o *output, f *findings) {
	if o.compression != "" {
		f.refuse("a .pgr file is mapped into memory as it is and not compressed")
	}
}

// checkNumbered: the format counts its vertices from base on.
func (o *output) checkNumbered(f *findings, base uint64) {
	ids, n := o.graph.IDs(), uint64(o.graph.N())
	if n == 0 || ids.Names() == nil && ids.Numbers() == nil && ids.Base() == base {
		return
	}
	f.lose("the vertices would be numbered %d to %d, and their ids (%s to %s) be lost (txt, csv, ldbc and pgr keep ids)",
		base, base+n-1, excerpt([]byte(ids.Text(0))), excerpt([]byte(ids.Text(uint32(n-1)))))
}

func (o *output) checkIsolated(f *findings) {
	if all := o.isolated().all; all > 0 {
		f.lose("%s no arcs and cannot stand in a list of edges (ldbc and pgr keep them, as do mtx, gr and graph)", vertices(all))
	}
}

// checkFinite: text has no infinite weights and none that are no numbers.
func (o *output) checkFinite(f *findings) {
	w := o.graph.Out().Weights.Float
	if w == nil {
		return
	}
	if i := o.findArc(func(i int) bool { return math.IsInf(float64(w[i]), 0) || w[i] != w[i] }); i >= 0 {
		f.refuse("weights must be finite, there is one of %v (pgr can hold it)", w[i])
	}
}

// checkNames refuses strings that would not be read back, by rules of all
// formats and those of the given function.
func (o *output) checkNames(f *findings, problem func(name string) string) {
	for v, name := range o.graph.IDs().Names() {
		why := problem(name)
		switch {
		case name == "":
			why = "is empty (pgr can hold it)"
		case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }):
			why = "has control characters (pgr can hold it)"
		}
		if why != "" {
			f.refuse("id %s of vertex %d %s", excerpt([]byte(name)), v, why)
			return
		}
	}
}

// badStart: what begins with these would be taken for something else.
func badStart(name string) string {
	r, _ := utf8.DecodeRuneInString(name)
	switch r {
	case '#', '%':
		return "would make its line a comment (csv can hold it)"
	case '\uFEFF':
		return "begins with a byte order mark (pgr can hold it)"
	}
	return ""
}
