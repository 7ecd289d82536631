package grade_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gopregel/cmd/pregel/grade"
	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/programs"
)

var errNoDevice = errors.New("no GPU here")

func noDevice(*job.Job) (pregel.Engine, func(), error) { return nil, nil, errNoDevice }

// seeds are those that the programs below were tried with: how small a graph is found
// hangs on what is drawn.
const seeds = 24

// graded is what is found of one exercise, done by a program of a test.
func graded(t *testing.T, exercise string, a func() pregel.Algorithm) grade.Result {
	t.Helper()
	seed := 1 + rand.Uint64N(seeds)
	t.Logf("seed %d", seed)
	r, err := grade.Run(t.Context(), grade.Options{Programs: []programs.Entry{{Name: exercise, New: a}}, Names: []string{exercise}, Seed: seed, Graphs: 15, Open: noDevice})
	if err != nil {
		t.Fatal(err)
	}
	return r.Exercises[0]
}

// missed is the criterion that fails, with what was found, "" if none does.
func missed(r grade.Result) (criterion string, miss grade.Miss) {
	i := slices.IndexFunc(r.Criteria, func(v grade.Verdict) bool { return v.Status == grade.Failed })
	if i < 0 {
		return "", grade.Miss{}
	}
	return r.Criteria[i].Criterion, *r.Criteria[i].Miss
}

// Programs that are wrong in the ways that people are wrong miss the criterion that is
// meant for that, on a graph that is small. says is in what was found.
func TestWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		exercise, what string
		program        func() pregel.Algorithm
		misses, says   string
		arcs           int // of the graph shown, at most
	}{
		{"hops", "right", hops(walk{}), "", "", 0},
		{"hops", "never sleeps", hops(walk{awake: true}), "ends", "still goes on, with", 1},
		{"hops", "sleeps a superstep late", hops(walk{late: true}), "supersteps", "supersteps", 1},
		{"hops", "answers whenever a message comes", hops(walk{again: true}), "ends", "still goes on", 1},
		{"hops", "says it twice", hops(walk{twice: true}), "messages", "messages", 1},
		{"hops", "counts from 1", hops(walk{from: 1}), "answer", "has hops 1", 0},
		{"hops", "hears one hop too late", hops(walk{more: 1}), "answer", "vertex 1 has hops 2", 1},
		{"hops", "calls who is not reached 0", hops(walk{isolated: true}), "answer", "has hops 0", 0},
		{"hops", "panics where nobody is near", hops(walk{panics: true}), "ends", "index out of range", 0},
		{"hops", "never has an answer", func() pregel.Algorithm { return &silent{} }, "ends", "no answer", 0},
		{"hops", "depends on the number of workers", hops(walk{workers: true}), "same", "vertex", 0},
		{"halfway", "right", half(watch{}), "", "", 0},
		{"halfway", "goes on to the end", half(watch{never: true}), "answer", "has hops", 3},
		{"halfway", "ends a superstep late", half(watch{late: true}), "answer", "has hops", 3},
		{"halfway", "wants more than half", half(watch{more: true}), "answer", "has hops", 3},
		{"halfway", "counts those of one superstep", half(watch{forgets: true}), "answer", "has hops", 8},
		{"friends", "right", friends(mean{}), "", "", 0},
		{"friends", "means of means", friends(mean{means: true}), "laws", "⊕", 0},
		{"friends", "forgets who has no friends", friends(mean{zero: true}), "answer", "has mean 0", 0},
		{"friends", "goes on", friends(mean{again: true}), "ends", "still goes on", 1},
		{"friends", "takes a superstep more", friends(mean{twice: true}), "supersteps", "2 supersteps", 1},
		{"friends", "sends fat messages", friends(mean{fat: true}), "size", "24 bytes", 0},
		{"friends", "adds up in 8 bits", friends(mean{bits: 8}), "answer", "vertex", 40},
		{"friends", "adds up in 16 bits", friends(mean{bits: 16}), "answer", "vertex 1 has mean", 40},
		{"famous", "right", famous(fame{}), "", "", 0},
		{"famous", "the first one wins", famous(fame{first: true}), "laws", "⊕", 0},
		{"famous", "an identity that wins", famous(fame{zero: true}), "laws", "⊕", 0},
		{"famous", "the greatest id wins", famous(fame{greatest: true}), "answer", "has famous", 3},
		{"famous", "always awake", famous(fame{awake: true}), "ends", "still goes on", 1},
		{"famous", "is not told twice", famous(fame{once: true}), "answer", "has famous", 5},
		{"within", "right", within(reach{}), "", "", 0},
		{"within", "minds no limit", within(reach{far: true}), "answer", "has hops 2", 2},
		{"within", "asks the last ones on", within(reach{last: true}), "supersteps", "2 supersteps", 2},
		{"within", "all who hear are awake", within(reach{heard: true}), "supersteps", "supersteps", 3},
		{"within", "wakes others", within(reach{wakes: true}), "frontier", "awake in superstep", 3},
		{"within", "has not settled", within(reach{open: true}), "reads", "to read", 1},
		{"parents", "right", parents(tree{source: true, settles: true}), "", "", 0},
		{"parents", "reads to the end", parents(tree{settles: true}), "reads", "to read", 3},
		{"parents", "has not settled", parents(tree{source: true}), "reads", "to read", 2},
		{"parents", "the last one wins", parents(tree{source: true, settles: true, last: true}), "answer", "has parent", 5},
		{"lanes", "right", lanes(func(d uint32) uint32 { return 1 << min(5, log(d)) }), "", "", 0},
		{"lanes", "one for each", lanes(func(uint32) uint32 { return 1 }), "longest", "2 steps", 2},
		{"lanes", "all for each", lanes(func(uint32) uint32 { return 32 }), "busy", "32 lanes each", 3},
		{"lanes", "too few by half", lanes(func(d uint32) uint32 { return 1 << min(5, max(log(d), 1)-1) }), "longest", "2 steps", 2},
		{"lanes", "three", lanes(func(uint32) uint32 { return 3 }), "allowed", "3 lanes", 1},
	} {
		t.Run(c.exercise+", "+c.what, func(t *testing.T) {
			t.Parallel()
			r := graded(t, c.exercise, c.program)
			criterion, miss := missed(r)
			if criterion != c.misses || !strings.Contains(miss.Found, c.says) {
				t.Fatalf("it misses %q: %+v, want %q with %q", criterion, miss, c.misses, c.says)
			}
			if (criterion == "") != (r.Points == r.Of) || r.Of == 0 {
				t.Errorf("%d of %d points", r.Points, r.Of)
			}
			if criterion == "" || criterion == "laws" {
				return
			}
			if miss.On == "" || miss.Wanted == "" || miss.Hint == "" || miss.Look == "" {
				t.Errorf("something is not said: %+v", miss)
			}
			if n := strings.Count(miss.On, "-") + strings.Count(miss.On, "→"); n > c.arcs {
				t.Errorf("%d arcs, want %d at most: %s", n, c.arcs, miss.On)
			}
		})
	}
}

