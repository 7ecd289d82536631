package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopregel/cmd/pregel/command"
	"gopregel/cmd/pregel/grade"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs"
)

// asCommand makes the test binary a command: the course's as it is delivered, or the
// pregel that has the built-in programs alone.
const asCommand = "DOCS_TEST_COMMAND"

func TestMain(m *testing.M) {
	switch os.Getenv(asCommand) {
	case "course":
		os.Exit(command.Main(os.Args[1:], entries()))
	case "plain":
		os.Exit(command.Main(os.Args[1:], programs.All()))
	}
	os.Exit(m.Run())
}

// self is the test binary.
func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// course is a call of the course's command, with the test binary or another.
func course(t *testing.T, binary string, args ...string) *exec.Cmd {
	c := exec.CommandContext(t.Context(), binary, args...)
	c.Env = append(os.Environ(), asCommand+"=course")
	return c
}

var lessons = []string{"1-supersteps", "2-combiners", "3-frontiers", "4-gpu"}

// TestCourse goes through the course as a reader does: the lessons' commands, with the
// programs as they are delivered up to the place where a lesson takes them as completed,
// and with the solutions from there on.
func TestCourse(t *testing.T) {
	t.Parallel()
	if testing.Short() || race.On {
		t.Skip("it builds commands, which have no races")
	}
	dir := t.TempDir()
	overlay, solved := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "solved")
	writeOverlay(t, overlay)
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-overlay", overlay, "-o", solved, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	t.Run("delivered", func(t *testing.T) { t.Parallel(); delivered(t) })
	t.Run("completed", func(t *testing.T) { t.Parallel(); completed(t, solved) })
	t.Run("elsewhere", func(t *testing.T) { t.Parallel(); elsewhere(t) })
	t.Run("outside", func(t *testing.T) { t.Parallel(); outside(t) })
	for _, lesson := range append([]string{"."}, lessons...) {
		t.Run("text of "+lesson, func(t *testing.T) { t.Parallel(); commands(t, solved, lesson) })
	}
}

