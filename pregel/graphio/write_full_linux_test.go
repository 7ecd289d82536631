package graphio_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphio"
	"gopregel/pregel/graphio/internal/samples"
)

const fullDiskEnv = "GRAPHIO_TEST_TMPFS"

// TestWriteFullDisk runs again in a mount namespace of its own, where it may
// mount a small tmpfs without anybody else seeing it.
func TestWriteFullDisk(t *testing.T) {
	if dir := os.Getenv(fullDiskEnv); dir != "" {
		writeToFullDisk(t, dir)
		return
	}
	t.Parallel()
	cmd := exec.Command(os.Args[0], "-test.run=^TestWriteFullDisk$", "-test.v")
	cmd.Env = append(os.Environ(), fullDiskEnv+"="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	switch {
	case err != nil && !strings.Contains(string(out), "=== RUN"):
		t.Skipf("no mount namespace here: %v", err)
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	case strings.Contains(string(out), "--- SKIP"):
		t.Skipf("%s", out)
	}
}

func writeToFullDisk(t *testing.T, dir string) {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("cannot mount a tmpfs here: %v", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	g := samples.Random(randomSource(t), samples.Kind{IDs: "one", Weights: graph.Int32}, 5000, 200000)
	for _, c := range formCases() {
		o := graphio.WriteOptions{Format: c.format, AllowLoss: true}
		path := filepath.Join(dir, c.name)
		if _, err := graphio.Losses(path, g, o); err != nil {
			continue
		}
		err := graphio.Write(t.Context(), path, g, o)
		if !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), "write "+filepath.Join(dir, "g.")) || strings.Contains(err.Error(), ".tmp") {
			t.Errorf("%s: error %v", c.name, err)
		}
		if files := left(t, dir); len(files) > 0 {
			t.Errorf("%s: left behind: %q", c.name, files)
		}
	}
}
