package trace_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/trace"
	"gopregel/programs/bfs"
	"gopregel/programs/pagerank"
	"gopregel/programs/sssp"
	"gopregel/runtime/cpu"
)

// olds are the runs that testdata has a trace of, each by binaries that wrote version 1
// (5210c8c), 2 (4a5d83a) and 3 (42fcd0d), by the command `pregel run`.
var olds = map[string]struct {
	kind   string
	params map[string]string
	a      pregel.Algorithm
	values string
	most   int
}{
	"bfs-path":           {"path", map[string]string{"n": "12000"}, &bfs.BFS{Source: "0"}, trace.None, 300},
	"bfs-grid":           {"grid", map[string]string{"rows": "4", "cols": "3000"}, &bfs.BFS{Source: "0"}, trace.None, 300},
	"pagerank-kronecker": {"kronecker", map[string]string{"scale": "14", "edge_factor": "4", "seed": "3"}, pagerank.New(), trace.None, 0},
	"sssp-karate":        {"karate", nil, &sssp.SSSP{Source: "1", Method: sssp.BellmanFord}, trace.Changed, 0},
}

// Traces of all versions before say of a run what one says that is recorded today, but
// for its times, and what an older one did not say: all of them are of offsets of eight bytes.
func TestOldVersions(t *testing.T) {
	t.Parallel()
	for name, c := range olds {
		var today bytes.Buffer
		j := &pregel.Job{Graph: pregeltest.Widened(generated(t, c.kind, c.params)), Engine: cpu.New(cpu.Options{Workers: 2, Schedule: pregel.BSP}), Batch: 64, MaxSupersteps: c.most}
		if _, err := recordTo(t, trace.NewWriter(&today), j, c.a, trace.Options{Values: c.values, Messages: true}); err != nil {
			t.Fatal(err)
		}
		want := contents(t, name, today.Bytes())
		files, err := filepath.Glob("testdata/" + name + ".v*.jsonl.gz")
		if err != nil || len(files) != trace.Version-1 {
			t.Fatalf("%s: found %d traces, want %d, one of each version before this: %v", name, len(files), trace.Version-1, err)
		}
		for i, file := range files {
			text := unzipped(t, file)
			got := contents(t, file, text)
			if v := got[0]["version"]; v != float64(i+1) {
				t.Errorf("%s has version %v", file, v)
			}
			got = got[1:] // the header tells of the command
			want := want[1:]
			if len(got) < len(want) && i == 0 { // it had no records of programs without values
				want = slices.DeleteFunc(slices.Clone(want), func(x map[string]any) bool { return x["kind"] == "program" })
			}
			if len(got) != len(want) {
				t.Fatalf("%s has %d records, want %d", file, len(got), len(want))
			}
			for k := range got {
				if d := differs(got[k], want[k]); d != "" {
					t.Fatalf("%s: record %d: %s", file, k, d)
				}
			}
		}
	}
}

func unzipped(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	in, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var to bytes.Buffer
	if _, err := to.ReadFrom(in); err != nil {
		t.Fatal(err)
	}
	return to.Bytes()
}

// contents are the records of a trace, by key.
func contents(t *testing.T, name string, text []byte) (list []map[string]any) {
	t.Helper()
	if _, err := trace.Read(name, bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	var plain bytes.Buffer
	if err := trace.Unfold(&plain, bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(plain.Bytes()) {
		var x map[string]any
		if err := json.Unmarshal(line, &x); err != nil {
			t.Fatal(err)
		}
		withoutEmit(x)
		list = append(list, x)
	}
	return list
}

// withoutEmit leaves out of a record the phase that makes offers, which are made ahead today
// where that pays.
func withoutEmit(x map[string]any) {
	if phases, ok := x["phases"].([]any); ok {
		x["phases"] = slices.DeleteFunc(phases, func(p any) bool { return p.(map[string]any)["name"] == "emit" })
	}
}

// timely are the keys of what no two runs have in common.
var timely = map[string]bool{"nanoseconds": true, "timed": true, "barrier": true, "workers": true}

// differs tells where what was written once is not what is written today. Lists and
// objects may have become longer.
func differs(old, today any) string {
	switch old := old.(type) {
	case map[string]any:
		now, ok := today.(map[string]any)
		if !ok {
			return fmt.Sprintf("%v is %v today", old, today)
		}
		for key, x := range old {
			if d := differs(x, now[key]); d != "" && !timely[key] {
				return key + ": " + d
			}
		}
		return ""
	case []any:
		now, ok := today.([]any)
		if !ok || len(now) != len(old) {
			return fmt.Sprintf("%v is %v today", old, today)
		}
		for i, x := range old {
			if d := differs(x, now[i]); d != "" {
				return strconv.Itoa(i) + ": " + d
			}
		}
		return ""
	case float64: // what a program adds up may be rounded otherwise today
		if now, ok := today.(float64); ok && math.Abs(now-old) <= 1e-9*math.Abs(old)+1e-15 {
			return ""
		}
	}
	if !reflect.DeepEqual(old, today) {
		return fmt.Sprintf("%v is %v today", old, today)
	}
	return ""
}
