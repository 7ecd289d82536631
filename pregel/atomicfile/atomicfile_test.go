//go:build unix

package atomicfile_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gopregel/pregel/atomicfile"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// wantOnly fails unless the folder holds just the named files.
func wantOnly(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("%s holds %q, want %q", dir, got, names)
	}
}

func wantContent(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s holds %q (%v), want %q", path, got, err, want)
	}
}

func TestWriteAndReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.txt")
	for _, s := range []string{"one", "two, longer", "", strings.Repeat("x", 1<<20)} {
		if err := atomicfile.Write(path, text(s)); err != nil {
			t.Fatal(err)
		}
		wantContent(t, path, s)
	}
	wantOnly(t, dir, "out.txt")
}

func TestFailureKeepsOldContent(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.txt")
	if err := atomicfile.Write(path, text("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := atomicfile.Write(path, func(w io.Writer) error {
		if err := text("new")(w); err != nil {
			return err
		}
		return broken
	})
	if !errors.Is(err, broken) || err.Error() != "write "+path+": broken" {
		t.Errorf("error %v", err)
	}
	wantContent(t, path, "old")
	wantOnly(t, dir, "out.txt")
}

func TestPanicLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic of f was swallowed")
			}
		}()
		_ = atomicfile.Write(filepath.Join(dir, "out"), func(io.Writer) error { panic("f") })
	}()
	wantOnly(t, dir)
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, want string }{
		{"folder", "is a directory"},
		{"file/below", "not a directory"},
		{"missing/out", "no such file or directory"},
		{strings.Repeat("n", 300), "file name too long"},
		{"loop", "too many levels of symbolic links"},
	} {
		path := filepath.Join(dir, c.path)
		called := false
		err := atomicfile.Write(path, func(io.Writer) error { called = true; return nil })
		if err == nil || err.Error() != "write "+path+": "+c.want {
			t.Errorf("%s: error %v, want %s", c.path, err, c.want)
		}
		if called {
			t.Errorf("%s: f was called", c.path)
		}
	}
	wantOnly(t, dir, "file", "folder", "loop")
}

// A folder put in the file's place while it is being written makes the rename
// fail.
func TestRenameFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	err := atomicfile.Write(path, func(w io.Writer) error { return os.Mkdir(path, 0o755) })
	if err == nil || !strings.HasPrefix(err.Error(), "write "+path+": ") || strings.Contains(err.Error(), ".tmp") {
		t.Errorf("error %v", err)
	}
	wantOnly(t, dir, "out")
	wantOnly(t, path)
}

func TestMode(t *testing.T) {
	dir := t.TempDir()
	fresh, secret := filepath.Join(dir, "fresh"), filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	old := syscall.Umask(0o027)
	err := errors.Join(atomicfile.Write(fresh, text("a")), atomicfile.Write(secret, text("b")))
	syscall.Umask(old)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]fs.FileMode{fresh: 0o640, secret: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: mode %v (%v), want %v", path, info.Mode(), err, want)
		}
	}
}

func TestSymbolicLinks(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"real", "real/deep", "links"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	links := map[string]string{"links/there": "../real/old", "links/dangling": "../real/new", "links/deep": "../real/deep", "real/deep/up": "../up", "chain": "links/there"}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "real/old"), []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ link, target string }{
		{"links/there", "real/old"}, {"links/dangling", "real/new"}, {"chain", "real/old"},
		{"links/deep/up", "real/up"}, // ".." starts from the real folder, not from the link to it
	} {
		path := filepath.Join(dir, c.link)
		if err := atomicfile.Write(path, text(c.link)); err != nil {
			t.Fatal(err)
		}
		wantContent(t, filepath.Join(dir, c.target), c.link)
		if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is a link no more", c.link)
		}
	}
	wantOnly(t, filepath.Join(dir, "real"), "deep", "new", "old", "up")
}

// A pipe or device is written to; a rename would put a file in its place.
func TestDevice(t *testing.T) {
	if err := atomicfile.Write(os.DevNull, text("gone")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode()&fs.ModeDevice == 0 {
		t.Fatalf("%s is a device no more: %v %v", os.DevNull, info.Mode(), err)
	}
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	got := make(chan string)
	go func() {
		b, err := os.ReadFile(path)
		got <- string(b)
		if err != nil {
			t.Error(err)
		}
	}()
	if err := atomicfile.Write(path, text("through")); err != nil {
		t.Fatal(err)
	}
	if s := <-got; s != "through" {
		t.Errorf("the pipe gave %q", s)
	}
}

func TestUnwritable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere; TestFullAndReadOnly covers a folder that refuses")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	if err := os.WriteFile(path, []byte("old"), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(path, text("new")); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("read-only file: error %v", err)
	}
	wantContent(t, path, "old")
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	if err := atomicfile.Write(filepath.Join(dir, "other"), text("new")); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("folder: error %v", err)
	}
	wantOnly(t, dir, "out")
}

func TestFilesTogether(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	one, err := atomicfile.Create(a)
	if err != nil {
		t.Fatal(err)
	}
	two, err := atomicfile.Create(b)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(text("1")(one), text("2")(two), one.Prepare(), two.Prepare()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(a); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a is visible before Commit: %v", err)
	}
	if err := errors.Join(one.Commit(), two.Commit()); err != nil {
		t.Fatal(err)
	}
	one.Discard()
	two.Discard()
	wantContent(t, a, "1")
	wantContent(t, b, "2")
	if one.Commit() == nil {
		t.Error("committed twice")
	}
	wantOnly(t, dir, "a", "b")
}