// writeOverlay puts the solutions in the place of what is delivered.
func writeOverlay(t *testing.T, path string) {
	t.Helper()
	replace := map[string]string{}
	for _, solution := range solutions(t) {
		if filepath.Ext(solution) == ".go" {
			from, err := filepath.Abs(solution)
			if err != nil {
				t.Fatal(err)
			}
			replace[place(from)] = from
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		err = os.WriteFile(path, text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func solutions(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("*/testdata/solution/*")
	if err != nil || len(list) != 9 {
		t.Fatalf("%d solutions: %v", len(list), err)
	}
	return list
}

// place is where a solution belongs.
func place(solution string) string {
	return strings.Replace(solution, filepath.Join("testdata", "solution")+string(filepath.Separator), "", 1)
}

// clone copies what the course needs of a clone.
func clone(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"docs", "programs"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join("..", name))); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// complete puts the solutions of lessons into a copy.
func complete(t *testing.T, dir, lesson string) {
	t.Helper()
	for _, solution := range solutions(t) {
		if lesson != "" && !strings.HasPrefix(solution, lesson) {
			continue
		}
		text, err := os.ReadFile(solution)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "docs", place(solution)), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// report is what grade says, and its exit status.
func report(t *testing.T, binary, dir string, more ...string) (r grade.Report, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	c := course(t, binary, append([]string{"grade", "--json"}, more...)...)
	c.Dir, c.Stdout, c.Stderr = dir, &out, &errs
	_ = c.Run()
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	t.Logf("seed %d", r.Seed)
	return r, c.ProcessState.ExitCode()
}

// delivered: each exercise compiles, and misses what its text says. Which criterion is
// the first to be missed may hang on what is drawn, so the seed is a given one.
func delivered(t *testing.T) {
	r, status := report(t, self(t), "..", "--seed", "7")
	misses := map[string]string{"hops": "ends", "halfway": "ends", "friends": "laws", "famous": "laws", "within": "ends", "parents": "reads",
		"warp": "thread_sectors", "lanes": "longest"}
	if status != 4 || r.Points != 0 {
		t.Errorf("status %d, %d points, want 4 and none", status, r.Points)
	}
	for _, e := range r.Exercises {
		if e.Exercise == "reach" {
			continue
		}
		i := slices.IndexFunc(e.Criteria, func(v grade.Verdict) bool { return v.Status == grade.Failed })
		if i < 0 || e.Criteria[i].Criterion != misses[e.Exercise] || e.Criteria[i].Miss.Hint == "" || e.Criteria[i].Miss.Wanted == "" {
			t.Errorf("%s misses %+v, want %s with a hint", e.Exercise, e.Criteria, misses[e.Exercise])
		}
	}
}

// elsewhere: a pregel without the course's programs builds their command.
func elsewhere(t *testing.T) {
	var out, errs bytes.Buffer
	c := exec.CommandContext(t.Context(), self(t), "grade", "docs/1-supersteps", "--seed", "7")
	c.Dir, c.Env, c.Stdout, c.Stderr = "..", append(os.Environ(), asCommand+"=plain"), &out, &errs
	_ = c.Run()
	if c.ProcessState.ExitCode() != 4 || !strings.HasPrefix(out.String(), "seed 7\n\n1-supersteps, hops: 0 of 10 points\n") ||
		!strings.HasSuffix(out.String(), "\n0 of 20 points\n") || errs.String() != "docs: 0 of 20 points; --seed 7 repeats this\n" {
		t.Errorf("status %d\n%s\n%s", c.ProcessState.ExitCode(), &out, &errs)
	}
}

// outside: what a reader in another folder is told to type can be typed there, by one
// with pregel, which a test of docs is called like, and by one with the course's command.
func outside(t *testing.T) {
	for _, as := range []string{"plain", "course"} {
		dir := filepath.Join(t.TempDir(), "another folder")
		if err := errors.Join(os.Mkdir(dir, 0o755), os.Symlink(self(t), filepath.Join(dir, "docs"))); err != nil {
			t.Fatal(err)
		}
		run := func(name string, args ...string) string {
			c := exec.CommandContext(t.Context(), name, args...)
			c.Dir, c.Env = dir, append(os.Environ(), asCommand+"="+as, "PATH="+dir+":"+os.Getenv("PATH"))
			out, _ := c.CombinedOutput()
			return string(out)
		}
		graded := run(self(t), "grade", "hops", "--seed", "7")
		_, look, _ := strings.Cut(graded, "\n    look    ")
		look, _, ok := strings.Cut(look, "\n")
		if said := run("bash", "-c", look); !ok || !strings.Contains(said, "hops on hops.pgr: 1 vertex") || !strings.Contains(said, "awake next: 0") {
			t.Errorf("%s: %s\n%s\n%s", as, graded, look, said)
		}
		if _, err := os.Stat(filepath.Join(dir, "found", "hops.yaml")); err != nil {
			t.Errorf("%s: %v", as, err)
		}
	}
}

// completed: the solutions have all points.
func completed(t *testing.T, binary string) {
	dir := clone(t)
	complete(t, dir, "")
	r, status := report(t, binary, dir)
	if status != 0 || r.Points != r.Of || r.Of < 80 || len(r.Exercises) != 9 {
		t.Errorf("status %d: %+v", status, r)
	}
}

// shell runs a block with the command in the place of `go run ./docs`, which says the
// exit status of what it runs and ends with 1 itself. What else fails is noted.
const shell = `set -E
trap 'case $BASH_COMMAND in "go run"*|return*|"$COURSE"*) ;; *) echo "failed: $BASH_COMMAND" ;; esac' ERR
go() {
	if [ "$1 $2" != "run ./docs" ]; then echo "failed: go $*"; return 1; fi
	shift 2
	local status=0
	"$COURSE" "$@" || status=$?
	if [ $status != 0 ]; then echo "exit status $status"; return 1; fi
}
`

var (
	fence  = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$|^<!-- completed -->$")
	status = regexp.MustCompile(`exit status (\d+)`)
)

// commands runs the blocks of commands of a text, in order, and holds what they print
// to the block that follows without a language: its lines come in that order, as the
// beginning of lines.
func commands(t *testing.T, solved, lesson string) {
	text, err := os.ReadFile(filepath.Join(lesson, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir, binary, said, ran := clone(t), self(t), "", 0
	for _, block := range fence.FindAllStringSubmatch(string(text), -1) {
		switch {
		case block[1] == "sh":
			c := course(t, "bash", "-c", shell+block[2])
			c.Dir, c.Env = dir, append(c.Env, "COURSE="+binary)
			out, err := c.CombinedOutput()
			said = string(out)
			ran++
			if c.ProcessState == nil {
				t.Fatal(err)
			}
			if got, want := status.FindAllString(said, -1), status.FindAllString(block[2], -1); !slices.Equal(got, want) || strings.Contains(said, "failed: ") {
				t.Fatalf("%s\nended with %q, want %q\n%s", block[2], got, want, said)
			}
		case strings.HasPrefix(block[0], "<!--"):
			complete(t, dir, lesson)
			binary, said = solved, ""
		case said != "":
			if missing := absent(said, block[2]); missing != "" {
				t.Errorf("the text has\n%s\nwhich is not in\n%s", missing, said)
			}
			said = ""
		}
	}
	if ran < 2 {
		t.Errorf("%d blocks of commands", ran)
	}
}

// absent is the first line of want that does not begin a line of text, behind those
// before it. Blanks count as one.
func absent(text, want string) string {
	lines := strings.Split(text, "\n")
	for w := range strings.Lines(want) {
		w = strings.Join(strings.Fields(w), " ")
		i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(strings.Join(strings.Fields(l), " "), w) })
		if i < 0 {
			return w
		}
		lines = lines[i+1:]
	}
	return ""
}

// TestLinks holds the links of the texts to files that are there.
func TestLinks(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, lesson := range append([]string{"."}, lessons...) {
		text, err := os.ReadFile(filepath.Join(lesson, "README.md"))
		if err != nil {
			t.Fatal(err)
		}
		found := link.FindAllStringSubmatch(string(text), -1)
		for _, l := range found {
			if _, err := os.Stat(filepath.Join(lesson, l[1])); err != nil {
				t.Errorf("%s: %v", lesson, err)
			}
		}
		if len(found) < 3 {
			t.Errorf("%s: %d links", lesson, len(found))
		}
	}
}

// The exercises are named in the files that they are done in.
func TestExercisesAreMarked(t *testing.T) {
	t.Parallel()
	for _, solution := range solutions(t) {
		text, err := os.ReadFile(place(solution))
		name := strings.TrimSuffix(filepath.Base(solution), filepath.Ext(solution))
		if name == "answers" {
			name = "warp"
		}
		if err != nil || !strings.Contains(string(text), fmt.Sprintf("EXERCISE %s:", name)) {
			t.Errorf("%s: found no mark EXERCISE %s: %v", place(solution), name, err)
		}
	}
}
