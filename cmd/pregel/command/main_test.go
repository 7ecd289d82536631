package command

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"gopregel/pregel/pregeltest/race"
	"gopregel/programs"
	"gopregel/runtime/cuda/driver"
)

// In the scripts the command `pregel` has the programs of fake_test.go; `built`
// has the built-in ones.
func TestMain(m *testing.M) {
	commands := helpers()
	commands["pregel"] = func() { os.Exit(Main(os.Args[1:], fakes())) }
	commands["built"] = func() { os.Exit(Main(os.Args[1:], programs.All())) }
	if os.Getenv("GORACE") == "" { // a binary with the race detector sleeps a second at its end
		os.Setenv("GORACE", noSleep)
	}
	testscript.Main(m, commands)
}

const noSleep = "atexit_sleep_ms=0"

// Beside what testscript has, scripts have the command
//
//	code N pregel …      runs pregel; it must end with exit code N
//	left DIR FILE…       the folder has these files and no others
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"code": code, "left": left,
		},
		Setup: func(e *testscript.Env) error {
			for _, name := range []string{"GORACE", "LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH"} {
				if value, ok := os.LookupEnv(name); ok {
					e.Setenv(name, value)
				}
			}
			e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, ".cache"))
			return nil
		},
		Condition:     condition,
		UpdateScripts: os.Getenv("UPDATE") != "",
	})
}

// condition knows what this binary can use: [cuda] is built in, [gpu] is there; and
// whether it has the race detector, [race].
func condition(name string) (bool, error) {
	list, err := driver.Devices()
	switch name {
	case "cuda":
		return !errors.Is(err, driver.ErrNotBuilt), nil
	case "race":
		return race.On, nil
	case "gpu":
		return err == nil && len(list) > 0, nil
	}
	return false, fmt.Errorf("unknown condition %s", name)
}

func code(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	if err != nil || neg || len(args) < 2 {
		ts.Fatalf("usage: code N command args…")
	}
	got := 0
	var failed *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &failed) {
		got = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func left(ts *testscript.TestScript, neg bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got, want := strings.Join(names, " "), strings.Join(args[1:], " "); got != want {
		ts.Fatalf("%s has %q, want %q", filepath.Base(args[0]), got, want)
	}
}
