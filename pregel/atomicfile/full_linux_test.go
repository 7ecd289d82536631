package atomicfile_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gopregel/pregel/atomicfile"
)

const childEnv = "ATOMICFILE_TEST_TMPFS"

// TestFullAndReadOnly runs again in a mount namespace of its own, where it may
// mount a small tmpfs without anybody else seeing it.
func TestFullAndReadOnly(t *testing.T) {
	if dir := os.Getenv(childEnv); dir != "" {
		inNamespace(t, dir)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestFullAndReadOnly$", "-test.v")
	cmd.Env = append(os.Environ(), childEnv+"="+t.TempDir())
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

func inNamespace(t *testing.T, dir string) {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("cannot mount a tmpfs here: %v", err)
	}
	path := filepath.Join(dir, "out")
	if err := atomicfile.Write(path, text("small")); err != nil {
		t.Fatal(err)
	}
	err := atomicfile.Write(path, text(strings.Repeat("x", 1<<20)))
	if !errors.Is(err, syscall.ENOSPC) || err.Error() != "write "+path+": no space left on device" {
		t.Errorf("full disk: error %v", err)
	}
	wantContent(t, path, "small")
	wantOnly(t, dir, "out")
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("cannot remount read-only here: %v", err)
	}
	for _, name := range []string{"out", "new"} {
		path := filepath.Join(dir, name)
		err := atomicfile.Write(path, text("x"))
		if !errors.Is(err, syscall.EROFS) || err.Error() != "write "+path+": read-only file system" {
			t.Errorf("read-only file system: error %v", err)
		}
	}
	wantContent(t, path, "small")
	wantOnly(t, dir, "out")
}
