// Package testdata finds the graphs and reference answers that tests compare
// with. They lie outside the repository: in the folder named by the
// environment variable GOPREGEL_DATA, else in shared/data beside the
// repository's root.
package testdata

import (
	"os"
	"path/filepath"
	"testing"
)

// Env is the environment variable that names the folder.
const Env = "GOPREGEL_DATA"

// Dir returns the folder of test data. It skips the test when there is none,
// and fails it when Env names a folder that does not exist.
func Dir(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv(Env); dir != "" {
		if !isDir(dir) {
			t.Fatalf("%s is %q, which is not a folder", Env, dir)
		}
		return dir
	}
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(filepath.Dir(root), "shared", "data")
	if !isDir(dir) {
		t.Skipf("no test data: neither %s nor %s", Env, dir)
	}
	return dir
}

// moduleRoot walks up from the working folder, which in a test is the
// package's, to the folder with go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", os.ErrNotExist
		}
		dir = up
	}
	return "", err
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
