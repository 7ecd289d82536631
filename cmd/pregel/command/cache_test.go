package command

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A cacheTrial is a folder with a random graph and a job on it.
type cacheTrial struct {
	t   *testing.T
	dir string
}

func newCacheTrial(t *testing.T, directed bool) cacheTrial {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	c := cacheTrial{t, t.TempDir()}
	var b strings.Builder
	for range 600 {
		fmt.Fprintf(&b, "%d %d %d.5\n", r.IntN(r.IntN(200)+1), r.IntN(200), 1+r.IntN(20))
	}
	b.WriteString("3 4 1\n")
	c.write("graph/g.wel", b.String())
	c.write("job.yaml", fmt.Sprintf("program: wcc\ngraph: {path: graph/g.wel, directed: %v}\nprepare: {order: degree}\nengine: {device: cpu}\noutput: {path: answer.csv}\n", directed))
	return c
}

func (c cacheTrial) write(name, text string) {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		c.t.Fatal(err)
	}
	mustWrite(path, []byte(text))
}

// command is a run of the job with more flags.
func (c cacheTrial) command(args ...string) *exec.Cmd {
	x := exec.Command("built", append([]string{"run", "job.yaml"}, args...)...)
	x.Dir = c.dir
	return x
}

// run returns the answer of a run whose summary must have the given words.
func (c cacheTrial) run(want string, args ...string) string {
	c.t.Helper()
	out, err := c.command(args...).CombinedOutput()
	if err != nil || !strings.Contains(string(out), want) {
		c.t.Fatalf("%v: %v, want %q in\n%s", args, err, want, out)
	}
	return string(mustRead(filepath.Join(c.dir, "answer.csv")))
}

// Answers are the same to the last bit without a cache, when it is made and when
// it is used, by any program that runs on prepared graphs.
func TestCachedAnswers(t *testing.T) {
	t.Parallel()
	for _, directed := range []bool{false, true} {
		for _, order := range []string{"degree", "locality", "tiles"} {
			t.Run(fmt.Sprintf("directed=%v/%s", directed, order), func(t *testing.T) {
				t.Parallel()
				c := newCacheTrial(t, directed)
				for i, program := range []string{"wcc", "bfs", "sssp", "pagerank", "scc", "mst", "lcc"} {
					args := []string{"--set", "program=" + program, "--set", "prepare.order=" + order, "--verify"}
					if program == "bfs" || program == "sssp" {
						args = append(args, "--set", "params.source=3")
					}
					off := c.run(", not kept: prepare.cache is false", append(args, "--set", "prepare.cache=false")...)
					word := ", read from graph/g.wel." + order
					if i == 0 {
						word = ", kept in graph/g.wel." + order
					}
					if got := c.run(word, args...); got != off {
						t.Errorf("%s: first run: %s\nwithout a cache: %s", program, got, off)
					}
					if got := c.run(", read from ", args...); got != off {
						t.Errorf("%s: second run: %s\nwithout a cache: %s", program, got, off)
					}
				}
			})
		}
	}
}

// Several processes that find no cache each make it, and all have the answer.
func TestCacheOfTwoProcesses(t *testing.T) {
	t.Parallel()
	c := newCacheTrial(t, false)
	want := c.run("not kept", "--set", "prepare.cache=false")
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			name := fmt.Sprintf("answer%d.csv", i)
			if out, err := c.command("-o", name).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
				return
			}
			if got := string(mustRead(filepath.Join(c.dir, name))); got != want {
				t.Errorf("another answer: %s", got)
			}
		})
	}
	wg.Wait()
	if list, err := os.ReadDir(filepath.Join(c.dir, "graph")); err != nil || len(list) != 2 {
		t.Errorf("there are %v (%v), want the graph and its cache", list, err)
	}
	if got := c.run(", read from "); got != want {
		t.Errorf("another answer: %s", got)
	}
}

// A folder that cannot be written to keeps no run; a cache in it is used.
func TestCacheReadOnly(t *testing.T) {
	t.Parallel()
	c := newCacheTrial(t, false)
	folder := filepath.Join(c.dir, "graph")
	want := c.run("not kept", "--set", "prepare.cache=false")
	t.Cleanup(func() { _ = os.Chmod(folder, 0o755) })
	if err := os.Chmod(folder, 0o555); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Create(filepath.Join(folder, "trial")); err == nil {
		_ = f.Close()
		t.Skip("this user may write into any folder")
	}
	if got := c.run(": permission denied"); got != want {
		t.Errorf("another answer: %s", got)
	}
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	c.run(", kept in ")
	if err := os.Chmod(folder, 0o555); err != nil {
		t.Fatal(err)
	}
	if got := c.run(", read from "); got != want {
		t.Errorf("another answer: %s", got)
	}
}

// Of a cache that is cut anywhere, or has a bit turned round, nothing comes into
// an answer.
func TestCacheDamaged(t *testing.T) {
	t.Parallel()
	c := newCacheTrial(t, true)
	want := c.run(", kept in ")
	list, err := filepath.Glob(filepath.Join(c.dir, "graph", "*.pgr"))
	if err != nil || len(list) != 1 {
		t.Fatalf("%v %v", list, err)
	}
	good := mustRead(list[0])
	for i := range 4 {
		b := append([]byte(nil), good...)
		b[rand.IntN(len(b))] ^= 1 << rand.IntN(8)
		for _, bad := range [][]byte{good[:len(good)*i/4], b} {
			mustWrite(list[0], bad)
			if got := c.run(" was of no use: "); got != want {
				t.Errorf("another answer: %s", got)
			}
			if string(mustRead(list[0])) != string(good) {
				t.Error("the cache is not made anew as it was")
			}
		}
	}
}
