package command

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"gopregel/pregel/pregeltest/race"
)

// terminal opens a pseudo-terminal: what is written to the second file can be
// read from the first.
func terminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	if err := unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 100}); err != nil {
		t.Fatal(err)
	}
	return master, slave
}

// A screen collects what a program draws.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) read(r io.Reader) {
	part := make([]byte, 4096)
	for {
		n, err := r.Read(part)
		s.mu.Lock()
		s.text.Write(part[:n])
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (s *screen) shows(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Contains(s.text.String(), text)
}

// On a terminal the supersteps are shown: vertices awake, metric. Standard
// output stays clean.
func TestProgress(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustWrite(filepath.Join(dir, "job.yaml"), []byte(endless))
	master, slave := terminal(t)
	c := exec.Command("pregel", "run", "job.yaml", "--json")
	var stdout bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = dir, &stdout, slave
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	t.Cleanup(func() { _ = c.Process.Kill() })
	s := new(screen)
	go s.read(master)
	waitFor(t, func() bool { return s.shows("wander: superstep") && s.shows("2 500 awake") && s.shows("steps to go -") })
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if got := exitCode(t, c); got != exitInterrupted {
		t.Errorf("exit code %d", got)
	}
	if text := stdout.String(); !strings.HasPrefix(text, "{\n") || strings.Contains(text, "\x1b") {
		t.Errorf("standard output %q", text)
	}
}

const namespaceEnv = "PREGEL_TEST_TMPFS"

// TestFullDisk runs again in a mount namespace of its own, where it may mount a
// small tmpfs without anybody else seeing it.
func TestFullDisk(t *testing.T) {
	if dir := os.Getenv(namespaceEnv); dir != "" {
		onSmallDisk(t, dir)
		return
	}
	t.Parallel()
	c := exec.Command(os.Args[0], "-test.run=^TestFullDisk$", "-test.v")
	c.Env = append(os.Environ(), namespaceEnv+"="+t.TempDir())
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := c.CombinedOutput()
	switch {
	case err != nil && !strings.Contains(string(out), "=== RUN"):
		t.Skipf("no mount namespace here: %v", err)
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	case strings.Contains(string(out), "--- SKIP"):
		t.Skipf("%s", out)
	}
}

func onSmallDisk(t *testing.T, dir string) {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("cannot mount a tmpfs here: %v", err)
	}
	out := filepath.Join(dir, "out.csv")
	mustWrite(out, []byte("old\n"))
	mustWrite(filepath.Join(dir, "job.yaml"), []byte("program: degrees\ngraph: {generate: {kind: path, n: 100000}}\n"))
	check := func(code int, want string, args ...string) {
		t.Helper()
		c := exec.Command("pregel", args...)
		c.Dir = dir
		text, _ := c.CombinedOutput()
		if got := c.ProcessState.ExitCode(); got != code || !strings.Contains(string(text), want) {
			t.Errorf("%v: exit code %d, want %d\n%s\nwant %s", args, got, code, text, want)
		}
		if got := folder(t, dir); got != "job.yaml out.csv" || string(mustRead(out)) != "old\n" {
			t.Errorf("%v: the folder has %s", args, got)
		}
	}
	// A full disk is nobody's fault: exit code 1. A folder that refuses is the
	// job's: 2, before anything is computed.
	check(exitError, "pregel: write out.csv: no space left on device", "run", "job.yaml", "-q", "-o", "out.csv")
	rows := 3_000_000 // several row groups
	if race.On {
		rows = 500_000
	}
	check(exitError, "write new.parquet: no space left on device", "run", "job.yaml", "-q", "-o", "new.parquet", "--set", fmt.Sprintf("graph.generate.n=%d", rows))
	check(exitError, "pregel: write g.pgr: no space left on device", "gen", "path", "--n", "100000", "-o", "g.pgr")
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("cannot remount read-only here: %v", err)
	}
	for _, name := range []string{"out.csv", "new.csv"} {
		check(exitInput, "pregel: --output "+name+": output.path: write "+name+": read-only file system", "run", "job.yaml", "-o", name)
	}
	check(exitInput, "pregel: write g.pgr: read-only file system", "gen", "path", "--n", "10", "-o", "g.pgr")
}
