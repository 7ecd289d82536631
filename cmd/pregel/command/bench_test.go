package command

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/programs"
)

// What has been timed before a program fails is printed.
func TestTimedBeforeAFailure(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	a := &app{out: &out, err: &errs, programs: []programs.Entry{
		{Name: "counts", Doc: "counts", New: func() pregel.Algorithm { return &degrees{Factor: 1} }},
		{Name: "crashes", Doc: "panics", New: func() pregel.Algorithm { return &crash{} }},
	}}
	if code := a.execute(t.Context(), []string{"bench", "karate", "--runs", "2"}); code == 0 {
		t.Error("exit code 0")
	}
	if !regexp.MustCompile(`(?m)^ +counts +run +[0-9.]+ `).MatchString(out.String()) || strings.Contains(out.String(), "crashes") {
		t.Errorf("printed\n%s", &out)
	}
	if !strings.HasPrefix(errs.String(), "pregel: bench: crashes: ") {
		t.Errorf("%s", &errs)
	}
}

// A program is timed with and without parameters of one's own, side by side; what
// cannot be given is refused.
func TestTimedWithParameters(t *testing.T) {
	t.Parallel()
	bench := func(list string) (int, string, string) {
		var out, errs bytes.Buffer
		a := &app{out: &out, err: &errs, programs: programs.All()}
		code := a.execute(t.Context(), []string{"bench", "karate", "--runs", "2", "--verify", "--programs", list})
		return code, out.String(), errs.String()
	}
	code, out, errs := bench("bfs:parents=false,wcc,bfs,bfs:parents=false")
	if rows := regexp.MustCompile(`(?m)^ +(\S+) +run +.*\b2 *$`).FindAllStringSubmatch(out, -1); code != 0 || len(rows) != 3 ||
		rows[0][1] != "bfs" || rows[1][1] != "bfs:parents=false" || rows[2][1] != "wcc" {
		t.Errorf("exit code %d, printed\n%s%s", code, out, errs)
	}
	for list, want := range map[string]string{
		"bfs:source=1":                   "bfs:source=1: found parameter source, allowed: parents, depths, any_parent",
		"bfs:parents=maybe":              "bfs:parents=maybe: parameter parents: found maybe, allowed: true or false",
		"bfs:parents=true:parents=false": "bfs:parents=true:parents=false: found parameter parents twice, want it once",
		"bfs:parents":                    `bfs:parents: found "parents" behind the program, want PARAMETER=VALUE`,
		"wcc,mst:x=1":                    "mst:x=1: found parameter x, allowed: none",
		"pagerank:iterations=3":          "pagerank:iterations=3: found parameter iterations, allowed: damping",
		"pagerank:tolerance=0.1":         "pagerank:tolerance=0.1: found parameter tolerance, allowed: damping",
		"bsf:parents=false":              "found bsf, allowed: bfs, cdlp, lcc, mst, pagerank, scc, sssp, wcc",
	} {
		if code, _, errs := bench(list); code != 2 || errs != "pregel: --programs: "+want+"\n" {
			t.Errorf("%s: exit code %d, %s", list, code, errs)
		}
	}
}

// What would time nothing, or what nobody has, is refused before anything is timed.
func TestRefusedFlagsOfBench(t *testing.T) {
	t.Parallel()
	for flags, want := range map[string]string{
		"--forms":           "--forms: found --device cpu, expected --device cuda: the CPU runs on the graph in its order alone",
		"--prepared-order":  "--prepared-order: expected --device cuda and --prepare with it: answers are in the graph's own order",
		"--only-prepared":   "--only-prepared: found no --prepare, expected one: nothing would be timed",
		"--prepare=degrees": "--prepare: found degrees, allowed: degree, locality, tiles",
		"--runs=0":          "--runs: found 0, allowed: a whole number, at least 1",
		"--precision=float": "--precision: found float, allowed: float64, float32",
	} {
		var out, errs bytes.Buffer
		a := &app{out: &out, err: &errs, programs: programs.All()}
		if code := a.execute(t.Context(), []string{"bench", "karate", flags}); code != 2 || out.Len() > 0 || errs.String() != "pregel: "+want+"\n" {
			t.Errorf("%s: exit code %d, %s%s", flags, code, &out, &errs)
		}
	}
}
