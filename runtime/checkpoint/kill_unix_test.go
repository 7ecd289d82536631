//go:build unix

package checkpoint_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/checkpoint"
)

// The environment of a child: the folder of its checkpoints, and the stage of
// writing, by number, at which it kills itself; 0: somebody else does; and what it runs.
const (
	childDir     = "CHECKPOINT_TEST_DIR"
	childStage   = "CHECKPOINT_TEST_STAGE"
	childProgram = "CHECKPOINT_TEST_PROGRAM"
)

const (
	killVertices   = 9000 // of values that one buffer of the writer does not hold
	killIterations = 30
	everyStage     = 40 // those of three checkpoints, and some
)

// killed are the programs of children, and the stages of their checkpoints beside those
// of all.
var killed = map[string]struct {
	a      pregel.Algorithm
	stages []string
}{
	"ranks":  {ranks(killIterations), []string{"aggregator 0"}},
	"gossip": {&gossip{rounds: killIterations}, []string{"to", "messages", "aggregator 0", "variable 0", "variable 1"}},
}

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		child(dir)
	}
	os.Exit(m.Run())
}

// child goes on with the job of a folder until it is killed or done.
func child(dir string) {
	last, _ := strconv.Atoi(os.Getenv(childStage))
	s, err := checkpoint.Open(options(dir), true)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println("begun")
	stages := 0
	s.OnStage(func(stage string) {
		if stages++; stages == last {
			fmt.Println("killed", stage)
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // until the signal is there
		}
	})
	sum, _, err := run(context.Background(), killed[os.Getenv(childProgram)].a, aGraph(killVertices), s, 0)
	if err == nil {
		err = s.Remove()
	}
	fmt.Println("answer", sum, err)
	os.Exit(0)
}

// A life is what became of a child.
type life struct {
	killed bool
	stage  string // at which it killed itself
	answer string
}

// live runs a child, and kills it after a while if it does not do so itself.
func live(t *testing.T, program, dir string, stage int, after time.Duration) life {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childDir+"="+dir, childStage+"="+strconv.Itoa(stage), childProgram+"="+program)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var l life
	for lines := bufio.NewScanner(out); lines.Scan(); {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case "begun":
			if stage == 0 {
				time.AfterFunc(after, func() { _ = c.Process.Kill() })
			}
		case "killed":
			l.stage = rest
		case "answer":
			l.answer = rest
		case "error":
			t.Errorf("a child could not begin: %s", rest)
		}
	}
	_ = c.Wait()
	status := c.ProcessState.Sys().(syscall.WaitStatus)
	l.killed = status.Signaled() && status.Signal() == syscall.SIGKILL
	return l
}

// Processes are killed at every stage of writing a checkpoint and at random
// moments; each goes on from what the one before has left. All that can be seen in the
// folder is whole, and the answer is that of a job that nobody has killed.
func TestKilled(t *testing.T) {
	for program := range killed {
		t.Run(program, func(t *testing.T) { testKilled(t, program) })
	}
}

func testKilled(t *testing.T, program string) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	sum, _, err := run(t.Context(), killed[program].a, aGraph(killVertices), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := sum + " <nil>"
	kills, next, stages := 0, 0, map[string]int{}
	most := 200
	if testing.Short() || race.On {
		most = 12
	}
	for kills < most {
		dir := filepath.Join(t.TempDir(), "state")
		for {
			stage := 0
			if r.IntN(4) > 0 {
				stage = 1 + next%everyStage
			}
			l := live(t, program, dir, stage, time.Duration(r.IntN(20_000))*time.Microsecond)
			whole(t, dir)
			if t.Failed() {
				return
			}
			if !l.killed {
				if l.answer != want {
					t.Fatalf("after %d kills the answer is %q, want %q", kills, l.answer, want)
				}
				break
			}
			kills++
			stages[l.stage]++
			if stage > 0 {
				next += 7 // no divisor of everyStage
			}
		}
	}
	t.Logf("%d kills: %v", kills, stages)
	for _, stage := range append([]string{"created", "header", "values", "awake", "synced", "renamed", "pruned", ""}, killed[program].stages...) {
		if stages[stage] == 0 && most >= 200 {
			t.Errorf("nobody was killed at the stage %q", stage)
		}
	}
}

// whole checks what can be seen in a folder after a kill.
func whole(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	seen, temporary := 0, 0
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".tmp") {
			temporary++
			continue
		}
		seen++
		if err := checkpoint.Whole(filepath.Join(dir, e.Name())); err != nil {
			t.Errorf("after a kill: %v", err)
		}
	}
	if seen > 3 || temporary > 1 {
		t.Errorf("after a kill there are %d checkpoints and %d temporary files: %v", seen, temporary, entries)
	}
}