// A seed finds the same again.
func TestSeed(t *testing.T) {
	t.Parallel()
	o := grade.Options{Programs: []programs.Entry{{Name: "hops", New: hops(walk{more: 1})}}, Names: []string{"hops"}, Seed: 7, Open: noDevice}
	var texts [2]strings.Builder
	for i := range texts {
		r, err := grade.Run(t.Context(), o)
		if err == nil {
			err = r.WriteText(&texts[i])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if texts[0].String() != texts[1].String() || !strings.Contains(texts[0].String(), "0 of 10 points") {
		t.Errorf("%s\n%s", &texts[0], &texts[1])
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := grade.Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A superstep that does not end is told of.
func TestStuck(t *testing.T) {
	t.Parallel()
	// Where others have the machine, time is over before superstep 0: the next try has
	// more.
	for limit := 50 * time.Millisecond; ; limit *= 4 {
		told, err := stuckFor(t, limit)
		if err == nil && strings.Contains(told, "superstep 0, vertex 0: still under way") {
			return
		}
		if t.Logf("%v: %v; told %q", limit, err, told); limit > 10*time.Second {
			t.Fatal("it is not told so")
		}
	}
}

// stuckFor grades a program that is stuck, and returns what was told of it.
func stuckFor(t *testing.T, limit time.Duration) (told string, err error) {
	released := make(chan struct{})
	var mu sync.Mutex
	stuck := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if told == "" {
			told = err.Error()
			close(released)
		}
	}
	_, err = grade.Run(t.Context(), grade.Options{Programs: []programs.Entry{{Name: "hops", New: hops(walk{wait: released})}}, Names: []string{"hops"},
		Graphs: 1, Time: limit, Stuck: stuck, Open: noDevice})
	mu.Lock()
	defer mu.Unlock()
	return told, err
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"hop", "5-end", ""} {
		if _, err := grade.Run(t.Context(), grade.Options{Names: []string{name}}); err == nil || !strings.Contains(err.Error(), "allowed: 1-supersteps, hops, halfway, 2-combiners") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := grade.Run(t.Context(), grade.Options{Names: []string{"docs/1-supersteps/"}}); err == nil || !strings.Contains(err.Error(), "no program hops") {
		t.Errorf("a folder: %v", err)
	}
	if grade.Missing(nil) != "hops" || grade.Missing(programs.All()) != "hops" {
		t.Error("the course's programs are said to be there")
	}
}

// folder is a course with a file of answers.
func folder(t *testing.T, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "4-gpu"), 0o755), os.WriteFile(filepath.Join(dir, "4-gpu", name), []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestWarp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, err, found string }{
		{"", "found no mapping, allowed: the keys seed, thread_sectors", ""},
		{"[1]", "found no mapping", ""},
		{"seed: 1\n: :", "answers.yaml: yaml:", ""},
		{"thread_sectors: 3", "found no seed", ""},
		{"seed: x", "answers.yaml:1: seed: found \"x\", allowed: a whole number", ""},
		{"seed: \"1\"", "seed: found \"1\"", ""},
		{"seed: 1\nidel: 3", "answers.yaml:2: found the key \"idel\", allowed: seed, thread_sectors", ""},
		{"seed: 1\nidle: 3\nidle: 4", "answers.yaml:3: found idle twice", ""},
		{"seed: 1\nidle: -3", "answers.yaml:2: idle: found \"-3\", allowed", ""},
		{"seed: 1\nidle: 3.5", "answers.yaml:2: idle: found \"3.5\", allowed", ""},
		{"seed: 1\nidle: many", "answers.yaml:2: idle: found \"many\", allowed", ""},
		{"seed: 1", "", "no answer"},
		{"seed: 1\nthread_sectors: 12", "", "12, which is too many"},
		{"seed: 1\nthread_sectors: 10", "", "10, which is too few"},
		{"seed: 1\nthread_sectors: 11\nwarp_sectors: 5\ncontention: 9\nidle: 856", "", ""}, // counted by hand
	} {
		r, err := grade.Run(t.Context(), grade.Options{Names: []string{"warp"}, Folder: folder(t, "answers.yaml", c.text)})
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %v, want %s", c.text, err, c.err)
		}
		if err != nil {
			continue
		}
		if _, miss := missed(r.Exercises[0]); miss.Found != c.found || c.found != "" && !strings.Contains(miss.On, "lane  offset  targets") {
			t.Errorf("%q: %+v, want %q", c.text, miss, c.found)
		}
	}
	if _, err := grade.Run(t.Context(), grade.Options{Names: []string{"warp"}, Folder: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "--folder") {
		t.Errorf("without a file: %v", err)
	}
}

// Without a GPU no more is graded than can be seen.
func TestKernelLeftOut(t *testing.T) {
	t.Parallel()
	run := func(dir string) grade.Result {
		r, err := grade.Run(t.Context(), grade.Options{Names: []string{"reach"}, Folder: dir, Open: noDevice})
		if err != nil {
			t.Fatal(err)
		}
		return r.Exercises[0]
	}
	if r := run("../../../docs"); r.Of != 0 || r.LeftOut != errNoDevice.Error() || len(r.Criteria) != 1 {
		t.Errorf("%+v", r)
	}
	r := run(folder(t, "reach.yaml", "program: {kernel: reach.cu, value: uint32, message: uint32, combine: least}\n"))
	if c, miss := missed(r); c != "job" || !strings.Contains(miss.Found, "reach.yaml:1") || r.Of != 10 || r.Points != 0 {
		t.Errorf("%+v", r)
	}
}

// log is the least power of two that is no less, as its exponent.
func log(d uint32) uint32 { return uint32(math.Ceil(math.Log2(float64(d)))) }
