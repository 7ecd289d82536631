//go:build cuda && cgo

package driver

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What stands in for NVML: two devices, of which one has a counter, which
// advances by 1.5 J at each look.
const fakeNVML = `
#include <string.h>
static int open_;
static unsigned long long used = 4000;
static int a, b;
int nvmlInit_v2(void) { open_++; return 0; }
int nvmlShutdown(void) { open_--; return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **to) {
  if (!open_) return 1;
  if (!strcmp(bus, "0000:0A:00.0")) { *to = &a; return 0; }
  if (!strcmp(bus, "0000:0B:00.0")) { *to = &b; return 0; }
  return 6;
}
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *to) {
  if (!open_) return 1;
  if (device == &b) return 3;
  *to = used += 1500;
  return 0;
}
const char *nvmlErrorString(int result) { return result == 3 ? "Not Supported" : result == 6 ? "Not Found" : "Uninitialized"; }
`

func compileFake(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	path, library := filepath.Join(dir, "nvml.c"), filepath.Join(dir, "libnvidia-ml.so.1")
	if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	compiler := os.Getenv("CC")
	if compiler == "" {
		compiler = "cc"
	}
	if out, err := exec.Command(compiler, "-shared", "-fPIC", "-o", library, path).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", compiler, err, out)
	}
	return library
}

func TestEnergy(t *testing.T) {
	t.Parallel()
	library := compileFake(t, fakeNVML)
	e, err := openNVML(library, "0000:0A:00.0")
	if err != nil {
		t.Fatal(err)
	}
	before, err := e.Joules()
	if err != nil {
		t.Fatal(err)
	}
	if after, err := e.Joules(); err != nil || after-before != 1.5 {
		t.Errorf("%v J and then %v (%v), want 1.5 more", before, after, err)
	}
	for range 2 {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := e.Joules(); err == nil {
		t.Error("a closed counter is read")
	}
}

// Whatever is missing is an error that says what, never a crash.
func TestNoEnergy(t *testing.T) {
	t.Parallel()
	library := compileFake(t, fakeNVML)
	half := compileFake(t, strings.Replace(fakeNVML, "nvmlDeviceGetTotalEnergyConsumption", "other", 1))
	for _, c := range []struct{ path, bus, want string }{
		{filepath.Join(t.TempDir(), nvmlName), "", "no NVML here: "},
		{half, "0000:0A:00.0", "nvmlDeviceGetTotalEnergyConsumption"},
		{library, "0000:0C:00.0", "nvmlDeviceGetHandleByPciBusId_v2(0000:0C:00.0): Not Found (6)"},
		{library, "0000:0B:00.0", "nvmlDeviceGetTotalEnergyConsumption(): Not Supported (3)"},
	} {
		if e, err := openNVML(c.path, c.bus); e != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.path, c.bus, err, c.want)
		}
	}
}
