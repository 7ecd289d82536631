package command

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopregel/cmd/pregel/job"
	"gopregel/programs"
)

// headers are the columns of the answers, which issue and documentation fix.
var headers = map[string]string{
	"bfs": "id,depth,parent", "sssp": "id,distance,parent", "pagerank": "id,rank", "scc": "id,component", "wcc": "id,component",
	"mst": "source,target,weight", "cdlp": "id,label", "lcc": "id,coefficient",
}

// graphs that the built-in programs run on here: undirected and directed,
// numbers and strings as ids, integer, float and no weights.
var graphs = map[string]string{
	"karate":  "{generate: {kind: karate}, weights: splitmix64}",
	"arcs":    "{generate: {kind: rmat, scale: 6, edge_factor: 4, seed: 5}, directed: true}",
	"strings": "{path: names.csv, ids: string}",
}

const namesFile = "alice,bob,1.5\nalice,carol,2.5\nbob,carol,0.25\ndave,erin,4\nerin,erin,1\n"

var sources = map[string]string{"karate": "34", "arcs": "3", "strings": "alice"}

// Every built-in program runs by a job file, writes the columns it should, and
// its answer is certified again from the file; an answer with a wrong number in
// it is refused.
func TestBuiltIn(t *testing.T) {
	t.Parallel()
	for _, e := range programs.All() {
		for name, g := range graphs {
			t.Run(e.Name+"/"+name, func(t *testing.T) {
				t.Parallel()
				checkBuiltIn(t, e, name, g)
			})
		}
	}
}

func checkBuiltIn(t *testing.T, e programs.Entry, name, g string) {
	dir := t.TempDir()
	mustWrite(filepath.Join(dir, "names.csv"), []byte(namesFile))
	params, err := job.Parameters(e)
	if err != nil {
		t.Fatal(err)
	}
	text := "program: " + e.Name + "\ngraph: " + g + "\noutput: {path: answer.csv}\n"
	for _, f := range params {
		if f.Required {
			text += "params: {" + f.Name + ": " + sources[name] + "}\n"
		}
	}
	mustWrite(filepath.Join(dir, "job.yaml"), []byte(text))
	built := func(code int, args ...string) string {
		t.Helper()
		c := exec.Command("built", args...)
		c.Dir = dir
		out, _ := c.CombinedOutput()
		if got := c.ProcessState.ExitCode(); got != code {
			t.Fatalf("%v: exit code %d, want %d\n%s", args, got, code, out)
		}
		return string(out)
	}
	built(0, "run", "job.yaml", "--verify")
	answer := string(mustRead(filepath.Join(dir, "answer.csv")))
	header, _, _ := strings.Cut(answer, "\n")
	if want, ok := headers[e.Name]; ok && header != want {
		t.Errorf("columns %s, want %s", header, want)
	}
	built(0, "verify", "job.yaml")
	built(0, "run", "job.yaml", "-q", "--output", "answer.parquet", "--set", "engine.workers=1")
	built(0, "verify", "job.yaml", "--output", "answer.parquet")
	mustWrite(filepath.Join(dir, "answer.csv"), []byte(tamper(answer)))
	built(exitCertificate, "verify", "job.yaml")
}

// tamper puts another value into the last field of the first row that has one
// (not into a parent, of which there may be several right ones): one of that
// column, or an id.
func tamper(answer string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(answer, "\n"), "\n")
	var rows [][]string
	for _, line := range lines[1:] {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), ","))
	}
	last := len(rows[0]) - 1
	if strings.HasSuffix(lines[0], ",parent\n") {
		last--
	}
	at := slices.IndexFunc(rows, func(row []string) bool { return row[last] != "" })
	for _, column := range []int{last, 0} {
		for _, row := range rows {
			if row[column] != "" && row[column] != rows[at][last] && row[column] != rows[at][0] {
				rows[at][last] = row[column]
				lines[at+1] = strings.Join(rows[at], ",") + "\n"
				return strings.Join(lines, "")
			}
		}
	}
	return "nothing to exchange\n"
}
